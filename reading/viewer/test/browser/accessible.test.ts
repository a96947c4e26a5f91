import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Frame, Page } from 'playwright-core';
import { launch, Screen, url } from './driver';
import { MS } from './known';

/** Checks a page against the rules of WCAG 2.1 A and AA, and against good practice. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }>;
}

let browser: Browser;
let screen: Screen;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
afterEach(() => screen.close());

/** In the light and then in the dark, where only colours are others. */
async function faults(where: Page | Frame): Promise<string[]> {
  // Injected as the browser's own tools do it, because the page's policy allows only its own script.
  await where.evaluate(AXE);
  const light = await faultsOf(where, {});
  await screen.page.emulateMedia({ colorScheme: 'dark' });
  // Pages of several recordings follow the browser, the viewer sets its theme.
  await where.waitForFunction(() => {
    const { colorScheme } = getComputedStyle(document.documentElement);
    return colorScheme === 'dark' || colorScheme === 'light dark';
  });
  await where.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const dark = await faultsOf(where, { runOnly: ['color-contrast'] });
  return [...light, ...dark.map((fault) => 'in the dark, ' + fault)];
}

async function faultsOf(where: Page | Frame, options: object): Promise<string[]> {
  const found = await where.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    return (await axe.run({ iframes: false, ...rules })).violations;
  }, options);
  return found.flatMap((fault) =>
    fault.nodes.map((node) => `${fault.id}: ${node.html.slice(0, 160)}\n${node.failureSummary}`),
  );
}

const VIEWS: ReadonlyArray<readonly [name: string, hash: string, keys: readonly string[], ready: string]> = [
  ['the timeline', 'open=0', [], '.minimap .frame'],
  ['a selected call', `open=0&call=0,2,${650n * MS}`, [], '.details h2'],
  ['threads pinned, hidden, folded', 'pin=1&hide=2&fold=1&order=name', ['ArrowDown'], '.arrange .link'],
  ['a search', 'search=query', [], '.search-box output:has-text("2 calls")'],
  ['the list of hits', `search=take&panel=hits&open=0&call=0,2,${200n * MS}`, [], '.grid-row.current'],
  ['callers and callees', 'panel=butterfly&method=1', [], '.butterfly .grid-row'],
  ['durations', 'panel=durations&method=3', [], '.histogram rect'],
  ['the palette', '', ['Control+k', 's'], '.palette li'],
  ['a time to go to', '', ['g', '5'], '.palette li'],
  ['bookmarks', '', ['b', 'Tab'], '.bookmarks li, .bookmarks .warn'],
  ['the help', '', ['?'], '.help[open]'],
  ...(['summary', 'categories', 'tree', 'callers', 'flame', 'events'] as const).map(
    (tab) =>
      [`the table ${tab}`, `panel=${tab}`, [], '.panel [role=tabpanel], .panel canvas, .panel [role=row]'] as const,
  ),
  ['the durations of a method', 'panel=durations&method=1', [], '.panel .histogram, .panel svg, .panel [role=row]'],
  ['statistics', 'panel=statistics', [], '.panel .time-chart canvas'],
  ['statistics of events', 'panel=statistics&statistics=events,thread', [], '.panel [role=tabpanel] .grid'],
  ['the matrix', 'panel=matrix&matrix=waits,thread,latency', [], '.panel [role=tabpanel] .grid'],
  ['shares of time', 'panel=shares', [], '.panel .shares-legend li'],
  ['what is exported', `sel=0,${500n * MS}`, ['Shift+E'], '.export-menu:popover-open'],
  ['the menu of a thread', 'open=0', ['ArrowDown', 'Shift+F10'], '.context-menu [role=menuitem]'],
];

