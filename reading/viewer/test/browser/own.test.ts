import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { fromHex, legible } from '../../src/base/colours';
import type { Hues } from '../../src/base/hues';
import { launch, plain, Screen, url } from './driver';
import { MS } from './known';

/** The recording that the server module's `OwnProgram` writes. */
const END = 1000n * MS;
const [MAIN, WORKER, CORE_0, CORE_1] = [0, 1, 2, 3];
/** Middle of the strip of marks in a row. */
const MARKS_Y = 9;

const addresses = [
  ['served', () => url('OWN')],
  ['in a page of its own', () => 'file://' + process.env['KYMO_OWN_PAGE']],
] as const;

let browser: Browser;
/** Those of the server, also for the standalone page, which has no server to ask. */
let hues: Hues;
beforeAll(async () => {
  browser = await launch();
  const served = await Screen.open(browser, url('OWN'));
  hues = await served.hues();
  await served.close();
});
afterAll(() => browser.close());

describe.each(addresses)('events of the program’s own, %s,', (_, address) => {
  let screen: Screen;
  beforeAll(async () => {
    screen = await Screen.open(browser, address());
    await screen.go('arrows=none');
  });
  afterAll(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  const x = (ms: bigint) => screen.xOf(ms * MS, 0n, END);
  const marks = async (track: number) => (await screen.rowTop(track)) + MARKS_Y;
  /** The middle of a counter's strip. */
  const curve = async (track: number, name: string) => {
    const box = (await screen.page.locator(`[data-track="${track}"] .counter:has-text("${name}")`).boundingBox())!;
    return { top: box.y, bottom: box.y + box.height, y: box.y + box.height / 2 };
  };

  test('are marks in the colours of their subsystems', async () => {
    const disk = legible(fromHex('#d04040')!, 'light');
    for (const at of [100n, 300n, 400n])
      expect(await screen.colour(await x(at), await marks(MAIN)), `at ${at}`).toEqual(disk);
    expect(await screen.colour(await x(200n), await marks(MAIN))).toEqual(hues.other('bus', 'ASK', 'light'));
    expect(await screen.colour(await x(650n), (await marks(MAIN)) + 2)).toEqual(hues.other('queue', 'TICK', 'light'));
    expect(await screen.colour(await x(30n), await marks(CORE_0))).toEqual(hues.other('bus', 'ASK', 'light'));
    // What lies between a begin and its end is a call of the same colour.
    expect(await screen.colour(await x(490n), (await marks(MAIN)) + 40)).toEqual(disk);
  });

  test('say what they are, and what they tell', async () => {
    await screen.hover(await x(300n), await marks(MAIN));
    const tip = async () => plain(await screen.page.locator('.tooltip').innerText()).replace(/\n+/g, '\n');
    await expect
      .poll(tip)
      .toBe('disk.ALLOC\na block of memory was taken\nsize=4096 owner=<b>cache</b>\nat 300 ms\nmain');
    await screen.hover(await x(800n), await marks(MAIN));
    await expect.poll(tip).toMatch(/^event 99\n0x1\nat 800 ms/);
    await screen.hover(await x(650n), await marks(MAIN));
    expect(await tip()).toMatch(
      /^\d+ events\nwithin 4\.1[89]0 ms, too near to each other to be drawn apart\n\d+ queue\.TICK\n\d+ disk\.MARK\nmain$/,
    );
  });

  test('are counted when they are many, each in one mark', async () => {
    await screen.go(`from=${640n * MS}&to=${640n * MS + 200_000n}&arrows=none`);
    // 20 events here, each by itself.
    const row = await screen.colours(...(await ends()), await marks(MAIN));
    expect(changes(row, '243,245,248')).toBeGreaterThanOrEqual(20);
    await screen.go('arrows=none');
  });
  const ends = async () => {
    const axis = await screen.axis();
    return [axis.x, axis.x + axis.width] as const;
  };

  test('are listed when a mark is clicked, and the address holds that', async () => {
    await screen.click(await x(300n), await marks(MAIN));
    await screen.page.waitForSelector('.events-details td.data:has-text("size=4096")');
    expect(await screen.text('.events-details')).toMatch(
      /main: 1 event\s+300 ms\s+disk\.ALLOC\s+instant\s+size=4096 owner=<b>cache<\/b>\s+a block of memory was taken/,
    );
    await expect.poll(() => screen.hash()).toContain(`events=0,${300n * MS},${300n * MS}`);
    await screen.key('Escape');
    expect(await screen.page.locator('.details').count()).toBe(0);
    await screen.go(`events=0,${600n * MS},${604n * MS}&arrows=none`);
    await screen.page.waitForSelector('.events-details h3:has-text("the first 100 events here")');
    await screen.go('arrows=none');
  });

  test('are found by name, one after the other', async () => {
    await screen.page.keyboard.press('Control+f');
    await screen.page.keyboard.type('alloc|^bus');
    await screen.page.waitForSelector('.search-box output:has-text("25 events of 6 names")');
    const told = (time: string, name: string) =>
      screen.page.waitForSelector(`.events-details tr:has-text("${time}"):has-text("${name}")`);
    await screen.page.keyboard.press('Enter');
    await told('30 ms', 'bus.ASK');
    for (const time of ['50 ms', '130 ms', '150 ms']) {
      await screen.page.keyboard.press('Enter');
      await told(time, 'bus.');
    }
    await screen.page.keyboard.press('Shift+Enter');
    await told('130 ms', 'bus.');
    await screen.key('Escape', 'Escape');
  });

  test('as counters are curves with their scale, and lose no peak', async () => {
    const open = await curve(WORKER, 'OPEN');
    const background = await screen.colour(await x(55n), open.y);
    expect(await screen.colour(await x(500n), open.y)).not.toEqual(background);
    expect(await screen.colour(await x(850n), open.y)).toEqual(background);
    const length = await curve(WORKER, 'LENGTH');
    const top = await screen.colours(await x(540n), await x(570n), length.top + 4);
    expect(new Set(top).size).toBeGreaterThan(1); // for a microsecond
    expect(
      plain(await screen.page.locator(`[data-track="${WORKER}"] .counter`).first().innerText()).replace(/\s+/g, ' '),
    ).toBe('LENGTH 3 … 500');
    expect(await screen.hover(await x(495n), length.y)).toMatch(
      /^queue\.LENGTH\n+29\n+since 490 ms\n+3 to 500 in all, recorded 83 times\n+worker$/,
    );
    expect(await screen.hover(await x(650n), open.y)).toMatch(/^queue\.OPEN\n+true\n+since 266 ms/);
    expect(await screen.hover(await x(55n), length.y)).toMatch(/no value yet/);
    expect(await screen.text(`[data-track="${CORE_1}"] .counter`)).toMatch(/0 … 9/);
    // In numbers, also for a selection.
    await screen.go(`panel=counters&sel=${100n * MS},${900n * MS}&arrows=none`);
    const row = (name: string) => screen.page.locator(`.grid-row:has-text("${name}"):has-text("worker")`);
    const cells = async (name: string) =>
      (await row(name).locator('[role=gridcell]').allInnerTexts()).map((text) => plain(text).trim());
    await row('queue.OPEN').waitFor();
    expect(await cells('queue.LENGTH')).toEqual(['queue.LENGTH', 'worker', '83', '3', '500', '29.3006', '30']);
    expect(await cells('queue.OPEN')).toEqual(['queue.OPEN', 'worker', '2', 'false', 'true', '0.5875', 'false']);
    await row('queue.OPEN').click();
    await screen.page.waitForSelector(`.track.current[data-track="${WORKER}"]`);
    await screen.go('arrows=none');
    // What it was before the window.
    await screen.go(`from=${500n * MS}&to=${500n * MS + 100n}&arrows=none`);
    expect(await screen.hover((await ends())[0] + 100, open.y)).toMatch(/^queue\.OPEN\n+true/);
    await screen.go('arrows=none');
  });

  test('as messages are arrows that are sloped, also backwards', async () => {
    await screen.go('view=whole');
    const middle = async (from: bigint, to: bigint) =>
      [((await x(from)) + (await x(to))) / 2, ((await marks(MAIN)) + (await marks(WORKER))) / 2] as const;
    const tip = async (from: bigint, to: bigint) => screen.hover(...(await middle(from, to)));
    expect(await tip(200n, 265n)).toMatch(/^bus\.ASK[^]*main sent it to worker\n+received after 65 ms/);
    await expect.poll(async () => plain(await screen.page.locator('.tooltip').innerText())).toMatch(/key=1/);
    expect(await tip(750n, 735n)).toMatch(/received 15 ms before it was sent: their clocks differ/);
    await screen.click(...(await middle(750n, 735n)));
    await screen.page.waitForSelector('.events-details');
    await screen.key('Escape');
    const core = async () => ((await marks(CORE_0)) + (await marks(CORE_1))) / 2;
    expect(await screen.hover(((await x(30n)) + (await x(50n))) / 2, await core())).toMatch(
      /core 0 sent it to core 1\n+received after 20 ms/,
    );
    await screen.page.locator('button:has-text("Arrows")').click();
    await screen.page.waitForSelector('.arrows-menu [role=status]:has-text("12 in the window")');
    await screen.page.locator('.arrows-menu label:has-text("message")').click();
    await expect.poll(() => screen.hash()).toContain('arrows=none');
    await screen.page.keyboard.press('Escape');
  });
});

/** How often a colour other than the ground's begins. */
function changes(row: readonly string[], ground: string): number {
  return row.filter((colour, i) => i > 0 && colour !== ground && row[i - 1] === ground).length;
}

test('in the dark they are seen as well', async () => {
  const screen = await Screen.open(browser, url('OWN'), 'dark');
  await screen.go('arrows=none');
  const y = (await screen.rowTop(MAIN)) + MARKS_Y;
  expect(await screen.colour(await screen.xOf(300n * MS, 0n, END), y)).toEqual(legible(fromHex('#d04040')!, 'dark'));
  expect(screen.problems).toEqual([]);
  await screen.close();
});
