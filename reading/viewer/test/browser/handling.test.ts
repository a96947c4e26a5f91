import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { Screen, launch, url } from './driver';
import { DURATION, methodColour, MS, QUERY } from './known';

let browser: Browser;
let screen: Screen;

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

/** The window, as the address bar tells it once it has caught up. */
async function shown(): Promise<{ from: bigint; to: bigint }> {
  await screen.page.waitForTimeout(350);
  const match = /from=(\d+)&to=(\d+)/.exec(await screen.hash());
  return match ? { from: BigInt(match[1]!), to: BigInt(match[2]!) } : { from: 0n, to: DURATION };
}

async function selectQuery(): Promise<void> {
  await screen.click(await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2));
  await screen.page.waitForSelector('.details h2');
}

describe('threads', () => {
  test('unfold and fold by click and by key', async () => {
    const row = screen.page.locator('[data-track="0"]');
    const folded = (await row.boundingBox())!.height;
    await row.locator('button').click();
    await screen.settle();
    expect((await row.boundingBox())!.height).toBeGreaterThan(folded);
    expect(await row.locator('button').getAttribute('aria-expanded')).toBe('true');
    await screen.key('Enter');
    expect((await row.boundingBox())!.height).toBe(folded);
    await screen.key('ArrowDown', 'Enter');
    expect(await screen.page.locator('[data-track="1"] button').getAttribute('aria-expanded')).toBe('true');
    await screen.key('x');
    expect(await screen.page.locator('.track [aria-expanded="true"]').count()).toBe(0);
  });

  test('can be filtered', async () => {
    await screen.key('/');
    await screen.page.keyboard.type('work');
    await screen.settle();
    expect(await screen.page.locator('.track').count()).toBe(1);
    expect(await screen.text('.filter small')).toBe('1 of 4');
    await screen.page.keyboard.type('zzz');
    await screen.settle();
    expect(await screen.text('.empty')).toBe('No thread matches the filter.');
  });
});

describe('a call', () => {
  beforeEach(() => screen.go('open=0'));

  test('tells its name and time under the pointer', async () => {
    const [x, y] = [await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2)];
    await screen.hover(x, y);
    await screen.page.waitForSelector('.tooltip:has-text("self")');
    expect(await screen.hover(x, y)).toBe('org.base.Db.query\n\n100 ms · self 99.999 960 ms\n\nmain');
  });

  test('tells everything when it is selected', async () => {
    await selectQuery();
    const details = await screen.text('.details');
    expect(details).toContain('org.base.Db.query');
    expect(details).toContain('query(): double[][]');
    expect(details).toContain('Db.java:13');
    expect(details).toMatch(/Duration\s+100 ms/);
    expect(details).toMatch(/Self\s+99.999 960 ms 99.9 %/);
    expect(details).toMatch(/Calls made\s+2/);
    expect(details).toMatch(/Begin\s+600 ms/);
    expect(details).toMatch(/Called by\s+Shop.order\s+400.0 ms\s+Main.main\s+1.000 s/);
  });

  test('leads to its callers', async () => {
    await selectQuery();
    await screen.page.locator('.callers button').first().click();
    await screen.page.waitForSelector('.details h2:has-text("Shop.order")');
    expect(await screen.text('.details')).toContain('ended by an exception');
    await screen.key('c');
    await screen.page.waitForSelector('.details h2:has-text("Main.main")');
    await screen.key('Escape');
    expect(await screen.page.locator('.details').count()).toBe(0);
  });

  test('can be zoomed to', async () => {
    await selectQuery();
    await screen.key('f');
    const { from, to } = await shown();
    expect([from, to]).toEqual([600n * MS - 12_500_001n, 700n * MS + 12_500_001n]);
    const middle = await screen.xOf(650n * MS, from, to);
    expect(await screen.colour(middle, await screen.bandY(0, 2))).toEqual(methodColour(...QUERY, 'light'));
    await screen.key('Home');
    expect(await shown()).toEqual({ from: 0n, to: DURATION });
  });
});

