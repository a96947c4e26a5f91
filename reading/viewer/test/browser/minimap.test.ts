import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Screen, url } from './driver';
import { DURATION, MS } from './known';

let browser: Browser;
let screen: Screen;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  screen = await Screen.open(browser, url('SHOP'));
  await screen.page.waitForSelector('.minimap .frame');
});
afterEach(async () => {
  expect(screen.problems).toEqual([]);
  await screen.close();
});

/** Waits until the address bar holds a window, as exactly as a pixel of the map allows. */
async function expectWindow(from: bigint, to: bigint, within = 2n * MS): Promise<void> {
  const away = async () => {
    const match = /from=(\d+)&to=(\d+)/.exec(await screen.hash());
    const shown = match ? [BigInt(match[1]!), BigInt(match[2]!)] : [0n, DURATION];
    return Math.max(Math.abs(Number(shown[0]! - from)), Math.abs(Number(shown[1]! - to)));
  };
  await expect.poll(away).toBeLessThanOrEqual(Number(within));
}

/** Where a time is in the minimap. */
async function at(time: bigint): Promise<{ x: number; y: number; perMs: number }> {
  const box = (await screen.page.locator('.minimap').boundingBox())!;
  return { x: box.x + (Number(time) / Number(DURATION)) * box.width, y: box.y + 30, perMs: box.width / 1000 };
}

async function drag(from: bigint, to: bigint): Promise<void> {
  const [a, b] = [await at(from), await at(to)];
  await screen.page.mouse.move(a.x, a.y);
  await screen.page.mouse.down();
  await screen.page.mouse.move(b.x, b.y, { steps: 4 });
  await screen.page.mouse.up();
  await screen.settle();
}

/** Colours in a column of the minimap's canvas. */
async function column(time: bigint): Promise<Set<string>> {
  const { x } = await at(time);
  const colours = await screen.page.evaluate((px) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.minimap canvas')!;
    const left = Math.floor(px - canvas.getBoundingClientRect().left);
    const data = canvas.getContext('2d')!.getImageData(left, 0, 3, canvas.height).data;
    return Array.from({ length: data.length / 4 }, (_, i) =>
      data[4 * i + 3] === 255 ? data.slice(4 * i, 4 * i + 3).join() : '',
    );
  }, x);
  return new Set(colours);
}

describe('the minimap', () => {
  test('shows activity and losses where they are', async () => {
    expect(await column(801n * MS - MS / 2n)).toContain('143,165,196');
    expect(await column(50n * MS)).toEqual(new Set(['']));
    expect(await column(300n * MS)).toContain('194,65,12');
  });

  test('draws a window where all is seen, moves it, and moves its edges', async () => {
    await drag(200n * MS, 600n * MS);
    await expectWindow(200n * MS, 600n * MS);
    await drag(400n * MS, 500n * MS);
    await expectWindow(300n * MS, 700n * MS);
    await drag(300n * MS, 100n * MS);
    await expectWindow(100n * MS, 700n * MS);
    await drag(700n * MS, 250n * MS);
    await expectWindow(100n * MS, 250n * MS);
  });

  test('goes where it is clicked', async () => {
    await screen.go(`from=${100n * MS}&to=${200n * MS}`);
    const { x, y } = await at(700n * MS);
    await screen.click(x, y);
    await expectWindow(650n * MS, 750n * MS);
  });

  test('is reached and moved by keys', async () => {
    await screen.go(`from=${100n * MS}&to=${200n * MS}`);
    await screen.page.locator('.minimap [data-part=frame]').focus();
    await screen.key('ArrowRight');
    await expectWindow(110n * MS, 210n * MS, 0n);
    await screen.key('Tab', 'ArrowLeft');
    await expectWindow(100n * MS, 210n * MS, 0n);
    await screen.key('Tab', 'ArrowRight');
    await expectWindow(100n * MS, 221n * MS, 0n);
    expect(await screen.page.locator('.minimap [data-part=to]').getAttribute('aria-valuetext')).toMatch(
      /100.ms to 221.ms/,
    );
  });

  test('marks what was found', async () => {
    await screen.key('Control+f');
    await screen.page.keyboard.type('Db.query');
    await screen.page.waitForSelector('.search-box output:has-text("2 calls of 1 method")');
    await screen.settle();
    expect(await column(600n * MS)).toContain('162,28,175');
    expect(await column(200n * MS)).toContain('162,28,175');
    expect(await column(700n * MS)).not.toContain('162,28,175');
  });
});
