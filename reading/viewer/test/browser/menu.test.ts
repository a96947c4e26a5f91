import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';
import { DURATION, methodColour, MS, QUERY } from './known';

let browser: Browser;
let screen: Screen;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  screen = await Screen.open(browser, url('SHOP') + '#open=0');
});
afterEach(async () => {
  expect(screen.problems).toEqual([]);
  await screen.close();
});

/** The texts of the open menu. */
async function offered(): Promise<string[]> {
  await screen.page.waitForSelector('.context-menu:popover-open');
  return (await screen.page.locator('.context-menu [role=menuitem] span').allInnerTexts()).map(plain);
}

async function choose(text: string): Promise<void> {
  await screen.page.locator('.context-menu').getByText(text, { exact: true }).click();
  await screen.settle();
}

/** Presses the right button on the call of `query`. */
async function onQuery(): Promise<void> {
  await screen.page.mouse.click(await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2), {
    button: 'right',
  });
}

describe('the right button', () => {
  test('on a call offers what can be done with it, its method, its thread and this time', async () => {
    await onQuery();
    const items = await offered();
    for (const item of [
      'Zoom to it',
      'Select it',
      'Mark this method everywhere',
      'Longest call of it',
      'Hide the thread',
      'Bookmark this moment',
    ])
      expect(items).toContain(item);
    for (const item of [
      'Zoom in to tell them apart',
      'Zoom to the selected time',
      'Show all hidden threads',
      'Whole recording',
    ])
      expect(items).not.toContain(item);
    expect(new Set(items).size).toBe(items.length);
  });

  test('zooms to the call', async () => {
    await onQuery();
    await choose('Zoom to it');
    await expect.poll(() => screen.hash()).toContain('from=587499999&to=712500001');
    expect(await screen.page.locator('.context-menu').count()).toBe(0);
  });

  test('marks its method everywhere, and no longer', async () => {
    await onQuery();
    await choose('Mark this method everywhere');
    const [x, y] = [await screen.xOf(50n * MS, 0n, DURATION), await screen.bandY(0, 0)];
    const pale = await screen.colour(x, y);
    const strong = await screen.colour(await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2));
    expect(strong).toEqual(methodColour(...QUERY, 'light'));
    await onQuery();
    await choose('Unmark this method');
    expect(await screen.colour(x, y)).not.toEqual(pale);
  });

  test('on a thread folds, pins and hides', async () => {
    await screen.page.locator('[data-track="0"] .unfold').click({ button: 'right' });
    expect(await offered()).toContain('Fold the thread');
    await choose('Hide all other threads');
    expect(await screen.page.locator('.track').count()).toBe(1);
    await screen.page.locator('[data-track="0"] .unfold').click({ button: 'right' });
    expect(await offered()).not.toContain('Hide all other threads');
    await choose('Show all hidden threads');
    expect(await screen.page.locator('.track').count()).toBeGreaterThan(1);
  });

  test('on the ruler selects from here on and until here', async () => {
    const ruler = (await screen.page.locator('.ruler').boundingBox())!;
    const at = async (time: bigint) =>
      screen.page.mouse.click(await screen.xOf(time, 0n, DURATION), ruler.y + 8, { button: 'right' });
    await at(250n * MS);
    await choose('Select the time from here on');
    await at(750n * MS);
    await choose('Select the time until here');
    await expect.poll(() => screen.hash()).toMatch(/sel=2[45]\d+,7[45]\d+/);
    await at(500n * MS);
    expect(await offered()).toContain('Zoom to the selected time');
    await choose('Unselect the time');
    await expect.poll(() => screen.hash()).not.toContain('sel=');
  });

  test('on the minimap leads there', async () => {
    await screen.go(`from=0&to=${100n * MS}&open=0`);
    const map = (await screen.page.locator('.minimap').boundingBox())!;
    await screen.page.mouse.click(map.x + map.width / 2, map.y + 20, { button: 'right' });
    expect(await offered()).toContain('Look here');
    await choose('Look here');
    await expect.poll(() => screen.hash()).toMatch(/from=4[45]\d{7}&to=5[45]\d{7}/);
  });

  test('on a heading folds its process', async () => {
    const heading = screen.page.locator('.process button').first();
    const before = await heading.getAttribute('aria-expanded');
    await heading.click({ button: 'right' });
    await choose('Fold the process');
    expect(before).toBe('true');
    expect(await heading.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('by keys', () => {
  test('the menu opens for the selected call, arrows and Enter choose', async () => {
    await screen.click(await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2));
    await screen.page.waitForSelector('.details h2');
    await screen.key('Shift+F10');
    expect(await offered()).toContain('Unselect it');
    expect(await screen.page.evaluate(() => document.activeElement!.textContent)).toContain('Zoom to it');
    await screen.page.keyboard.press('ArrowDown');
    await expect.poll(() => screen.page.evaluate(() => document.activeElement!.textContent)).toContain('Unselect it');
    await screen.page.keyboard.press('ArrowUp');
    await screen.page.keyboard.press('ArrowUp');
    const last = (await offered()).at(-1)!;
    expect(await screen.page.evaluate(() => document.activeElement!.textContent)).toContain(last);
    await screen.page.keyboard.press('Home');
    await screen.page.keyboard.press('u');
    await screen.key('Enter');
    expect(await screen.page.locator('.details').count()).toBe(0);
  });

  test('Escape closes it and gives the focus back', async () => {
    const name = screen.page.locator('[data-track="1"] .unfold');
    await name.focus();
    await screen.key('ContextMenu');
    expect(await offered()).toContain('Unfold the thread');
    await screen.key('Escape');
    expect(await screen.page.locator('.context-menu').count()).toBe(0);
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
