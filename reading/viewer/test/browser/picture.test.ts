import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { mix, type Rgb } from '../../src/base/colours';
import { Screen, launch, url } from './driver';
import { DURATION, EVIL, MAIN, MAIN_CALLS, methodColour, MS, ORDER, QUERY, TAKE, TICK } from './known';

let browser: Browser;
let screen: Screen;
const light = (method: readonly [string, string]) => methodColour(...method, 'light');
/** The tinted ground of a living thread. */
const ALIVE: Rgb = [0xf3, 0xf5, 0xf8];
const GROUND: Rgb = [0, 0, 0];

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  screen = await Screen.open(browser, url('SHOP'));
});
afterEach(async () => {
  expect(screen.problems).toEqual([]);
  await screen.close();
});

/** Checks the begin, the middle and the end of each known call, and the points just beside it. */
async function expectMainCalls(from: bigint, to: bigint): Promise<number> {
  let seen = 0;
  for (const [depth, method, begin, end] of MAIN_CALLS) {
    if (end <= from || begin >= to) continue;
    const y = await screen.bandY(0, depth);
    const left = await screen.xOf(begin > from ? begin : from, from, to);
    const right = await screen.xOf(end < to ? end : to, from, to);
    for (const x of [left + 2, (left + right) / 2, right - 7]) {
      expect(await screen.colour(x, y), `${method[1]} at ${x}`).toEqual(light(method));
      seen++;
    }
    const axis = await screen.axis();
    if (left - 3 > axis.x) expect(await screen.colour(left - 3, y)).toEqual(ALIVE);
    if (right + 3 < axis.x + axis.width) expect(await screen.colour(right + 3, y)).toEqual(ALIVE);
  }
  return seen;
}

describe('known calls are drawn where they belong', () => {
  test('in the whole recording', async () => {
    await screen.go('open=0');
    expect(await expectMainCalls(0n, DURATION)).toBe(15);
  });

  test.each([
    [90n * MS, 410n * MS, 9],
    [140n * MS, 160n * MS, 9],
    [599_999_990n, 600_000_010n, 9],
    [599_999_000n, 700_001_000n, 9],
  ])('from %d to %d', async (from, to, seen) => {
    await screen.go(`from=${from}&to=${to}&open=0`);
    expect(await expectMainCalls(from, to)).toBe(seen);
  });

  test('to the nanosecond', async () => {
    const from = 600n * MS;
    const to = from + 60n;
    await screen.go(`from=${from}&to=${to}&open=0`);
    const y = await screen.bandY(0, 3);
    const at = async (offset: number) =>
      screen.colour((await screen.xOf(from, from, to)) + offset * ((await screen.axis()).width / 60), y);
    expect(await at(0.1)).toEqual(light(TAKE));
    expect(await at(9.8)).toEqual(light(TAKE));
    expect(await at(10.2)).toEqual(ALIVE);
    expect(await at(19.8)).toEqual(ALIVE);
    expect(await at(20.2)).toEqual(light(TICK));
    expect(await at(49.8)).toEqual(light(TICK));
    expect(await at(50.2)).toEqual(ALIVE);
    expect(await screen.text('.anchor')).toBe('600 ms +');
  });

  test('in a folded thread, as stripes', async () => {
    const top = await screen.rowTop(0);
    const middle = await screen.xOf(650n * MS, 0n, DURATION);
    const height = (await screen.page.locator('[data-track="0"]').boundingBox())!.height - 8;
    const stripe = (depth: number) => top + 4 + ((depth + 0.5) * height) / 4;
    expect(await screen.colour(middle, stripe(0))).toEqual(light(MAIN));
    expect(await screen.colour(middle, stripe(1))).toEqual(light(ORDER));
    expect(await screen.colour(middle, stripe(2))).toEqual(light(QUERY));
    expect(await screen.colour(middle, stripe(3))).toEqual(ALIVE);
  });

  test('many short ones as a paler run, and apart when there is room', async () => {
    await screen.go(`from=${790n * MS}&to=${810n * MS}&open=0`);
    const y = await screen.bandY(0, 2);
    const x = await screen.xOf(800_500_000n, 790n * MS, 810n * MS);
    const paler = mix(light(TICK), ALIVE, 0.62);
    (await screen.colour(x, y)).forEach((channel, i) => expect(Math.abs(channel - paler[i]!)).toBeLessThan(3));
    expect(await screen.hover(x, y)).toContain('1 000 calls within 999.6 µs, too short to be drawn apart');
    await screen.go(`from=800500000&to=800510000&open=0`);
    const one = await screen.xOf(800_505_300n, 800_500_000n, 800_510_000n);
    expect(await screen.colour(one, y)).toEqual(light(TICK));
    expect(await screen.hover(one, y)).toContain('600 ns');
  });
});

