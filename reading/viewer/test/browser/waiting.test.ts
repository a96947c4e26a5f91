import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { stateColour } from '../../src/base/states';
import { launch, plain, Screen, url } from './driver';
import { MS } from './known';

/** The recording that the server module's `WaitingProgram.small()` writes. */
const END = 4000n * MS;
const [MAIN, WORKER_1, WORKER_2, CLEANER, GC] = [0, 1, 2, 6, 7];

/**
 * Folded rows: the states, and the counted calls below them if there are any; what the picture says independently of
 * the code.
 */
const STATES_Y = 7;
const COUNTS_Y = 21;

const addresses = [
  ['served', () => url('WAITING')],
  ['in a page of its own', () => 'file://' + process.env['KYMO_WAITING_PAGE']],
] as const;

/** The critical path's line. */
const PATH = [208, 16, 76];

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(addresses)('a program that waits, %s,', (_, address) => {
  let screen: Screen;
  beforeAll(async () => {
    screen = await Screen.open(browser, address());
  });
  afterAll(async () => {
    expect(screen.problems).toEqual([]);
    await screen.close();
  });

  const x = (ms: bigint, from = 0n, to = END) => screen.xOf(ms * MS, from, to);
  const y = async (track: number, at: number) => (await screen.rowTop(track)) + at;

  test('has a row for each thread, for what the virtual machine did and for the recorder', async () => {
    await screen.go('arrows=none');
    const names = (await screen.page.locator('.labels [role=listitem] button:not(.plain)').allInnerTexts()).map((t) =>
      plain(t).replace(/\s+/g, ' ').trim(),
    );
    expect(names).toEqual([
      '1001 App',
      'Recorder 4 steps',
      'Java virtual machine',
      'GC',
      'JIT compiler',
      'main',
      'worker-1',
      'worker-2',
      'Cleaner',
    ]);
    expect(await screen.text('.facts')).toMatch(/4 threads\s+7 calls\s+420 M counted, not drawn/);
    await screen.page.locator('.group button:has-text("Java virtual")').click();
    await screen.page.waitForSelector(`[data-track="${GC}"]`, { state: 'detached' });
    await expect.poll(() => screen.hash()).toContain('fold-jvm=1');
    await screen.page.locator('.group button:has-text("Java virtual")').click();
    await screen.page.waitForSelector(`[data-track="${GC}"]`);
  });

  test('shows what a thread waited for, in the colour of its kind', async () => {
    const states = [
      [MAIN, 3000n, 'join'],
      [MAIN, 3650n, 'sleep'],
      [WORKER_1, 25n, 'start'],
      [WORKER_1, 700n, 'monitor'],
      [WORKER_1, 1250n, 'wait'],
      [WORKER_1, 2300n, 'park'],
      [WORKER_2, 400n, 'lock'],
      [CLEANER, 2000n, 'wait'],
    ] as const;
    for (const [track, at, kind] of states) {
      expect(await screen.colour(await x(at), await y(track, track === CLEANER ? 20 : STATES_Y)), kind).toEqual(
        stateColour(kind, 'light'),
      );
    }
    expect(await screen.hover(await x(3000n), await y(MAIN, STATES_Y))).toMatch(
      /^join java\.lang\.Thread(@5a)?\n+1 s · waits for a thread to end/,
    );
    expect(await screen.hover(await x(1010n), await y(WORKER_2, STATES_Y))).toMatch(
      /park java.*\n+[\d ]+ times within/,
    );
    expect(await screen.hover(await x(1800n), await y(WORKER_1, STATES_Y))).toMatch(/^7 events lost/);
    // The gap is one of the states: the calls are all there.
    expect(await screen.hover(await x(1800n), await y(WORKER_1, 45))).toMatch(/^app\.Stock\.take/);
  });

  test('tells who let a thread go on, and leads there', async () => {
    await screen.click(await x(700n), await y(WORKER_1, STATES_Y));
    await screen.page.waitForSelector('.details h2:has-text("monitor app.Stock")');
    expect(await screen.text('.details')).toMatch(
      /Duration\s+400 ms\s+Object\s+app\.Stock@beef\s+Continued because\s+worker-2\s+left the monitor/,
    );
    await screen.page.locator('.details .link').click();
    await screen.page.waitForSelector(`[data-track="${WORKER_2}"].current`);
    await screen.click(await x(3000n), await y(MAIN, STATES_Y));
    await screen.page.waitForSelector('.details h2:has-text("join")');
    await screen.page.mouse.move(5, 5);
    await screen.key('o');
    await screen.page.waitForSelector(`[data-track="${WORKER_1}"].current`);
    await screen.key('Escape');
  });

  test('tells which threads decided when a call ended', async () => {
    await screen.go('arrows=none&call=0,1,2100000000');
    await screen.page.locator('button[aria-label="Critical path of the call"]').click();
    if (address().startsWith('file:')) {
      await screen.page.waitForSelector('.panel :text("Only the server can answer this")');
      return;
    }
    await screen.page.waitForSelector('.panel .grid-row:has-text("asleep")');
    const rows = (await screen.page.locator('.panel .grid-row').allInnerTexts()).map((row) =>
      plain(row).split('\n').filter(Boolean),
    );
    expect(
      rows.map(([begin, time, share, thread, ...rest]) => [
        begin,
        time,
        share,
        thread,
        rest.join(' ').replace(/ +/g, ' '),
      ]),
    ).toEqual([
      ['2 s', '200.0 ms', '11 %', 'worker-1', 'Stock.take app'],
      [
        '2.200 s',
        '200.0 ms',
        '11 %',
        'worker-1',
        'park java.util.concurrent.SynchronousQueue@77; which thread ended that is not known',
      ],
      ['2.400 s', '1.100 s', '58 %', 'worker-1', 'Stock.take app main continues after join java.lang.Thread@5a'],
      ['3.500 s', '100.0 ms', '5.3 %', 'main', 'Shop.order app'],
      ['3.600 s', '100.0 ms', '5.3 %', 'main', 'asleep'],
      ['3.700 s', '200.0 ms', '11 %', 'main', 'Shop.order app'],
    ]);
    await expect.poll(() => screen.hash()).toContain('path=0,2000000000,3900000000');
    const line = async (track: number, at: bigint) => screen.overlayColour(await x(at), await y(track, 2));
    await screen.page.mouse.move(5, 5);
    await screen.settle();
    expect(await line(WORKER_1, 3000n)).toEqual(PATH);
    expect(await line(MAIN, 3550n)).toEqual(PATH);
    expect(await line(MAIN, 3000n)).not.toEqual(PATH);
    // Another selection does not take the path away; it is offered.
    await screen.click(await x(300n), await y(WORKER_2, 45));
    await screen.page.locator('.panel button:has-text("Of the selection")').click();
    await expect.poll(() => screen.hash()).toContain('path=2,');
    await screen.key('Escape');
    await screen.go('arrows=none');
    await screen.settle();
    expect(await line(WORKER_1, 3000n)).not.toEqual(PATH);
  });

  test('brings the thread of a path that is linked into sight', async () => {
    if (address().startsWith('file:')) return;
    const size = screen.page.viewportSize()!;
    await screen.page.setViewportSize({ width: 1024, height: 560 });
    await screen.go('arrows=none&open=0,1&panel=path&path=2,100000000,900000000');
    await screen.page.waitForSelector('.panel .grid-row');
    const scroller = (await screen.page.locator('.scroller').boundingBox())!;
    await expect.poll(() => screen.rowTop(WORKER_2)).toBeLessThan(scroller.y + scroller.height - 10);
    await screen.page.setViewportSize(size);
    await screen.go('arrows=none');
    await screen.settle();
  });

  test('has a table of threads, and one of locks', async () => {
    await screen.go('arrows=none&panel=threads');
    if (address().startsWith('file:')) {
      await screen.page.waitForSelector('.panel :text("Only the server can answer this")');
      await screen.go('arrows=none&panel=locks');
      await screen.page.waitForSelector('.panel :text("Only the server can answer this")');
      return;
    }
    await screen.page.waitForSelector('.panel .grid-row:has-text("Cleaner")');
    const worker = screen.page.locator('.panel .grid-row', { hasText: 'tid 2002' });
    expect(plain(await worker.innerText()).replace(/\s+/g, ' ')).toMatch(
      /^worker-1 tid 2002 3\.500 s 88 % ≥ 1\.150 s 1 500\.0 ms wait app\.Queue, main; 400\.0 ms monitor app\.Stock, worker-2; 200\.0 ms park/,
    );
    await worker.click();
    await screen.page.waitForSelector(`[data-track="${WORKER_1}"].current`);
    await screen.go('arrows=none&panel=locks');
    const stock = screen.page.locator('.panel .grid-row', { hasText: 'monitor app.Stock@beef' });
    expect(plain(await stock.innerText()).replace(/\s+/g, ' ')).toMatch(
      /400\.0 ms 75 % ≥ 1 400\.0 ms ≥ 400\.0 ms worker-1 \? \? \?/,
    );
    await stock.click();
    await screen.settle();
    await expect.poll(() => screen.hash()).toContain('from=449999999&to=950000001');
  });

  test('draws arrows, leads along them, and leaves them out', async () => {
    await screen.go('view=whole');
    const at = [await x(3500n), (await y(WORKER_1, 4)) - 1] as const;
    expect(await screen.hover(...at)).toMatch(
      /join java\.lang\.Thread\n+worker-1 ended: main continued after 1 s\n+click: to main/,
    );
    await screen.click(...at);
    await screen.page.waitForSelector('.details h2:has-text("join")');
    await screen.key('Escape');
    const overlay = () =>
      screen.page.evaluate(() => document.querySelector<HTMLCanvasElement>('canvas.overlay')!.toDataURL().length);
    await screen.page.mouse.move(5, 5);
    await screen.settle();
    const all = await overlay();
    await screen.key('v');
    expect(await overlay()).toBeLessThan(all);
    await expect.poll(() => screen.hash()).toContain('arrows=none');
    await screen.page.locator('button:has-text("Arrows")').click();
    const park = screen.page.locator('.arrows-menu label:has-text("park")');
    await park.click();
    await expect.poll(() => screen.hash()).toContain('arrows=park');
    await screen.go('view=whole');
    await park.click();
    await expect.poll(() => screen.hash()).toContain('arrows=monitor,lock,sleep,wait,join,start');
    await screen.page.waitForSelector('.arrows-menu [role=status]:has-text("5 in the window")');
    await screen.page.keyboard.press('Escape');
    await screen.key('Control+k');
    await screen.page.keyboard.type('arrows show park');
    await screen.page.waitForSelector('.palette li:has-text("show those of park")');
    await screen.page.keyboard.press('Enter');
    await expect.poll(() => screen.hash()).not.toContain('arrows');
  });

  test('tells of calls that were counted, not drawn', async () => {
    await screen.go('arrows=none');
    const row = await screen.colours(await x(100n), await x(900n), await y(WORKER_1, COUNTS_Y + 2));
    expect(new Set(row).size, 'stripes').toBeGreaterThan(1);
    const tip = screen.page.locator('.tooltip li');
    expect(await screen.hover(await x(1500n), await y(WORKER_1, COUNTS_Y))).toMatch(
      /^100 M calls were counted here, not drawn/,
    );
    await tip.first().waitFor();
    expect(plain(await tip.first().innerText())).toBe('100 M Text.hash');
    await screen.go('arrows=none&panel=summary');
    await screen.page.waitForSelector('.panel :text("Text.hash")');
    const hash = screen.page.locator('.grid-row', { hasText: 'Text.hash' });
    expect(await hash.locator('[role=gridcell]').nth(1).getAttribute('title')).toBe(
      '412\u202f000\u202f000 calls, counted, not drawn',
    );
    expect(await hash.locator('.counted-mark').count()).toBe(1);
    expect(await hash.locator('.go').count()).toBe(0);
    const next = plain(await screen.page.locator('.grid-row', { hasText: 'Text.next' }).innerText());
    expect(next).toMatch(/≥ 8 000 000\s+≥ 40\.00 ms/);
    await screen.go('arrows=none&panel=summary&sel=1200000000,2500000000');
    await screen.page.waitForSelector('.grid-row:has-text("~ ")');
    for (const tab of ['tree', 'events']) {
      await screen.go(`arrows=none&panel=${tab}`);
      await screen.page.waitForSelector('.counted-note:text("calls counted, not in this")');
      expect(await screen.text('.counted-note')).toMatch(/^420 M calls counted, not in this (tree|list)$/);
    }
    await screen.go('arrows=none&panel=durations&method=3');
    await screen.page.waitForSelector('.counted-note');
    expect(await screen.text('.counted-note')).toBe('412 M calls counted, not in this list');
    await screen.go('arrows=none&call=1,0,1500000000');
    await screen.page.waitForSelector('.details dt');
    expect(await screen.text('.details')).toMatch(
      /Self\s+at most 3\.440 s 100 %.*Counted\s+about 409 M calls during it/s,
    );
  });

  test('shows counted calls beside the flame graph, as wide as the time they took', async () => {
    await screen.go('arrows=none&panel=flame');
    await screen.page.waitForSelector('.counted-strip button');
    expect(await screen.text('.counted-note')).toBe('420 M calls counted, caller unknown');
    const blocks = screen.page.locator('.counted-strip button');
    const all = await blocks.evaluateAll((each) =>
      each.map((block) => [
        block.textContent.replaceAll('\u202f', ' '),
        block.getAttribute('title')!.replaceAll('\u202f', ' '),
      ]),
    );
    expect(all.map(([text]) => text)).toEqual(['Text.hash · 412 M', 'Text.next · 8.00 M']);
    expect(all[0]![1]).toMatch(
      /412 000 000 calls counted, caller unknown\nThey took .* of all, without their callees; this time is in the boxes of their callers\.$/,
    );
    await screen.page.locator('.flame-find').fill('text.next');
    await screen.settle();
    expect(await screen.text('.flame-matched')).toBe('8.00 M counted calls');
    expect(await blocks.evaluateAll((each) => each.map((block) => block.className))).toEqual(['dimmed', '']);
    await blocks.last().click();
    await screen.page.waitForSelector('.marked-method:has-text("Text.next")');
  });

  test('sums up waiting by itself', async () => {
    await screen.go('arrows=none&panel=summary&about=states');
    await screen.page.waitForSelector('.panel :text("monitor Stock")');
    expect(await screen.page.locator('.panel .grid-row', { hasText: 'Stock.take' }).count()).toBe(0);
    await screen.page.locator('.about select').selectOption('jvm');
    await screen.page.waitForSelector('.panel .grid-row:has-text("G1New")');
    await expect.poll(() => screen.hash()).toContain('about=jvm');
  });

  test('shows what the recorder did, and leads there', async () => {
    await screen.go('arrows=none');
    const top = (await screen.page.locator('.group').first().boundingBox())!.y;
    expect(await screen.hover(await x(1010n), top + 14)).toMatch(
      /^app\.Text\.next\n+recorded as events → counted, timed by sample\n+its probes took 31 % of the time of 1 thread/,
    );
    await screen.page.locator('.group button:has-text("Recorder")').click();
    await screen.page.waitForSelector('.panel :text("probes may take 5 %")');
    await screen.go(`arrows=none&panel=recorder&from=0&to=${100n * MS}`);
    await screen.page.locator('.panel .grid-row:has-text("would take 0.4 %")').click();
    await screen.settle();
    await expect
      .poll(async () => plain((await screen.page.locator('.minimap .frame').getAttribute('aria-valuetext'))!))
      .toBe('3.460 s to 3.560 s');
  });
});

test('corrected times stand beside the measured ones', async () => {
  const screen = await Screen.open(browser, url('WAITING') + '#panel=summary');
  await screen.page.locator('.panel label:has-text("corrected times")').click();
  await screen.page.waitForSelector('[role=columnheader]:has-text("Corrected self")');
  await expect.poll(() => screen.hash()).toContain('corrected=true');
  const text = plain(await screen.page.locator('.grid-row', { hasText: 'Main.main' }).innerText());
  expect(text).toMatch(/4\.000 s\s+(4\.000|3\.999) s ± \d/);
  await screen.close();
});
