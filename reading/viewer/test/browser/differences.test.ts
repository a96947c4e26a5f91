import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { readAddress } from '../../src/base/address';
import { css } from '../../src/base/colours';
import { differenceColour } from '../../src/base/hues';
import { readCompareAddress } from '../../src/compare/address';
import { launch, Screen, url } from './driver';

/**
 * The recordings that the server module's `ChangedProgram` writes: in the new one each `parse` takes twice as long, each
 * `store` calls `write` eight times instead of five.
 */
let browser: Browser;
let screen: Screen;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());
afterEach(async () => {
  expect(screen.problems).toEqual([]);
  await screen.close();
});

const frame = (number: number) => screen.page.frameLocator(`iframe >> nth=${number - 1}`);
const details = (number: number) => frame(number).locator('.details h2').innerText();
const address = () => readCompareAddress(new URL(screen.page.url()).hash, 2);
const chosen = () => screen.page.locator('.finding[aria-current=true]');

/** What the two viewers show. */
function shown() {
  const [a, b] = address().viewers.map((hash) => readAddress('#' + hash));
  return [a!, b!] as const;
}

/** With the panel of differences open, and filled. */
async function open(): Promise<void> {
  screen = await Screen.openFrames(browser, url('CHANGED'));
  await frame(1).locator('.minimap .frame').waitFor();
  await frame(2).locator('.minimap .frame').waitFor();
  await screen.page.getByRole('button', { name: 'Differences' }).click();
  await screen.page.locator('.finding').first().waitFor();
}

describe('differences of two recordings', () => {
  test('are listed, and each shows its calls at the same place of both timelines', async () => {
    await open();
    const titles = await screen.page.locator('.list > .finding b + span').count();
    expect(titles).toBe(2);
    await screen.page.keyboard.press('n');
    expect(await chosen().innerText()).toContain('a.App.parse');
    expect(await screen.text('.says')).toBe('Shown in both: the longest App.parse.');
    await expect.poll(() => details(1)).toBe('a.App.parse');
    await expect.poll(() => details(2)).toBe('a.App.parse');
    await expect.poll(() => shown().map(({ selected }) => selected?.track)).toEqual([1, 2]);
    const [a, b] = shown();
    expect(a.to! - a.from!).toBe(b.to! - b.from!);
    expect(a.selected!.time - a.from!).toBe(b.selected!.time - b.from!);
    expect(await screen.page.locator('.flame .found').getAttribute('aria-label')).toBe('a.App.parse');
    const square = (number: number) =>
      frame(number)
        .locator('.details .swatch')
        .first()
        .evaluate((swatch) => getComputedStyle(swatch).backgroundColor);
    const usual = await square(1);
    await screen.page.getByRole('button', { name: 'Colour calls' }).click();
    for (const number of [1, 2]) await expect.poll(() => square(number)).toBe(css(differenceColour(1, 'light')));
    await screen.page.getByRole('button', { name: 'Colour calls' }).click();
    await expect.poll(() => square(1)).toBe(usual);
    await screen.page.keyboard.press('n');
    expect(await chosen().innerText()).toContain('3 more calls of a.App.write: 5 → 8');
    await expect.poll(() => details(2)).toBe('a.App.write');
    await screen.page.keyboard.press('n');
    expect(await chosen().innerText()).toContain('a.App.parse');
    await screen.page.keyboard.press('p');
    expect(await chosen().innerText()).toContain('a.App.write');
  });

  test('are there again after a reload', async () => {
    await open();
    await screen.page.locator('.list > .finding').first().click();
    await expect.poll(() => shown().map(({ selected }) => selected?.track)).toEqual([1, 2]);
    await screen.page.locator('.graphs select').selectOption('base');
    await expect.poll(() => address().wide).toBe('base');
    const before = shown();
    await screen.page.reload();
    await chosen().waitFor();
    expect(await chosen().innerText()).toContain('a.App.parse');
    expect(await screen.page.locator('.graphs select').inputValue()).toBe('base');
    await expect.poll(() => details(1)).toBe('a.App.parse');
    await expect.poll(() => details(2)).toBe('a.App.parse');
    expect(shown().map(({ from, to }) => [from, to])).toEqual(before.map(({ from, to }) => [from, to]));
    await screen.page.evaluate(() => {
      location.hash = 'differences=true&difference=2&1=from%3D0%26to%3D1000';
    });
    await expect.poll(() => frame(1).locator('.minimap .frame').getAttribute('aria-valuetext')).toContain('to 1');
    await expect.poll(() => chosen().innerText()).toContain('a.App.write');
  });

  test('a selected call is tied to the one that stands for it', async () => {
    await open();
    const hash = 'from=0&to=400000&open=0,1&call=0,1,300000';
    await screen.page.evaluate((to) => {
      document.querySelector('iframe')!.contentWindow!.location.hash = to;
    }, hash);
    await expect
      .poll(() => screen.page.locator('.matched').innerText())
      .toBe('base: the 5th of 200 calls of this path by worker-#; new: the 5th of 200 calls.');
    await expect.poll(() => details(2)).toBe('a.App.request');
    await screen.page.getByRole('button', { name: 'Align' }).click();
    await screen.page.locator('.ties[data-tied]').waitFor();
    await expect
      .poll(async () => {
        const points = (await screen.page.locator('.ties polygon').getAttribute('points')) ?? '';
        const [begin, , , beginBelow] = points.split(' ').map((point) => Number(point.split(',')[0]));
        return begin! > 0 && Math.abs(begin! - beginBelow!) < 0.5;
      })
      .toBe(true);
    await expect.poll(() => shown()[1].selected?.track).toBe(1);
  });

  test('scroll together to threads of the same role', async () => {
    screen = await Screen.openFrames(browser, url('CHANGED') + '#1=open%3D0&2=open%3D1');
    await frame(1).locator('.minimap .frame').waitFor();
    await frame(2).locator('.minimap .frame').waitFor();
    const box = (await frame(1).locator('.labels').boundingBox())!;
    await screen.page.mouse.move(box.x + 20, box.y + 60);
    await screen.page.mouse.wheel(0, 150);
    const tops = () =>
      address().viewers.map((hash) => {
        const { top } = readAddress('#' + hash);
        return top && [top.track, top.pixels];
      });
    await expect
      .poll(() => {
        const [a, b] = tops();
        return a && b ? [b[0]! - a[0]!, b[1]! - a[1]!] : undefined;
      })
      .toEqual([1, 0]);
    expect(tops()[0]![0]).toBeGreaterThan(0);
  });
});
