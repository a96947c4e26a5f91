import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Screen, url } from './driver';
import { DURATION, MS } from './known';

let browser: Browser;
let screen: Screen;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(async () => {
  expect(screen.problems).toEqual([]);
  await screen.close();
});

const lines = () => screen.page.locator('.bookmarks li');

/** Texts of the bookmarks that the server keeps. */
async function kept(): Promise<string[]> {
  const answer = await screen.page.request.get(new URL('api/bookmarks', url('KEPT')).href);
  return ((await answer.json()) as { bookmarks: Array<{ text: string }> }).bookmarks.map((bookmark) => bookmark.text);
}

describe('bookmarks', () => {
  test('are made of a moment and of a call, kept, gone to, changed and deleted', async () => {
    screen = await Screen.open(browser, `${url('KEPT')}#from=${200n * MS}&to=${400n * MS}&open=0`);
    await screen.page.keyboard.press('b');
    await screen.page.waitForSelector('.bookmarks input:focus');
    await screen.page.keyboard.type('a moment <b>');
    await screen.page.keyboard.press('Enter');
    await expect.poll(kept).toEqual(['a moment <b>']);
    const flag = screen.page.locator('.flag');
    const box = (await flag.boundingBox())!;
    expect(Math.abs(box.x - (await screen.xOf(300n * MS, 200n * MS, 400n * MS)))).toBeLessThan(2);
    expect(await flag.innerText()).toBe('a moment <b>');

    await screen.go(`open=0&call=0,2,${650n * MS}`);
    await screen.page.waitForSelector('.details h2:has-text("Db.query")');
    await screen.page.keyboard.press('b');
    await screen.page.waitForSelector('.bookmarks li:nth-child(2) input:focus');
    await screen.page.keyboard.type('the query');
    await screen.page.keyboard.press('Enter');
    await lines().nth(1).locator('select').selectOption('red');
    await expect.poll(kept).toEqual(['a moment <b>', 'the query']);
    await expect
      .poll(async () => await (await screen.page.request.get(new URL('api/bookmarks', url('KEPT')).href)).text())
      .toContain('"colour":3');

    await screen.close();
    screen = await Screen.open(browser, url('KEPT'));
    await screen.key('Shift+B');
    expect(await lines().count()).toBe(2);
    expect(await lines().nth(1).getAttribute('class')).toBe('bookmark-red');
    await lines().nth(1).locator('.jump').click();
    await expect.poll(() => screen.hash()).toContain(`from=${600n * MS - 12_500_001n}&to=${700n * MS + 12_500_001n}`);
    const over = (await screen.page.locator('.bookmark-over.bookmark-red').boundingBox())!;
    const left = await screen.xOf(600n * MS, 600n * MS - 12_500_001n, 700n * MS + 12_500_001n);
    expect(Math.abs(over.x - left)).toBeLessThan(2);
    expect(over.y).toBeCloseTo(await screen.rowTop(0), 0);
    await lines().nth(0).locator('button[title=Delete]').click();
    await lines().nth(0).locator('button[title=Delete]').click();
    await expect.poll(kept).toEqual([]);
  });

  test('that somebody else made meanwhile are kept as well', async () => {
    screen = await Screen.open(browser, url('KEPT'));
    const other = await Screen.open(browser, url('KEPT'));
    for (const [page, text] of [
      [other.page, 'theirs'],
      [screen.page, 'mine'],
    ] as const) {
      await page.keyboard.press('b');
      await page.waitForSelector('.bookmarks input:focus');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expect.poll(kept).toContain(text);
    }
    await other.close();
    expect((await kept()).sort()).toEqual(['mine', 'theirs']);
    expect(await lines().count()).toBe(2);
    while ((await lines().count()) > 0) {
      await lines().first().locator('button[title=Delete]').click();
      await screen.settle();
    }
    await expect.poll(kept).toEqual([]);
    // The browser reports the refused first try on its console.
    screen.problems.splice(0).forEach((problem) => expect(problem).toContain('409'));
  });

  test('of a recording that cannot be written to are refused in words', async () => {
    screen = await Screen.open(browser, url('SHOP'));
    await screen.page.keyboard.press('b');
    await screen.page.waitForSelector('.bookmarks .warn');
    expect(await screen.text('.bookmarks .warn')).toBe(
      'Bookmarks are not saved: This recording has no place to keep bookmarks in.',
    );
    screen.problems.splice(0).forEach((problem) => expect(problem).toContain('403'));
  });
});

describe('two recordings', () => {
  const frame = (number: number) => screen.page.frameLocator(`iframe >> nth=${number - 1}`);
  const span = async (number: number) => {
    const text = await frame(number).locator('.minimap .frame').getAttribute('aria-valuetext');
    return text!.replaceAll('\u202f', ' ');
  };

  test('are moved together, or each by itself', async () => {
    screen = await Screen.openFrames(browser, url('TWO'));
    await frame(1).locator('.minimap .frame').waitFor();
    await frame(2).locator('.minimap .frame').waitFor();
    expect(await screen.text('h1')).toBe('1 shop.kymo   2 busy.kymo');
    expect(await span(1)).toBe('0 ns to 1 s');
    expect(await span(2)).toBe('0 ns to 3 s');
    await frame(1)
      .locator('.overlay')
      .click({ position: { x: 5, y: 5 } });
    await screen.page.keyboard.press('w');
    await expect.poll(() => span(1)).toBe('200 ms to 800 ms');
    await expect.poll(() => span(2)).toBe('200 ms to 800 ms');
    await screen.page.locator('header button', { hasText: 'Moved' }).click();
    await frame(2)
      .locator('.overlay')
      .click({ position: { x: 5, y: 5 } });
    await screen.page.keyboard.press('d');
    await expect.poll(() => span(2)).toBe('308 ms to 908 ms');
    expect(await span(1)).toBe('200 ms to 800 ms');
    await screen.page.locator('header button', { hasText: 'Moved' }).click();
    await frame(2)
      .locator('.overlay')
      .click({ position: { x: 5, y: 5 } });
    await screen.page.keyboard.press('d');
    await expect.poll(() => span(2)).toBe('416 ms to 1.016 s');
    await expect.poll(() => span(1)).toBe('308 ms to 908 ms');
    expect(DURATION).toBe(1000n * MS);
  });
});
