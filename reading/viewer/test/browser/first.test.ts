import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';
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

const frame = async () => plain((await screen.page.locator('.minimap .frame').getAttribute('aria-valuetext'))!);
const scroller = () => screen.page.locator('.scroller');
const scrolled = () => scroller().evaluate((element) => element.scrollTop);

/** Whether a thread's row, or a part of it, is inside the part of the page that scrolls. */
async function seen(track: number): Promise<boolean> {
  const label = screen.page.locator(`.track[data-track="${track}"]`);
  if ((await label.count()) === 0) return false;
  const row = (await label.boundingBox())!;
  const box = (await scroller().boundingBox())!;
  return row.y + row.height > box.y + 4 && row.y < box.y + box.height - 4;
}

describe('who opens a recording', () => {
  test('sees the busiest thread unfolded, and what there is', async () => {
    screen = await Screen.openFirst(browser, url('SHOP'));
    expect(await screen.page.locator('.track .unfold[aria-expanded="true"]').count()).toBe(1);
    expect(await screen.page.locator('[data-track="0"] .unfold').getAttribute('aria-expanded')).toBe('true');
    expect(await screen.text('.facts')).toMatch(/4 threads/);
    // What one sees has an address, which is obeyed like any other.
    await expect.poll(() => screen.hash()).toBe('#open=0');
    await screen.key('x');
    await expect.poll(() => screen.hash()).toBe('#view=whole');
    await screen.page.reload();
    await screen.settle();
    expect(await screen.page.locator('.track .unfold[aria-expanded="true"]').count()).toBe(0);
  });

  test('sees the virtual machine folded into one row', async () => {
    screen = await Screen.openFirst(browser, url('WAITING'));
    const group = screen.page.locator('.group button:has-text("Java virtual machine")');
    expect(await group.getAttribute('aria-expanded')).toBe('false');
    expect(plain(await group.innerText())).toContain('2 folded');
    expect(await screen.page.locator('.track .unfold[aria-expanded="true"]').count()).toBe(1);
    await group.click();
    await screen.page.waitForSelector('[data-track="7"]');
  });

  test('of kernel events is told of processors', async () => {
    screen = await Screen.openFirst(browser, url('KERNEL'));
    expect(await screen.text('.facts')).toMatch(/4 threads\s+8 calls\s+kernel: 2 CPUs/);
  });
});

describe('back', () => {
  test('undoes zooming, by key', async () => {
    screen = await Screen.open(browser, url('SHOP') + `#from=${100n * MS}&to=${200n * MS}`);
    await screen.key('0');
    expect(await frame()).toBe('0 ns to 1 s');
    await screen.key('z');
    expect(await frame()).toBe('100 ms to 200 ms');
    await screen.key('z');
    expect(await frame()).toBe('100 ms to 200 ms');
  });

  test('of the browser leads to where one was', async () => {
    screen = await Screen.open(browser, url('SHOP') + `#from=${100n * MS}&to=${200n * MS}`);
    await screen.key('0');
    await expect.poll(() => screen.hash()).toBe('#view=whole');
    await screen.page.goBack();
    await expect.poll(frame).toBe('100 ms to 200 ms');
    await screen.page.goForward();
    await expect.poll(frame).toBe('0 ns to 1 s');
  });
});

describe('among two thousand threads', () => {
  const ROW = 32;
  /** The middle of a thread's only call. */
  const call = (track: number) => (BigInt(track) * MS) / 2n + MS / 2n;

  test('the link says how far one has scrolled', async () => {
    screen = await Screen.open(browser, url('CROWD'));
    await scroller().evaluate((element, top) => (element.scrollTop = top), 1000 * ROW + 10);
    await expect.poll(() => screen.hash()).toMatch(/^#top=\d+,\d+$/);
    const [top, hash] = [await scrolled(), await screen.hash()];
    await screen.close();
    screen = await Screen.open(browser, url('CROWD') + hash);
    await expect.poll(scrolled).toBe(top);
  });

  test('the selected call comes into sight by a link and by a key', async () => {
    screen = await Screen.open(browser, url('CROWD') + `#call=1500,0,${call(1500)}`);
    await screen.page.waitForSelector('.details h2');
    await expect.poll(() => seen(1500)).toBe(true);
    await scroller().evaluate((element) => (element.scrollTop = 0));
    await screen.settle();
    expect(await seen(1500)).toBe(false);
    await screen.key('f');
    await expect.poll(() => seen(1500)).toBe(true);
  });

  test('the clicked call stays in sight when its details and the tables open', async () => {
    screen = await Screen.open(browser, url('CROWD') + `#from=0&to=${20n * MS}`);
    const box = (await scroller().boundingBox())!;
    // Below the headings of the process and of the crowd; every second thread is in another crowd.
    const last = 2 * (Math.floor((box.height - 80) / ROW) - 1);
    expect(await seen(last)).toBe(true);
    const x = await screen.xOf(call(last), 0n, 20n * MS);
    await screen.click(x, (await screen.rowTop(last)) + 16);
    await screen.page.waitForSelector('.details h2');
    expect((await scroller().boundingBox())!.height).toBeLessThan(box.height);
    await expect.poll(() => seen(last)).toBe(true);
    await screen.key('p');
    await expect.poll(() => seen(last)).toBe(true);
  });
});

test('the whole recording is an address of its own', async () => {
  screen = await Screen.open(browser, url('SHOP'));
  expect(await screen.page.locator('.track .unfold[aria-expanded="true"]').count()).toBe(0);
  await expect.poll(() => screen.hash()).toBe('#view=whole');
  expect(await screen.xOf(DURATION, 0n, DURATION)).toBeGreaterThan(0);
});
