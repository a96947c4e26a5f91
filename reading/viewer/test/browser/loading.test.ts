import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Screen, url } from './driver';
import { MS } from './known';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test('a slow connection shows that something is on its way, as long as it is', async () => {
  const screen = await Screen.open(browser, url('SHOP'));
  const said = screen.page.locator('.loading span');
  expect(await said.count()).toBe(0);
  let release: () => void = () => {};
  const held = new Promise<void>((done) => (release = done));
  await screen.page.route('**/api/window**', async (route) => {
    await held;
    await route.continue();
  });
  await screen.page.evaluate((hash) => (location.hash = hash), `from=${100n * MS}&to=${100n * MS + 500n}`);
  await said.waitFor({ timeout: 60_000 });
  expect(await said.innerText()).toBe('Loading …');
  release();
  await said.waitFor({ state: 'detached', timeout: 60_000 });
  expect(screen.problems).toEqual([]);
  await screen.close();
});

test('so does a recording that takes long to be told of', async () => {
  const screen = await Screen.open(browser, url('SHOP'));
  let release: () => void = () => {};
  const held = new Promise<void>((done) => (release = done));
  await screen.page.route('**/api/recording', async (route) => {
    await held;
    await route.continue();
  });
  await screen.page.reload();
  await screen.page.locator('.loading span').waitFor({ timeout: 60_000 });
  release();
  await screen.settle();
  await screen.page.locator('.loading span').waitFor({ state: 'detached', timeout: 60_000 });
  await screen.close();
});
