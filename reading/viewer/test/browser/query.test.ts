import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Screen, url } from './driver';

/** Questions in SQL about any recording of a server. */
const THREADS = 'SELECT process, thread, name, begin, finish, calls FROM threads ORDER BY calls DESC, begin';

let browser: Browser;
let screen: Screen;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  screen = await Screen.open(browser, url('OWN'));
});
afterEach(() => screen.close());

async function ask(sql: string): Promise<void> {
  await screen.go(`panel=query&sql=${encodeURIComponent(sql)}`);
  await screen.page.click('.query [role=status] button');
  await screen.page.waitForSelector('.query .grid-row, .query-error, .query .grid-empty:not(:empty)');
  await screen.settle();
}

async function cells(): Promise<string[][]> {
  return screen.page.$$eval('.query .grid-row', (all) =>
    all.map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.getAttribute('title') ?? '')),
  );
}

test('the question of a link waits for a click, and is asked again on the way back', async () => {
  const asked: string[] = [];
  screen.page.on('request', (request) => {
    if (request.url().includes('api/query?')) asked.push(request.url());
  });
  await screen.go(`panel=query&sql=${encodeURIComponent(THREADS)}`);
  await screen.page.waitForSelector('.query [role=status] button');
  await screen.settle();
  expect(asked).toEqual([]);
  expect(await screen.page.inputValue('.query-text textarea')).toBe(THREADS);
  expect(new URLSearchParams(new URL(screen.page.url()).hash.slice(1)).get('sql')).toBe(THREADS);
  await screen.page.click('.query [role=status] button');
  await screen.page.waitForSelector('.query .grid-row');
  expect(asked).not.toEqual([]);
  await screen.go('panel=summary');
  await screen.page.goBack();
  await screen.page.waitForSelector('.query .grid-row');
});

test('a row leads to its time', async () => {
  await ask(THREADS);
  const [first] = await cells();
  const [, , , begin, finish] = first!;
  expect(await screen.page.inputValue('.query-text textarea')).toBe(THREADS);
  await screen.page.click('.query .grid-row');
  await screen.page.waitForTimeout(600);
  await screen.settle();
  const hash = new URLSearchParams(new URL(screen.page.url()).hash.slice(1));
  const [from, to] = ['from', 'to'].map((name) => BigInt(hash.get(name) ?? (name === 'from' ? '0' : finish!)));
  expect(from! <= BigInt(begin!) && to! >= BigInt(finish!)).toBe(true);
  expect(hash.get('sql')).toBe(THREADS);
  expect(screen.problems).toEqual([]);
});

test('an answer is drawn above the threads, as a chart, and as a histogram', async () => {
  await ask(THREADS);
  await screen.page.click('button:text-is("Pin")');
  await screen.page.waitForSelector('.pinned-row canvas');
  await screen.page.click('button:text-is("Chart")');
  await screen.page.waitForSelector('.query-chart canvas');
  await screen.page.click('button:text-is("Histogram")');
  await screen.page.waitForSelector('.query .histogram');
  await screen.page.waitForFunction(() => location.hash.includes('sql-as=histogram'));
  await screen.page.click('.pinned-row button');
  await screen.page.waitForSelector('.pinned-row', { state: 'detached' });
  expect(screen.problems).toEqual([]);
});

test('a mistake is shown with its place', async () => {
  await ask('SELECT nope FROM threads');
  const said = await screen.page.innerText('.query-error');
  expect(said).toContain('LINE 1: SELECT nope FROM threads');
  expect(said).toContain('^');
});

test('names are completed, and Ctrl + Enter asks', async () => {
  await screen.go('panel=query');
  await screen.page.waitForSelector('option[value=percentiles]', { state: 'attached' });
  await screen.page.locator('.query-text textarea').pressSequentially('SELECT count(*) AS n FROM thre');
  await screen.page.waitForSelector('.query-suggestions [aria-selected=true]:text-is("threads")');
  await screen.page.keyboard.press('Tab');
  await screen.page.keyboard.press('Control+Enter');
  await screen.page.waitForSelector('.query .grid-row');
  expect(Number((await cells())[0]![0])).toBeGreaterThan(0);
  expect(screen.problems).toEqual([]);
});
