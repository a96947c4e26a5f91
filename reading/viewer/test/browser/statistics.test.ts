import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';

/** The recordings that the server module's `KnownRecordings.shop()` and `OwnProgram` write. */
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function opened(recording: 'SHOP' | 'OWN') {
  const at = {} as { screen: Screen };
  beforeAll(async () => {
    at.screen = await Screen.open(browser, url(recording));
  });
  afterAll(async () => {
    expect(at.screen.problems).toEqual([]);
    await at.screen.close();
  });
  const settled = async () => {
    await at.screen.page.waitForFunction(() => !document.querySelector('.panel progress'));
    await at.screen.settle();
  };
  const open = async (view: string) => {
    await at.screen.go('view=whole');
    await at.screen.go(view);
    await settled();
  };
  const rows = async () =>
    (await at.screen.page.locator('.grid-row').allInnerTexts()).map((row) => plain(row).split('\n'));
  const choose = async (label: string, word: string) => {
    await at.screen.page.locator('.panel-body').getByLabel(label, { exact: true }).last().selectOption(word);
    await settled();
  };
  const address = () => at.screen.page.evaluate(() => location.hash);
  return { at, open, rows, choose, settled, address };
}

describe('of a shop', () => {
  const { at, open, rows, choose, address } = opened('SHOP');
  const query = async () => (await rows()).find((row) => row[0] === 'Db.query')!;

  test('say how often and how long', async () => {
    await open('panel=statistics');
    expect((await query()).slice(-6)).toEqual(['≥2', '2', '100.0 ms', '600.0 ms', '600.0 ms', '600.0 ms']);
    await choose('by', 'thread');
    expect((await rows()).filter((row) => row[0] === 'Db.query').map((row) => row.at(-1))).toEqual([
      '100.0 ms',
      '600.0 ms',
    ]);
    await expect.poll(address).toContain('statistics=calls,thread');
  });

  test('lead to the longest', async () => {
    await open('panel=statistics');
    await at.screen.page.locator('.grid-row', { hasText: 'Db.query' }).click();
    await at.screen.settle();
    expect(plain(await at.screen.text('.time-chart figcaption'))).toContain('org.base.Db.query');
    const field = at.screen.page.locator('.statistics-pictures .scatter-field').last();
    await field.focus();
    await at.screen.key('ArrowRight', 'Enter');
    await at.screen.page.waitForSelector('.details h2:has-text("org.base.Db.query")');
    expect(await at.screen.text('.details')).toMatch(/Duration\s+600 ms/);
  });

  test('divide the time', async () => {
    await open('panel=shares');
    const groups = await at.screen.page.locator('.shares-legend li').allInnerTexts();
    expect(plain(groups[0]!)).toContain('com.example.shop');
    await choose('by', 'method');
    await expect.poll(address).toContain('shares=calls,method');
    const field = at.screen.page.locator('.shares .scatter-field');
    await field.focus();
    await at.screen.key('ArrowRight');
    expect(plain(await at.screen.text('.time-chart .histogram-said'))).toContain(' thread');
  });
});

describe('of a program with messages', () => {
  const { at, open, rows, choose, address } = opened('OWN');

  test('say who sends to whom', async () => {
    await open('panel=matrix');
    expect((await rows()).map((row) => row.slice(0, 3))).toEqual([
      ['core 0', 'core 1', '5'],
      ['core 1', 'core 0', '5'],
      ['main', 'worker', '2'],
    ]);
    await at.screen.page.locator('.matrix-field').focus();
    await at.screen.key('ArrowRight');
    expect(plain(await at.screen.text('.matrix-picture .histogram-said'))).toMatch(/^main → worker: 2, /);
    await at.screen.key('Enter');
    await expect.poll(address).toMatch(/from=19\d{7}&to=27\d{7}/);
    await choose('shows', 'latency');
    await expect.poll(address).toContain('matrix=messages,thread,latency');
    await choose('of', 'waits');
    expect(plain(await at.screen.text('.panel-body'))).toContain('No waits that others ended in this selection.');
  });

  test('count events', async () => {
    await open('panel=statistics&statistics=events,core');
    expect((await rows()).filter((row) => row.includes('core 1') && row[0] === 'bus.ASK')).toEqual([
      ['bus.ASK', 'core 1', '5', '5', ...Array.from({ length: 4 }, () => '200.0 ms')],
    ]);
  });
});