describe('in the light and in the dark, no fault is found in', () => {
  test.each(VIEWS)('%s', async (_, hash, keys, ready) => {
    screen = await Screen.open(browser, url('SHOP') + '#' + hash);
    await screen.key(...keys);
    await screen.page.waitForSelector(ready);
    expect(await faults(screen.page)).toEqual([]);
  });

  test.each([
    ['threads that wait', 'open=1', '.group'],
    ['a selected wait', `call=4,0,${600n * MS}`, '.details .link'],
    ['counted calls, and corrected times', 'panel=summary&corrected=true', '.counted-mark'],
    ['the notes of what is missing', 'panel=tree', '.counted-note'],
    ['what the recorder did', 'panel=recorder', '.step-down'],
    ['a flame graph with counted calls', 'panel=flame&inverted=true', '.counted-strip button'],
  ] as const)('%s', async (_, hash, ready) => {
    screen = await Screen.open(browser, url('WAITING') + '#' + hash);
    await screen.page.waitForSelector(ready);
    expect(await faults(screen.page)).toEqual([]);
  });

  test('a list of everything, and a timeline that is filtered', async () => {
    screen = await Screen.open(
      browser,
      url('KERNEL') + '#panel=events&open=3&kinds=calls,scheduled,wakes&only=order&filter=pid:1002',
    );
    await screen.page.setViewportSize({ width: 1024, height: 700 });
    await screen.page.waitForSelector('.grid-row:has-text("order")');
    await screen.page.waitForSelector('.legend-line .filter-chip');
    await screen.settle();
    expect(await faults(screen.page)).toEqual([]);
    expect(await screen.page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024);
  });

  test('the statistics of counters', async () => {
    screen = await Screen.open(browser, url('OWN') + '#panel=counters');
    await screen.page.waitForSelector('.grid-row');
    expect(await faults(screen.page)).toEqual([]);
  });

  test('the menu of arrows', async () => {
    screen = await Screen.open(browser, url('WAITING'));
    await screen.page.locator('button:has-text("Arrows")').click();
    await screen.page.waitForSelector('.arrows-menu label');
    expect(await faults(screen.page)).toEqual([]);
  });

  test('what is exported of a recording on disk', async () => {
    screen = await Screen.open(browser, url('WAITING') + `#sel=0,${500n * MS}`);
    await screen.key('Shift+E');
    await screen.page.waitForSelector('.export-menu .spans');
    expect(await faults(screen.page)).toEqual([]);
  });

  test.each([
    ['folded', '.crowd [aria-expanded=false]', false],
    ['unfolded', '.crowd [aria-expanded=true]', true],
  ] as const)('very many threads, %s', async (_, ready, unfold) => {
    screen = await Screen.openFirst(browser, url('CROWD'));
    if (unfold) await screen.page.locator('.crowd button').first().click();
    await screen.page.waitForSelector(ready);
    expect(await faults(screen.page)).toEqual([]);
  });

  test('a small window with tables and details', async () => {
    screen = await Screen.open(browser, url('SHOP') + `#open=0&call=0,2,${650n * MS}&panel=summary`);
    await screen.page.setViewportSize({ width: 1024, height: 700 });
    await screen.page.waitForSelector('.panel [role=row]');
    await screen.settle();
    expect(await faults(screen.page)).toEqual([]);
    // Nothing extends beyond the window, and the timeline keeps enough room.
    const sizes = await screen.page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      height: document.querySelector('.scroller')!.clientHeight,
      buttons: Math.max(
        ...[...document.querySelectorAll('.toolbar button')].map((button) => button.getBoundingClientRect().right),
      ),
    }));
    expect(sizes.width).toBeLessThanOrEqual(1024);
    expect(sizes.buttons).toBeLessThanOrEqual(1024);
    expect(sizes.height).toBeGreaterThan(60);
  });

  test('two recordings', async () => {
    screen = await Screen.openFrames(browser, url('TWO'));
    await screen.page.frameLocator('iframe >> nth=1').locator('.minimap .frame').waitFor();
    expect(await faults(screen.page)).toEqual([]);
  });

  test('what differs between two recordings', async () => {
    screen = await Screen.openFrames(browser, url('CHANGED') + '#differences=true&difference=1');
    await screen.page.locator('.flame .found').waitFor();
    expect(await faults(screen.page)).toEqual([]);
  });
});

test('the keyboard reaches everything, and sees where it is', async () => {
  screen = await Screen.open(browser, url('SHOP') + '#hide=2');
  const reached = new Set<string>();
  for (let i = 0; i < 60; i++) {
    await screen.page.keyboard.press('Tab');
    const at = await screen.page.evaluate(() => {
      const element = document.activeElement!;
      if (element === document.body) return undefined;
      const outline =
        getComputedStyle(element).outlineStyle !== 'none' || element.closest('.filter, .search-box') !== null;
      return {
        name:
          element.getAttribute('data-part') ??
          (element.id || element.getAttribute('aria-label') || element.textContent!.trim()),
        outline,
      };
    });
    if (at === undefined || at.name === '' || reached.has(at.name)) continue;
    expect(at.outline, at.name).toBe(true);
    reached.add(at.name);
  }
  for (const name of ['Help', 'Export', 'Legend', 'frame', 'from', 'to', 'filter', 'show 1 hidden'])
    expect(reached).toContain(name);
});
