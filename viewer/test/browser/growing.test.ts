import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Screen, url } from './driver';
import { MS } from './known';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

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

test('a recording that grows is followed, until one looks around', async () => {
  const screen = await Screen.openFrames(browser, url('GROWING'));
  await screen.page.waitForSelector('.live.following');
  const { to } = await shown(screen);
  await expect.poll(async () => (await shown(screen)).to, { timeout: 5000 }).toBeGreaterThan(to + 500);
  // A thread that began meanwhile has a row.
  await screen.page.waitForSelector('[data-track="1"]');

  await screen.page.keyboard.press('w');
  await screen.page.waitForSelector('.live:not(.following)');
  const still = await shown(screen);
  await screen.page.waitForTimeout(700);
  expect(await shown(screen)).toEqual(still);

  await screen.page.keyboard.press('e');
  await screen.page.waitForSelector('.live.following');
  await expect.poll(async () => (await shown(screen)).to, { timeout: 5000 }).toBeGreaterThan(still.to + 700);

  // The end comes: all of it is there, and nothing is asked any more.
  await screen.page.waitForSelector('.live', { state: 'detached', timeout: 20_000 });
  await screen.go(`from=${14_000n * MS}&to=${15_000n * MS}`);
  const y = (await screen.rowTop(0)) + 20;
  const at = async (time: bigint) => screen.colour(await screen.xOf(time * MS, 14_000n * MS, 15_000n * MS), y);
  expect(await at(14_930n)).toEqual((await screen.hues()).method('com.example.Growing', 'step', 'light'));
  expect(await at(14_080n)).not.toEqual(await at(14_930n));
  expect(screen.problems).toEqual([]);
  await screen.close();
});
