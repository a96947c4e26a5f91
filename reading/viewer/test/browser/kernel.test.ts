import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { stateColour } from '../../src/base/states';
import { launch, plain, Screen, url } from './driver';
import { MS } from './known';

/** The recording that the reader module's `KernelProgram` writes. */
const END = 1000n * MS;
const [CPU_0, KWORKER, MAIN, WORKER] = [3, 2, 5, 6];
const BARE_Y = 14;

const addresses = [
  ['served', () => url('KERNEL')],
  ['in a page of its own', () => 'file://' + process.env['KYMO_KERNEL_PAGE']],
] as const;

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(addresses)('what the kernel did with threads, %s,', (served, address) => {
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
  /** The middle of the strip, below that of the program's waits, if there are any. */
  const strip = (track: number) => y(track, track === MAIN ? 16 : 7);

  test('has the program first, then processors, then other threads', async () => {
    await screen.go('arrows=none');
    const names = (await screen.page.locator('.labels [role=listitem] button:not(.plain)').allInnerTexts()).map((t) =>
      plain(t).replace(/\s+/g, ' ').trim(),
    );
    expect(names).toEqual([
      '1002 App',
      'main',
      'worker-1',
      'loner',
      'kernel Linux 6.18.44',
      'Processors',
      'CPU 0',
      'CPU 1',
      'kworker/0:1',
    ]);
    const facts = await screen.text('.facts');
    expect(facts).toMatch(/4 threads\s+8 calls/);
    expect(facts).not.toContain('process'); // the kernel is none of the program's
  });

  test('shows states in their colours, and tells them in words', async () => {
    const states = [
      [MAIN, 50n, 'running'],
      [MAIN, 112n, 'interrupted'],
      [MAIN, 200n, 'blocked'],
      [MAIN, 265n, 'runnable'],
      [MAIN, 395n, 'interrupted'],
      [MAIN, 600n, 'running'],
      [WORKER, 400n, 'blocked'],
      [WORKER, 800n, 'blocked'],
    ] as const;
    for (const [track, at, kind] of states) {
      // What happens inside a state is at its lower edge.
      const lower = kind === 'interrupted' ? 2 : 0;
      expect(await screen.colour(await x(at), (await strip(track)) + lower), `${track} at ${at}`).toEqual(
        stateColour(kind, 'light'),
      );
    }
    expect(await screen.colour(await x(702n), await y(KWORKER, BARE_Y))).toEqual(stateColour('running', 'light'));
    expect(await screen.colour(await x(395n), await y(CPU_0, 15))).toEqual(stateColour('interrupted', 'light'));
    const tip = await screen.hover(await x(200n), await strip(MAIN));
    expect(tip).toMatch(/^blocked in futex\n+100 ms · is blocked/);
    await expect
      .poll(async () => plain(await screen.page.locator('.tooltip').innerText()))
      .toMatch(/woken by worker-1/);
    expect(await screen.hover(await x(700n), await y(CPU_0, 11))).toMatch(/^thread: kworker\/0:1 7/);
  });

  test('tells who woke a thread, and leads there', async () => {
    await screen.click(await x(200n), await strip(MAIN));
    await screen.page.waitForSelector('.details h2:has-text("blocked in futex")');
    expect(await screen.text('.details')).toMatch(/Ended\s+woken by\s+worker-1/);
    await screen.page.locator('.details .link').click();
    await screen.page.waitForSelector(`[data-track="${WORKER}"].current`);
    await screen.key('Escape');
  });

  test('draws wake-ups and hand-offs, and context switches to those who ask', async () => {
    await screen.go('view=whole');
    await screen.page.locator('button:has-text("Arrows")').click();
    const status = (words: string) => screen.page.waitForSelector(`.arrows-menu [role=status]:has-text("${words}")`);
    await status('4 in the window');
    const box = (name: string) => screen.page.locator(`.arrows-menu label:has-text("${name}")`);
    await box('context switch').click();
    await status('7 in the window');
    await expect
      .poll(() => screen.hash())
      .toContain('arrows=monitor,lock,park,sleep,wait,join,start,blocked,runnable,handed');
    await box('context switch').click();
    await box('wake-up').click();
    await status('1 in the window');
    await screen.go('arrows=blocked');
    await status('3 in the window');
    await screen.page.keyboard.press('Escape');
    await screen.go('view=whole');
    await expect.poll(() => screen.hash()).not.toContain('arrows');
  });

  test('tells why a call took so long', async () => {
    await screen.go(`call=${MAIN},1,${100n * MS}`);
    await screen.page.waitForSelector('.details h2:has-text("app.Shop.order")');
    expect(await screen.text('.details')).toMatch(/2\/1:1@0\.100000000/);
    if (served !== 'served') {
      await screen.page.waitForSelector('.why:has-text("Only the server can answer this")');
      return;
    }
    await screen.page.waitForSelector('.why table');
    const rows = (await screen.page.locator('.why tbody tr').allInnerTexts()).map((t) =>
      plain(t).replace(/\s+/g, ' ').trim(),
    );
    expect(rows).toEqual([
      'running 195.0 ms 48.8 % 50.00 ms',
      'interrupted 15.00 ms 3.8 % 0 ns',
      'runnable 80.00 ms 20 % 0 ns',
      'blocked 100.0 ms 25 % 50.00 ms',
      'not known 10.00 ms 2.5 % 0 ns',
      'page faults 2 0',
    ]);
    const text = await screen.text('.why');
    expect(text).toMatch(/4 other calls, median 40\.00 ms; of the threads of 3 it is known/);
    expect(text).toMatch(/blocked in futex, woken by worker-1\s+100\.0 ms/);
    expect(text).toMatch(/monitor app\.Stock@beef\s+105\.0 ms/);
    expect(text).toMatch(/In itself 300\.0 ms, and in\s+Db\.query\s+100\.0 ms/);
    // There is nothing to show for a thread that the kernel does not report.
    await screen.go(`call=7,0,${10n * MS}`);
    await screen.page.waitForSelector('.details h2:has-text("app.Shop.order")');
    expect(await screen.page.locator('.why').count()).toBe(0);
  });

  test('sums up scheduling and processors by themselves', async () => {
    await screen.go('arrows=none&panel=summary&about=scheduled');
    await screen.page.waitForSelector('.panel .grid-row:has-text("blocked in epoll_wait")');
    await screen.page.locator('.about select').selectOption('cpu');
    await screen.page.waitForSelector('.panel .grid-row:has-text("kworker/0:1 7")');
    await expect.poll(() => screen.hash()).toContain('about=cpu');
  });
});

test('a recording without kernel events offers no arrows of them', async () => {
  const screen = await Screen.open(browser, url('WAITING'));
  await screen.page.locator('button:has-text("Arrows")').click();
  await expect.poll(() => screen.page.locator('.arrows-menu label').count()).toBe(8);
  await screen.close();
});
