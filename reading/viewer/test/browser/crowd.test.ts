import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';

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

const heading = () => screen.page.locator('.crowd button').first();

test('a thousand threads of a kind are one row that says how many lived when, and unfolds', async () => {
  screen = await Screen.openFirst(browser, url('CROWD'));
  expect(plain(await heading().innerText())).toContain('(1 000)');
  expect(await heading().getAttribute('aria-expanded')).toBe('false');
  expect(await screen.page.locator('.track').count()).toBe(0);
  const row = (await screen.page.locator('.crowd').first().boundingBox())!;
  const axis = await screen.axis();
  expect(await screen.hover(axis.x + axis.width / 2, row.y + row.height / 2)).toMatch(
    /^[\d ]+ threads?\n+had begun and not ended at/,
  );
  await heading().click();
  await screen.settle();
  expect(await screen.page.locator('.track').count()).toBeGreaterThan(5);
  await expect.poll(() => screen.hash()).not.toContain('fold-crowd=0');
  await screen.page.mouse.click(axis.x + axis.width / 2, row.y + row.height / 2);
  await screen.settle();
  expect(await screen.page.locator('.track').count()).toBe(0);
  await expect.poll(() => screen.hash()).toContain('fold-crowd=0');
});

test('what a filter finds among folded threads comes into sight', async () => {
  screen = await Screen.openFirst(browser, url('CROWD'));
  await heading().click();
  await screen.page.locator('.scroller').evaluate((scroller) => (scroller.scrollTop = 20_000));
  await screen.settle();
  await screen.key('/');
  await screen.page.keyboard.type('1234');
  await screen.settle();
  await expect.poll(() => screen.page.locator('.track .name').allInnerTexts()).toContain('worker 1234');
  const row = (await screen.page.locator('.track').first().boundingBox())!;
  const scroller = (await screen.page.locator('.scroller').boundingBox())!;
  expect(row.y).toBeGreaterThanOrEqual(scroller.y);
  expect(row.y + row.height).toBeLessThanOrEqual(scroller.y + scroller.height);
});

test('the legend says what the colours in sight are, finds them, and can be folded', async () => {
  screen = await Screen.open(browser, url('SHOP') + '#open=0');
  const entries = screen.page.locator('.legend-entries li');
  await expect.poll(async () => (await entries.allInnerTexts()).map((text) => text.trim())).toContain('org.base');
  expect((await entries.first().innerText()).trim()).toBe('com.example.shop');
  await entries.getByText('org.base').click();
  await screen.page.waitForSelector('.search-box output:has-text("2 calls")');
  await screen.page.locator('.legend-fold').click();
  await expect.poll(() => entries.count()).toBe(0);
  await screen.page.reload();
  await expect.poll(() => screen.page.locator('.legend-fold').getAttribute('aria-expanded')).toBe('false');
});
