import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { freshUrl, launch, Screen } from './driver';
import { MS } from './known';

let browser: Browser;
let growingTries = 0;
let readingTries = 0;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** So many of the page's questions how far the recording has come, and their answers. */
async function answers(screen: Screen, count: number): Promise<{ duration: number }[]> {
  const all: { duration: number }[] = [];
  while (all.length < count) {
    const answer = await screen.page.waitForResponse((response) => response.url().endsWith('/api/growth'));
    all.push({ duration: Number(((await answer.json()) as { duration: string }).duration) });
  }
  return all;
}

/** What is in sight, in milliseconds. */
async function shown(screen: Screen): Promise<{ from: number; to: number }> {
  const number = (text: string) => {
    const match = /([\d.]+) (ns|ms|s)$/.exec(text)!;
    return Number(match[1]) * { ns: 1e-6, ms: 1, s: 1000 }[match[2]! as 'ns' | 'ms' | 's'];
  };
  const text = (await screen.page.locator('.minimap .frame').getAttribute('aria-valuetext'))!.replaceAll('\u202f', ' ');
  const [from, to] = text.split(' to ');
  return { from: number(from!), to: number(to!) };
}

/** A busy machine takes its time; what is waited for comes at last. */
const PATIENCE = { timeout: 60_000 };

test('a recording that grows is followed, until one looks around', { timeout: 240_000 }, async () => {
  const screen = await Screen.openFrames(browser, freshUrl('GROWING', growingTries++));
  screen.page.setDefaultTimeout(PATIENCE.timeout);
  await screen.page.waitForSelector('.live.following');
  const { to } = await shown(screen);
  await expect.poll(async () => (await shown(screen)).to, PATIENCE).toBeGreaterThan(to + 500);
  // A thread that began meanwhile has a row.
  await screen.page.waitForSelector('[data-track="1"]');

  await screen.page.keyboard.press('w');
  await screen.page.waitForSelector('.live:not(.following)');
  const still = await shown(screen);
  const asked = await answers(screen, 7);
  expect(asked.at(-1)!.duration).toBeGreaterThan(asked[0]!.duration);
  expect(await shown(screen)).toEqual(still);

  await screen.page.keyboard.press('e');
  await screen.page.waitForSelector('.live.following');
  await expect.poll(async () => (await shown(screen)).to, PATIENCE).toBeGreaterThan(still.to + 700);

  // The end comes: all of it is there, and nothing is asked any more.
  await screen.page.waitForSelector('.live', { state: 'detached', timeout: 120_000 });
  await screen.go(`from=${14_000n * MS}&to=${15_000n * MS}`);
  const y = (await screen.rowTop(0)) + 20;
  const at = async (time: bigint) => screen.colour(await screen.xOf(time * MS, 14_000n * MS, 15_000n * MS), y);
  expect(await at(14_930n)).toEqual((await screen.hues()).method('com.example.Growing', 'step', 'light'));
  expect(await at(14_080n)).not.toEqual(await at(14_930n));
  expect(screen.problems).toEqual([]);
  await screen.close();
});

test('a recording without an index is shown while it is read, and says how far', { timeout: 240_000 }, async () => {
  const screen = await Screen.openFrames(browser, freshUrl('READING', readingTries++));
  screen.page.setDefaultTimeout(PATIENCE.timeout);
  const reading = screen.page.locator('.live.reading');
  const share = async () => Number(/so far: (\d+) %/.exec((await reading.textContent())!)![1]);
  const first = await share();
  expect(first).toBeLessThan(100);
  await expect.poll(share, PATIENCE).toBeGreaterThan(first + 10);
  expect(await reading.getAttribute('title')).toContain('the tables show what has been read so far');
  const { from, to } = await shown(screen);
  expect(from).toBe(0);
  await expect.poll(async () => (await shown(screen)).to, PATIENCE).toBeGreaterThan(to);
  // Then it is a recording like any other, all of it in sight.
  await reading.waitFor({ state: 'detached', timeout: 120_000 });
  await expect.poll(async () => await shown(screen), PATIENCE).toEqual({ from: 0, to: 15_000 });
  expect(screen.problems).toEqual([]);
  await screen.close();
});