describe('the window', () => {
  test('is moved by keys', async () => {
    await screen.key('w');
    const zoomed = await shown();
    expect(zoomed).toEqual({ from: 200n * MS, to: 800n * MS });
    await screen.key('d');
    expect((await shown()).from).toBe(308n * MS);
    await screen.key('ArrowLeft', 'ArrowLeft');
    expect((await shown()).from).toBe(92n * MS);
    await screen.key('s');
    expect(await shown()).toEqual({ from: 0n, to: DURATION });
    for (let i = 0; i < 50; i++) await screen.page.keyboard.press('+');
    const { from, to } = await shown();
    expect(to - from <= 11n).toBe(true);
    await screen.key('0');
    expect(await shown()).toEqual({ from: 0n, to: DURATION });
  });

  test('is zoomed by the wheel at the pointer, and moved by shift and wheel', async () => {
    const x = await screen.xOf(250n * MS, 0n, DURATION);
    await screen.page.mouse.move(x, 200);
    await screen.page.mouse.wheel(0, -400);
    await screen.settle();
    const { from, to } = await shown();
    expect(to - from).toBeLessThan(DURATION / 2n);
    expect(Math.abs((await screen.xOf(250n * MS, from, to)) - x)).toBeLessThan(1.5);
    await screen.page.keyboard.down('Shift');
    await screen.page.mouse.wheel(0, 100);
    await screen.page.keyboard.up('Shift');
    await screen.settle();
    expect((await shown()).from).toBeGreaterThan(from);
  });

  test('is dragged', async () => {
    await screen.go(`from=${400n * MS}&to=${600n * MS}`);
    const width = (await screen.axis()).width;
    await screen.page.mouse.move(800, 200);
    await screen.page.mouse.down();
    await screen.page.mouse.move(800 - width / 4, 200, { steps: 5 });
    await screen.page.mouse.up();
    await screen.settle();
    expect((await shown()).from).toBe(450n * MS);
    expect(await screen.page.locator('.details').count()).toBe(0);
  });
});