describe('what is missing is seen', () => {
  test('lost events as a hatched gap with their number', async () => {
    const y = (await screen.rowTop(1)) + 6;
    const inside = await screen.colours(
      await screen.xOf(302n * MS, 0n, DURATION),
      await screen.xOf(498n * MS, 0n, DURATION),
      y,
    );
    expect(inside.filter((colour) => colour === '194,65,12').length).toBeGreaterThan(5);
    expect(inside).not.toContain(light(QUERY).join());
    const beside = await screen.colours(
      await screen.xOf(505n * MS, 0n, DURATION),
      await screen.xOf(545n * MS, 0n, DURATION),
      y,
    );
    expect(new Set(beside)).toEqual(new Set([light(QUERY).join()]));
    const tip = await screen.hover(await screen.xOf(400n * MS, 0n, DURATION), y);
    expect(tip).toContain('1 234 events lost');
    expect(tip).toContain('lower bounds');
    expect(await screen.text('.facts')).toContain('1 234 events lost');
  });

  test('open ends as torn edges, an inferred end dotted, an exception as a red end', async () => {
    await screen.go('open=0,1');
    const left = await screen.xOf(200n * MS, 0n, DURATION);
    const top = await screen.rowTop(1);
    const edge = await Promise.all([7, 8, 9, 13, 14].map((dy) => screen.colour(left + 1, top + dy)));
    expect(edge.map(String)).toContain('255,255,255');
    const inferred = await screen.xOf(700n * MS, 0n, DURATION);
    const dots = await Promise.all([0, 2, 4, 6].map((dy) => screen.colour(inferred - 3, top + 25 + dy)));
    expect(new Set(dots.map(String)).size).toBeGreaterThan(1);
    const unwound = await screen.xOf(900n * MS, 0n, DURATION);
    expect(await screen.colour(unwound - 3, await screen.bandY(0, 1))).toEqual([0xc8, 0x1e, 0x3a]);
    const tip = await screen.hover(left + 20, top + 12);
    expect(tip).toContain('was already running when the recording began');
    expect(tip).toContain('was still running when the recording ended');
    expect(tip).toContain('events were lost while it ran');
  });
});

test('names are text, never markup', async () => {
  const name = screen.page.locator('[data-track="2"] .name');
  expect(await name.innerText()).toContain('<img src=x onerror=');
  const tip = await screen.hover(await screen.xOf(500n * MS, 0n, DURATION), (await screen.rowTop(2)) + 12);
  expect(tip).toContain(`${EVIL[0]}.run`);
  await screen.click(await screen.xOf(500n * MS, 0n, DURATION), (await screen.rowTop(2)) + 12);
  await screen.page.waitForSelector('.details h2');
  expect(await screen.text('.details h2')).toBe(`${EVIL[0]}.run`);
  expect(await screen.page.locator('img:not(.logo)').count()).toBe(0);
  expect(await screen.page.title()).toBe('shop.kymo – Kymo');
});

test('in the dark, calls have dark colours on a dark ground', async () => {
  await screen.close();
  screen = await Screen.open(browser, url('SHOP') + '#open=0', 'dark');
  const x = await screen.xOf(300n * MS, 0n, DURATION);
  expect(await screen.colour(x, await screen.bandY(0, 1))).toEqual(methodColour(...ORDER, 'dark'));
  const ground = await screen.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toBe('rgb(22, 24, 29)');
  expect(await screen.colour(x, (await screen.rowTop(3)) + 60 + 30)).toEqual(GROUND);
});