describe('the address bar', () => {
  test('changed while the page is about to write it, is obeyed', async () => {
    await screen.page.waitForTimeout(300);
    await screen.page.evaluate(
      (hash) => {
        // Due at the same time as the page's own timer and before it: the browser reports the change after both.
        setTimeout(() => (location.hash = hash), 250);
        const [x, y] = [700, 200];
        const event = new WheelEvent('wheel', { deltaY: -100, bubbles: true, clientX: x, clientY: y });
        document.querySelector('.overlay')!.dispatchEvent(event);
        const until = performance.now() + 400;
        while (performance.now() < until);
      },
      `from=${400n * MS}&to=${600n * MS}`,
    );
    expect(await shown()).toEqual({ from: 400n * MS, to: 600n * MS });
  });

  test('brings back the view, the unfolded threads, the selected call and the theme', async () => {
    const hash = `#from=${550n * MS}&to=${750n * MS}&open=0&call=0,2,${650n * MS}&theme=dark`;
    await screen.close();
    screen = await Screen.open(browser, url('SHOP') + hash);
    await screen.page.waitForSelector('.details h2:has-text("org.base.Db.query")');
    expect(await screen.page.locator('[data-track="0"] button').getAttribute('aria-expanded')).toBe('true');
    const x = await screen.xOf(650n * MS, 550n * MS, 750n * MS);
    expect(await screen.colour(x, await screen.bandY(0, 2))).toEqual(methodColour(...QUERY, 'dark'));
    expect(await screen.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await screen.key('ArrowRight');
    await screen.key('ArrowLeft');
    await shown();
    expect(await screen.hash()).toBe(hash);
  });
});

test('light and dark are remembered', async () => {
  await screen.key('t');
  await screen.key('t');
  expect(await screen.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await screen.page.goto('about:blank');
  await screen.enter(url('SHOP'));
  await screen.settle();
  expect(await screen.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
});

test('the token of the link leaves the address bar, and this browser needs none any more', async () => {
  const link = url('SHOP');
  expect(new URL(link).searchParams.get('token')).toMatch(/^[\w-]{32}$/);
  expect(screen.page.url()).not.toContain('token');
  await screen.page.goto(new URL('/', link).href + '#open=0');
  await screen.settle();
  await screen.page.goto('about:blank');
  await screen.enter(link + '#open=1');
  await screen.settle();
  expect(await screen.hash()).toContain('open=1');
  const stranger = await browser.newContext();
  const page = await stranger.newPage();
  await page.goto(new URL('/', link).href);
  expect(await page.innerText('body')).toContain('Open the link that it has printed');
  await stranger.close();
});

test('the help lists every key', async () => {
  await screen.key('?');
  const help = await screen.text('.help');
  for (const words of [
    'Zoom in',
    'Whole recording',
    'Zoom to the selected call',
    'Unfold or fold the thread',
    'Hatched: events were lost',
  ]) {
    expect(help).toContain(words);
  }
  await screen.page.keyboard.press('Escape');
  await screen.settle();
  expect(await screen.page.locator('.help').isVisible()).toBe(false);
});

test('a lost server is told, and found again', async () => {
  await screen.page.route('**/api/**', (route) => route.abort());
  await screen.key('w');
  await screen.go(`from=${100n * MS}&to=${101n * MS}`);
  await screen.page.waitForSelector('.notice');
  expect(await screen.text('.notice')).toContain('The server does not answer');
  await screen.page.unroute('**/api/**');
  await screen.page.waitForSelector('.notice', { state: 'detached' });
  await screen.go(`from=${100n * MS}&to=${101n * MS}&open=0`);
  expect(await screen.colour(await screen.xOf(100_500_000n, 100n * MS, 101n * MS), await screen.bandY(0, 1))).toEqual(
    methodColour('com.example.shop.Shop', 'order', 'light'),
  );
  // The browser itself reports the failed requests; that is what was asked for here.
  screen.problems.length = 0;
});

describe('two thousand threads', () => {
  beforeEach(async () => {
    await screen.close();
    screen = await Screen.open(browser, url('CROWD'));
  });

  test('show only those in sight, each call in its place', async () => {
    const colour = (await screen.hues()).method('com.example.Crowd', 'run', 'light');
    expect(await screen.page.locator('.track').count()).toBeLessThan(40);
    const end = 1001n * MS;
    await screen.go(`from=0&to=${20n * MS}`);
    // Every second one is virtual: those are together further below.
    for (const track of [0, 6, 14]) {
      const x = await screen.xOf((BigInt(track) * MS) / 2n + MS / 2n, 0n, 20n * MS);
      expect(await screen.colour(x, (await screen.rowTop(track)) + 16)).toEqual(colour);
    }
    await screen.go('view=whole');
    await screen.page.locator('.scroller').evaluate((element) => (element.scrollTop = 500 * 32));
    await screen.settle();
    await screen.page.waitForTimeout(100);
    await screen.settle();
    const x = await screen.xOf(505n * MS + MS / 2n, 0n, end);
    expect(await screen.colour(x, (await screen.rowTop(1010)) + 16)).toEqual(colour);
    expect(await screen.page.locator('.track').count()).toBeLessThan(40);
  });

  test('stay where they are when one is clicked, and follow the keyboard', async () => {
    const scroller = screen.page.locator('.scroller');
    const scrolled = () => scroller.evaluate((element) => element.scrollTop);
    await scroller.evaluate((element) => (element.scrollTop = 500 * 32 + 10));
    await screen.settle();
    await screen.page.locator('[data-track="1006"] button').click();
    await screen.settle();
    expect(await scrolled()).toBe(500 * 32 + 10);
    for (let i = 0; i < 40; i++) await screen.page.keyboard.press('ArrowDown');
    await screen.settle();
    expect(await scrolled()).toBeGreaterThan(500 * 32 + 400);
    expect(await screen.page.locator('[data-track="1086"]').isVisible()).toBe(true);
  });

  test('are reached by filter and keyboard', async () => {
    await screen.key('/');
    await screen.page.keyboard.type('worker 1999');
    await screen.page.keyboard.press('Enter');
    await screen.settle();
    expect(await screen.text('.filter small')).toBe('1 of 2 000');
    await screen.key('ArrowDown', 'Enter');
    expect(await screen.page.locator('[data-track="1999"] button').getAttribute('aria-expanded')).toBe('true');
  });
});
