import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { contentOf, Screen, launch, plain, url } from './driver';
import { DURATION, methodColour, MS, QUERY, TAKE } from './known';

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

/** Goes there and waits for the answer. */
async function open(hash: string): Promise<void> {
  await screen.go(hash);
  await answered();
}

async function answered(): Promise<void> {
  await screen.settle();
  await screen.page.waitForSelector('.panel .progress', { state: 'detached' });
  await screen.settle();
}

/** The cells of each row, as they are read. */
async function rows(): Promise<string[][]> {
  const cells = await screen.page.$$eval('.grid-row', (all) =>
    all.map((row) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].map((cell) => cell.innerText)),
  );
  return cells.map((row) => row.map((text) => plain(text).replaceAll('\n', ' ').trim()));
}

/** Tooltips of a column's cells: exact. */
async function exactly(column: number): Promise<string[]> {
  const titles = await screen.page.$$eval(
    '.grid-row',
    (all, place) =>
      all.map((row) => row.querySelectorAll('[role=gridcell]')[place as number]!.getAttribute('title') ?? ''),
    column,
  );
  return titles.map(plain);
}

async function address(): Promise<string> {
  await screen.page.waitForTimeout(350);
  return screen.hash();
}

const about = () => screen.text('.about');

describe('the selection', () => {
  /** Drags from one time to another at a height. */
  async function drag(from: bigint, to: bigint, y: number): Promise<void> {
    await screen.page.mouse.move(await screen.xOf(from, 0n, DURATION), y);
    await screen.page.mouse.down();
    await screen.page.mouse.move(await screen.xOf(to, 0n, DURATION), y, { steps: 4 });
    await screen.page.mouse.up();
    await screen.settle();
  }

  async function selected(): Promise<[bigint, bigint] | undefined> {
    const match = /sel=(\d+),(\d+)/.exec(await address());
    return match ? [BigInt(match[1]!), BigInt(match[2]!)] : undefined;
  }

  /** A pixel is about a millisecond here. */
  function expectNear(range: [bigint, bigint] | undefined, from: bigint, to: bigint): void {
    expect(Math.abs(Number(range![0] - from))).toBeLessThan(2e6);
    expect(Math.abs(Number(range![1] - to))).toBeLessThan(2e6);
  }

  test('is dragged in the ruler, and by its ends, and cleared by Escape', async () => {
    const ruler = (await screen.page.locator('.ruler').boundingBox())!;
    await drag(600n * MS, 700n * MS, ruler.y + 30);
    expectNear(await selected(), 600n * MS, 700n * MS);
    expect(await screen.text('.range-length')).toMatch(/^(99\.\d+|100\.\d) ms$/);
    await drag(700n * MS, 800n * MS, ruler.y + 12);
    expectNear(await selected(), 600n * MS, 800n * MS);
    await drag(600n * MS, 900n * MS, ruler.y + 150);
    expectNear(await selected(), 800n * MS, 900n * MS);
    await screen.key('Escape');
    expect(await selected()).toBeUndefined();
    expect(await screen.page.locator('.range').count()).toBe(0);
  });

  test('is dragged in the rows while Shift is held, without moving them', async () => {
    await screen.page.keyboard.down('Shift');
    await drag(400n * MS, 200n * MS, (await screen.rowTop(1)) + 20);
    await screen.page.keyboard.up('Shift');
    expectNear(await selected(), 200n * MS, 400n * MS);
    expect(await address()).not.toContain('from=');
  });

  test('is moved by keys, and zoomed to by a double click', async () => {
    await screen.go(`sel=${200n * MS},${400n * MS}`);
    await screen.page.locator('.range-handle.to').focus();
    await screen.key('ArrowRight', 'Shift+ArrowRight');
    expect(await selected()).toEqual([200n * MS, 411n * MS]);
    const ruler = (await screen.page.locator('.ruler').boundingBox())!;
    await screen.page.mouse.dblclick(await screen.xOf(250n * MS, 0n, DURATION), ruler.y + 30);
    expect(await address()).toContain(`from=${200n * MS}&to=${411n * MS}`);
  });

  test('is the selected call by a key', async () => {
    await screen.go(`open=0&call=0,2,${650n * MS}`);
    await screen.page.waitForSelector('.details h2');
    await screen.key('m');
    expect(await selected()).toEqual([600n * MS, 700n * MS]);
  });

  test('is threads by click and by key', async () => {
    const name = (track: number) => screen.page.locator(`[data-track="${track}"] button`);
    await name(1).click({ modifiers: ['Control'] });
    await name(0).click({ modifiers: ['Control'] });
    expect(await address()).toContain('sel-tracks=1,0');
    expect(await screen.page.locator('.track.picked').count()).toBe(2);
    await name(1).focus();
    await screen.key(' ');
    expect(await address()).toMatch(/sel-tracks=0($|&)/);
    expect(await name(1).getAttribute('aria-expanded')).toBe('false');
  });
});

describe('the summary', () => {
  test('knows what each method cost in the whole recording', async () => {
    await open('panel=summary');
    expect((await rows()).map((row) => [row[0], row[1]])).toEqual([
      ['Db.query org.base', '≥ 2'],
      [expect.stringContaining('.run'), '≥ 1'],
      ['Shop.order com.example.shop', '≥ 2'],
      ['Main.main com.example.shop', '≥ 1'],
      ['Stock.take com.example.stock', '≥ 3'],
      ['Clock.tick org.clock', '≥ 1 001'],
    ]);
    const total = ['700 ms', '500 ms', '700 ms', '1 s', '250.000 010 ms', '600.030 µs'];
    expect(await exactly(2)).toEqual(total.map((time) => `${time}\nat least: events were lost`));
    const self = (await exactly(3)).map((text) => text.split(',')[0]);
    expect(self).toEqual(['549.999 960 ms', '500 ms', '499.400 ms', '300 ms', '250.000 010 ms', '600.030 µs']);
    expect(await exactly(7)).toEqual(['600 ms', '500 ms', '400 ms', '1 s', '150 ms', '600 ns']);
    expect(await about()).toMatch(/Whole recording 0 ns – 1 s.*4 threads/s);
    expect(await screen.text('.panel .status')).toContain('at least');
  });

  test('counts what is inside the selection', async () => {
    await open(`panel=summary&sel=${600n * MS},${700n * MS}&sel-tracks=0`);
    expect(await about()).toMatch(/100 ms 600 ms – 700 ms.*1 of 4 threads/s);
    const times = await exactly(2);
    expect((await rows()).map((row, i) => [row[0]!.split(' ')[0], row[1], times[i]])).toEqual([
      ['Db.query', '1', '100 ms'],
      ['Clock.tick', '1', '30 ns'],
      ['Stock.take', '1', '10 ns'],
      ['Main.main', '1', '100 ms'],
      ['Shop.order', '1', '100 ms'],
    ]);
    expect(await screen.page.locator('.panel .pill').count()).toBe(0);
  });

  test('follows the window if asked to', async () => {
    await open('panel=summary');
    await screen.page.locator('.follow input').check();
    expect(await address()).toBe('#follow=true&panel=summary');
    await screen.go(`panel=summary&follow=true&from=${250n * MS}&to=${260n * MS}`);
    await screen.page.waitForFunction(() => document.querySelector('.about')!.textContent.includes('260'));
    await answered();
    expect((await rows()).map((row) => row[0]!.split(' ')[0])).not.toContain('Clock.tick');
    expect(await exactly(2)).toContain('10 ms');
  });

  test('sorts by its heads, by mouse and by key', async () => {
    await open('panel=summary');
    const head = (name: string) => screen.page.locator(`[role=columnheader]:has-text("${name}")`);
    expect(await head('Self').getAttribute('aria-sort')).toBe('descending');
    await head('Calls').locator('button').click();
    const calls = async () => (await rows()).map((row) => row[1]!.replace('≥ ', ''));
    await expect.poll(calls).toEqual(['1 001', '3', '2', '2', '1', '1']);
    await head('Calls').locator('button').focus();
    await screen.key('Enter');
    await expect.poll(calls).toEqual(['1', '1', '2', '2', '3', '1 001']);
    expect(await head('Calls').getAttribute('aria-sort')).toBe('ascending');
    expect(await head('Self').getAttribute('aria-sort')).toBe('none');
  });

  test('filters by text and by expression', async () => {
    await open('panel=summary');
    const filter = screen.page.locator('.table-filter input');
    const names = async () => (await rows()).map((row) => row[0]!.split(' ')[0]);
    await filter.fill('stock');
    await screen.settle();
    expect(await names()).toEqual(['Stock.take']);
    expect(await screen.text('.row-count')).toBe('1 of 6');
    await filter.fill('/(order|tick)$/');
    await screen.settle();
    expect(await names()).toEqual(['Shop.order', 'Clock.tick']);
    await filter.fill('/(/');
    await screen.settle();
    expect(await screen.text('.row-count')).toBe('not a regular expression');
    await filter.fill('nothing like this');
    await screen.settle();
    expect(await screen.text('.grid-empty')).toBe('Nothing matches the filter.');
  });

  test('is copied and downloaded as it is shown, with exact numbers', async () => {
    await open(`panel=summary&sel=${600n * MS},${700n * MS}&sel-tracks=0`);
    await screen.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await screen.page.locator('.table-filter input').fill('/(query|order)/');
    await screen.page.locator('.tool:has-text("Copy")').click();
    await screen.page.waitForSelector('.said:has-text("2 rows copied")');
    const heads = ['method', 'calls', 'total (ns)', 'self (ns)', 'average (ns)', 'p50 (ns)', 'p99 (ns)', 'max (ns)'];
    const copied = (await screen.page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(copied[0]!.split('\t')).toEqual(heads);
    expect(copied[1]).toMatch(/^org\.base\.Db\.query\t1\t100000000\t99999960\t/);
    expect(copied[2]).toMatch(/^com\.example\.shop\.Shop\.order\t1\t100000000\t0\t/);
    expect(copied.length).toBe(4);
    const [download] = await Promise.all([
      screen.page.waitForEvent('download'),
      screen.page.locator('.tool:has-text("CSV")').click(),
    ]);
    expect(download.suggestedFilename()).toBe('shop.kymo-summary.csv');
    const written = (await contentOf(download)).toString('utf8');
    expect(written).toBe(copied.join('\n').replaceAll('\t', ',').replaceAll('\n', '\r\n'));
  });

  test('marks a method everywhere, and leads to its longest call', async () => {
    await open('open=0,1&panel=summary');
    await screen.page.locator('.grid').focus();
    await screen.key('ArrowDown', 'Enter');
    expect(await screen.page.locator('.grid-row.marked').innerText()).toContain('query');
    expect(await screen.text('.marked-method')).toContain('Db.query');
    const y = await screen.bandY(0, 2);
    const take = await screen.xOf(200n * MS, 0n, DURATION);
    expect(await screen.colour(await screen.xOf(650n * MS, 0n, DURATION), y)).toEqual(methodColour(...QUERY, 'light'));
    expect(await screen.colour(take, y)).not.toEqual(methodColour(...TAKE, 'light'));
    await screen.key('Shift+Enter');
    await screen.page.waitForSelector('.details h2:has-text("org.base.Db.query")');
    expect(await screen.text('.details')).toMatch(/Duration\s+600 ms/);
    expect(await address()).toContain(`call=1,0,${200n * MS}`);
    await screen.key('Escape', 'Escape');
    expect(await screen.colour(take, y)).toEqual(methodColour(...TAKE, 'light'));
    expect(await screen.page.locator('.marked-method').count()).toBe(0);
  });
});

test('categories are parts of self time, and filter the summary', async () => {
  await open('panel=categories');
  expect((await rows()).map((row) => row[0])).toEqual([
    'com.example.shop',
    'org.base',
    expect.stringContaining('evil'),
    'com.example.stock',
    'org.clock',
  ]);
  expect((await exactly(1))[0]).toMatch(/^799\.400 ms, 38 %$/);
  expect(await screen.page.locator('.ring path.part').count()).toBe(4);
  await screen.page.locator('.choice select').selectOption('1');
  await screen.settle();
  expect((await rows()).map((row) => row[0])).toEqual(['com', 'org', 'evil']);
  await screen.page.locator('.grid').focus();
  await screen.key('ArrowDown', 'Enter');
  await answered();
  expect(await screen.page.locator('[role=tab][aria-selected=true]').innerText()).toBe('Summary');
  expect((await rows()).map((row) => row[0]!.split(' ')[0])).toEqual(['Shop.order', 'Main.main', 'Stock.take']);
});

describe('the call tree', () => {
  const names = async () => (await rows()).map((row) => row[0]!.split(' ')[0]);

  test('unfolds by keys, and in one go where the time is spent', async () => {
    await open('panel=tree&sel-tracks=0');
    expect(await names()).toEqual(['Main.main', 'Shop.order']);
    await screen.page.locator('.grid').focus();
    await screen.key('ArrowDown', 'ArrowRight', 'ArrowRight');
    expect(await names()).toEqual(['Main.main', 'Shop.order', 'Stock.take', 'Db.query', 'Clock.tick']);
    expect(await exactly(1)).toEqual(['1 s, 100 %', '700 ms, 70 %', '100 ms, 10 %', '100 ms, 10 %', '600 µs, < 0.1 %']);
    expect(await exactly(2)).toEqual(['300 ms', '499.400 ms', '100 ms', '99.999 960 ms', '600 µs']);
    expect((await rows()).map((row) => row[3])).toEqual(['1', '2', '1', '1', '1 000']);
    expect(await screen.page.locator('.grid-row.current').getAttribute('aria-level')).toBe('2');
    await screen.key('ArrowLeft');
    expect(await names()).toEqual(['Main.main', 'Shop.order']);
    await screen.key('Home', 'ArrowLeft');
    expect(await names()).toEqual(['Main.main']);
    await screen.key('h');
    expect(await names()).toEqual(['Main.main', 'Shop.order', 'Stock.take', 'Db.query', 'Clock.tick']);
    expect(await screen.page.locator('.grid-row.current').innerText()).toContain('Shop.order');
  });

  test('finds a method with all its callers', async () => {
    await open('panel=tree');
    await screen.page.locator('.table-filter input').fill('tick');
    await screen.settle();
    expect(await names()).toEqual(['Main.main', 'Shop.order', 'Db.query', 'Clock.tick', 'Clock.tick']);
  });

  test('goes from methods to their callers', async () => {
    await open('panel=callers&sel-tracks=0');
    await screen.page.locator('.table-filter input').fill('tick');
    await screen.settle();
    expect(await names()).toEqual(['Clock.tick']);
    await screen.page.locator('.table-filter input').fill('');
    const row = screen.page.locator('.grid-row:has-text("Clock.tick")');
    expect(plain((await row.locator('.number').first().getAttribute('title'))!)).toContain('600.030 µs');
    await row.locator('.fold').click();
    await screen.settle();
    expect((await names()).slice(-3)).toEqual(['Clock.tick', 'Shop.order', 'Db.query']);
  });
});

test('the flame graph zooms by mouse and by key, and tells what it is on', async () => {
  await open('panel=flame&sel-tracks=0');
  const box = (await screen.page.locator('.flame canvas').boundingBox())!;
  const middle = (share: number, depth: number) => [box.x + share * box.width, box.y + depth * 19 + 9] as const;
  await screen.page.mouse.move(...middle(0.3, 1));
  await screen.settle();
  expect(await screen.text('.tooltip')).toMatch(
    /com\.example\.shop\.Shop\.order\s+700 ms · 70 % of all\s+self 499\.400 ms · 2 calls/,
  );
  // Beside it: the caller's own time.
  await screen.page.mouse.move(...middle(0.9, 1));
  await screen.settle();
  expect(await screen.page.locator('.tooltip').count()).toBe(0);
  await screen.page.mouse.click(...middle(0.3, 1));
  await screen.page.mouse.move(...middle(0.9, 1));
  await screen.settle();
  expect(await screen.text('.tooltip')).toContain('Shop.order');
  await screen.page.locator('.flame').focus();
  await screen.key('ArrowDown', 'ArrowRight');
  expect(await screen.text('.flame-said')).toContain('org.base.Db.query: 100.0 ms (10 %)');
  await screen.key(' ');
  expect(await screen.text('.marked-method')).toContain('Db.query');
  await screen.key('Escape');
  await screen.page.mouse.move(...middle(0.91, 1));
  await screen.settle();
  expect(await screen.page.locator('.tooltip').count()).toBe(0);
});

describe('the flame graph', () => {
  const middle = async (share: number, depth: number) => {
    const box = (await screen.page.locator('.flame canvas').boundingBox())!;
    return [box.x + share * box.width, box.y + depth * 19 + 9] as const;
  };
  /** Colour of a box near its lower edge, where no text is. */
  const colour = (share: number, depth: number) =>
    screen.page.evaluate(
      ([x, row]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.flame canvas')!;
        return canvas
          .getContext('2d')!
          .getImageData(Math.floor(x! * canvas.width), row! * 19 + 16, 1, 1)
          .data.slice(0, 4)
          .join();
      },
      [share, depth],
    );

  test('finds methods, and says what they take of all', async () => {
    await open('panel=flame&sel-tracks=0');
    const before = await colour(0.3, 1);
    await screen.page.locator('.flame').focus();
    await screen.key('/');
    await screen.page.keyboard.type('stock|query');
    await screen.settle();
    expect(await screen.text('.flame-matched')).toBe('nothing matches');
    await screen.page.keyboard.press('Escape');
    await screen.key('/');
    await screen.page.keyboard.type('/take|query/');
    await screen.settle();
    // take 100 ms, query 100 ms with a take of 10 ns in it.
    expect(await screen.text('.flame-matched')).toBe('20 %: 200.0 ms in 3 boxes of 2 methods');
    expect(await colour(0.3, 1)).not.toBe(before);
    await screen.page.locator('.flame-find').fill('order');
    await screen.settle();
    expect(await screen.text('.flame-matched')).toBe('70 %: 700.0 ms in 1 box of 1 method');
    expect(await colour(0.3, 1)).toBe(before);
    await screen.page.mouse.click(...(await middle(0.3, 1)));
    await screen.settle();
    expect(await screen.text('.flame-matched')).toBe('100 %: 700.0 ms in 1 box of 1 method');
    await screen.page.locator('.flame-find').fill('/(/');
    await screen.settle();
    expect(await screen.text('.flame-matched')).toBe('not a regular expression');
  });

  test('dims what a search of everything does not find', async () => {
    await open('panel=flame&sel-tracks=0');
    const before = await colour(0.3, 1);
    await open('panel=flame&sel-tracks=0&search=query');
    await expect.poll(() => colour(0.3, 1)).not.toBe(before);
    await open('panel=flame&sel-tracks=0&search=order');
    await expect.poll(() => colour(0.3, 1)).toBe(before);
  });

  test('is turned around, by key, by name and by its address', async () => {
    await open('panel=flame&sel-tracks=0');
    await screen.page.locator('.flame').focus();
    await screen.key('i');
    await answered();
    await screen.page.mouse.move(...(await middle(0.2, 0)));
    await screen.settle();
    expect(await screen.text('.tooltip')).toMatch(
      /com\.example\.shop\.Shop\.order\s+499\.400 ms · 50 % of all\s+self 499\.4 ms · 2 calls/,
    );
    await screen.page.mouse.move(...(await middle(0.2, 1)));
    await screen.settle();
    expect(await screen.text('.tooltip')).toMatch(
      /com\.example\.shop\.Main\.main\s+499\.400 ms · 50 % of all\s+called Shop\.order for 499\.4 ms of its self time/,
    );
    expect(await address()).toContain('inverted=true');
    await screen.key('Control+k');
    await screen.page.keyboard.type('table flame');
    await screen.key('Enter');
    await expect.poll(() => screen.hash(), { timeout: 60_000 }).not.toContain('inverted');
    await screen.key('Control+k');
    await screen.page.keyboard.type('flame inverted');
    await screen.key('Enter');
    await expect.poll(() => screen.hash(), { timeout: 60_000 }).toContain('panel=flame&inverted=true');
    await screen.page.waitForSelector('.choice:has-text("inverted") input:checked');
  });
});

test('a butterfly shows who called a method and what it called, and goes on to them', async () => {
  const side = async (label: string) => {
    const cells = await screen.page.$$eval(`.grid[aria-label="${label}"] .grid-row`, (all) =>
      all.map((row) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].map((cell) => cell.innerText)),
    );
    return cells.map((row) => row.map((text) => plain(text).replaceAll('\n', ' ').trim()));
  };
  const of = (name: string) => screen.page.waitForSelector(`.butterfly-of:has-text("${name}"):has-text("total")`);
  await screen.key('y');
  expect(await screen.text('.panel-note')).toContain('No method is marked');
  await open(`open=0&sel-tracks=0&call=0,2,${650n * MS}`);
  await screen.page.waitForSelector('.details :text("Db.query")');
  await screen.key('y');
  await of('org.base.Db.query');
  expect(await screen.text('.butterfly-of')).toMatch(/1 call · total 100\.0+ ms · self 100\.0+ ms \(100 %\)/);
  expect(await side('Called by')).toEqual([['Shop.order com.example.shop', '100.0 ms 100 %', '1']]);
  // Both callees took nanoseconds.
  expect(await side('Calls to')).toEqual([
    ['the method itself', '100.00 ms 100 %', ''],
    ['Clock.tick org.clock', '30 ns < 0.1 %', '1'],
    ['Stock.take com.example.stock', '10 ns < 0.1 %', '1'],
  ]);
  await screen.page.locator('.grid[aria-label="Called by"] .grid-row').click();
  await of('com.example.shop.Shop.order');
  await answered();
  expect(await screen.text('.butterfly-of')).toMatch(/2 calls · total 700\.0+ ms · self 499\.40* ms \(71 %\)/);
  expect((await side('Calls to')).map((row) => row[0]!.split(' ')[0])).toEqual([
    'the',
    'Stock.take',
    'Db.query',
    'Clock.tick',
  ]);
  expect(await side('Called by')).toEqual([['Main.main com.example.shop', '700.0 ms 100 %', '2']]);
  await screen.page.locator('.grid[aria-label="Called by"]').focus();
  await screen.key('ArrowDown', 'Enter');
  await of('com.example.shop.Main.main');
  await answered();
  expect(await side('Called by')).toEqual([['no caller recorded', '1.000 s 100 %', '1']]);
  expect(await address()).toContain('panel=butterfly');
  // From a row of the summary, and from the details of a call.
  await open('panel=summary&sel-tracks=0');
  await screen.page.locator('.grid-row:has-text("Stock.take") button[aria-label="Callers and callees"]').click();
  await of('com.example.stock.Stock.take');
  await open(`open=0&sel-tracks=0&call=0,2,${650n * MS}`);
  await screen.page.locator('.details button[aria-label="Callers and callees of its method"]').click();
  await of('org.base.Db.query');
});

test('durations show the outliers, which lead into the timeline', async () => {
  await open('panel=durations');
  expect(await screen.text('.panel-note')).toContain('No method is marked');
  await open(`panel=durations&method=${await methodNumber('tick')}`);
  expect(await screen.text('.histogram figcaption')).toMatch(/org\.clock\.Clock\.tick\s+1 001 calls/);
  const label = plain((await screen.page.locator('.histogram svg').getAttribute('aria-label'))!);
  expect(label).toMatch(/: 1 from \d+ ns to \d+ ns; 1 000 from \d+ ns to \d+ ns$/);
  // Round numbers between 30 ns and 600 ns.
  expect((await screen.page.locator('.histogram .histogram-marks span').allInnerTexts()).map(plain)).toEqual([
    '50 ns',
    '100 ns',
    '200 ns',
    '500 ns',
  ]);
  expect((await screen.page.locator('.histogram .histogram-axis span').allInnerTexts()).map(plain)).toEqual([
    '1',
    '10',
    '100',
    '1 000',
    'calls',
  ]);
  await open(`panel=durations&method=${await methodNumber('query')}`);
  expect(await exactly(0)).toEqual(['600 ms', '100 ms']);
  expect((await rows()).map((row) => row.slice(1))).toEqual([
    ['200 ms', 'worker-1'],
    ['600 ms', 'main'],
  ]);
  await screen.page.locator('.grid-row').nth(1).click();
  await screen.page.waitForSelector('.details h2:has-text("org.base.Db.query")');
  const hash = await address();
  expect(hash).toContain('open=0');
  expect(hash).toContain(`call=0,2,${600n * MS}`);
  const x = await screen.xOf(650n * MS, 0n, DURATION);
  expect(await screen.colour(x, await screen.bandY(0, 2))).toEqual(methodColour(...QUERY, 'light'));
});

async function methodNumber(name: string): Promise<number> {
  return screen.page.evaluate(async (wanted) => {
    const answer = await fetch('api/methods?ids=0,1,2,3,4,5');
    const { methods } = (await answer.json()) as { methods: { id: number; name: string }[] };
    return methods.find((method) => method.name === wanted)!.id;
  }, name);
}

test('a picture shows when calls took how long, and leads to them', async () => {
  await open(`panel=durations&method=${await methodNumber('query')}`);
  const field = (await screen.page.locator('.scatter-field').boundingBox())!;
  const said = () => screen.text('.scatter .histogram-said');
  // 600 ms from 0.2 s on, at the top; 100 ms at 0.6 s, at the bottom.
  await screen.page.mouse.move(field.x + 0.2 * field.width + 1, field.y + 3);
  await screen.settle();
  expect(await said()).toMatch(/^600\.?0* ms at 200 ms, worker-1$/);
  await screen.page.mouse.move(field.x + 0.2 * field.width + 1, field.y + field.height / 2);
  await screen.settle();
  expect(await said()).toBe('a click leads to the longest call there');
  await screen.page.mouse.click(field.x + 0.6 * field.width + 1, field.y + field.height - 3);
  await screen.page.waitForSelector('.details :text("Db.query")');
  await expect.poll(() => screen.text('.details')).toMatch(/Begin\s+600 ms/);
  // By keys from call to call.
  await screen.page.locator('.scatter-field').focus();
  await screen.key('ArrowLeft', 'ArrowLeft', 'Enter');
  await expect.poll(() => screen.text('.details')).toMatch(/Begin\s+200 ms/);
  // Many at once are a cell that says how many.
  await open(`panel=durations&method=${await methodNumber('tick')}`);
  await screen.page.locator('.scatter-field').focus();
  await screen.key('ArrowRight', 'ArrowRight');
  expect(await said()).toMatch(/^1 000 calls of \d+(\.0)? ns to \d+(\.0)? ns; the longest at 800 ms, main$/);
});

describe('the panel', () => {
  test('in a narrow window keeps the chosen tab and its buttons in sight', async () => {
    await screen.page.setViewportSize({ width: 1024, height: 700 });
    await open('panel=hits&search=take&method=1');
    const right = async (selector: string) => {
      const box = (await screen.page.locator(selector).boundingBox())!;
      return Math.round(box.x + box.width);
    };
    await expect
      .poll(async () => (await right('[role=tab][aria-selected=true]')) <= (await right('[role=tablist]')))
      .toBe(true);
    expect(await right('.panel-bar button[aria-label="Close the tables"]')).toBeLessThanOrEqual(1024);
  });

  test('opens and closes by key, is resized by key, and remembers its height', async () => {
    await screen.key('p');
    await answered();
    expect(await address()).toContain('panel=summary');
    await screen.key('ArrowRight');
    expect(await screen.page.locator('[role=tab][aria-selected=true]').innerText()).toBe('Categories');
    await screen.page.locator('.panel-edge').focus();
    const before = (await screen.page.locator('.panel').boundingBox())!.height;
    await screen.key('ArrowUp', 'ArrowUp');
    const after = (await screen.page.locator('.panel').boundingBox())!.height;
    expect(after - before).toBe(64);
    await screen.key('p');
    expect(await address()).not.toContain('panel');
    expect(await screen.page.locator('.panel').count()).toBe(0);
    await screen.page.reload();
    await screen.settle();
    await screen.key('p');
    expect((await screen.page.locator('.panel').boundingBox())!.height).toBe(after);
  });

  test('shows how far the answer is', async () => {
    let seen = false;
    await screen.page.route('**/api/summary*', async (route) => {
      if (seen) await route.fallback();
      else await route.fulfill({ status: 202, json: { progress: 0.37 } });
    });
    await screen.go('panel=summary');
    await screen.page.waitForSelector('.progress:has-text("37 %")');
    seen = true;
    await answered();
    expect((await rows()).length).toBe(6);
  });

  test('says that the server is gone, and goes on when it is back', async () => {
    for (const tab of ['summary', 'events']) {
      await screen.page.route('**/api/**', (route) => route.abort());
      await screen.go(`panel=${tab}&sel=${(tab === 'events' ? 11n : 10n) * MS},${20n * MS}`);
      await screen.page.waitForSelector('.panel .status:has-text("The server does not answer")');
      await screen.page.unroute('**/api/**');
      await screen.page.waitForSelector('.panel .status .warn', { state: 'detached', timeout: 8000 });
      await answered();
    }
    // The browser itself reports the failed requests; that is what was asked for here.
    screen.problems.length = 0;
  });

  test('has a name for everything that can be used', async () => {
    for (const tab of ['summary', 'categories', 'tree', 'callers', 'flame', 'butterfly', 'durations']) {
      await open(`panel=${tab}&method=3&sel=${100n * MS},${900n * MS}&sel-tracks=0`);
      const nameless = await screen.page.$$eval(
        '.panel :is(button, input, select, [tabindex="0"]), .range [tabindex]',
        (all) =>
          all
            .filter((each) => !each.getAttribute('aria-label') && !each.textContent.trim())
            .map((each) => each.outerHTML),
      );
      expect(nameless).toEqual([]);
    }
  });
});

test('a table of a hundred thousand rows holds only those in sight', async () => {
  const count = 100_000;
  const ids = Array.from({ length: count }, (_, i) => i);
  // The timeline knows methods with small numbers.
  const answer = { atLeast: false, method: ids.map((i) => 1000 + i), maxBegin: ids.map(String), correctedTotal: null };
  const columns = ['calls', 'total', 'self', 'average', 'p50', 'p99', 'max', 'maxTrack', 'maxDepth', 'counted'];
  const none = ids.map(() => 0);
  const many = {
    ...answer,
    estimated: none,
    missing: none,
    ...Object.fromEntries(columns.map((column) => [column, ids])),
  };
  await screen.page.route('**/api/summary*', (route) => route.fulfill({ json: many }));
  await screen.page.route('**/api/methods*', (route) => {
    const asked = new URL(route.request().url()).searchParams.get('ids')!.split(',').map(Number);
    const fixed = { process: 0, type: 'many.Methods', descriptor: '()V', loader: 'app', source: '', line: 0 };
    return route.fulfill({ json: { methods: asked.map((id) => ({ ...fixed, id, name: `m${id - 1000}` })) } });
  });
  await open('panel=summary');
  await screen.page.waitForSelector('.grid-row');
  expect(await screen.text('.row-count')).toBe('100 000 rows');
  expect((await rows())[0]![0]).toBe('Methods.m99999 many');
  await screen.page.locator('.grid').focus();
  await screen.key('End');
  expect((await rows()).at(-1)![0]).toBe('Methods.m0 many');
  expect((await rows()).length).toBeLessThan(40);
  await screen.page.locator('.table-filter input').fill('/m4242.$/');
  await screen.settle();
  expect((await rows()).length).toBe(10);
});

describe('the events', () => {
  const inSight = async () => {
    const box = (await screen.page.locator('.grid').boundingBox())!;
    const all = await screen.page.$$eval('.grid-row', (found) => found.map((row) => row.getBoundingClientRect().top));
    const seen = await rows();
    return seen.filter((_, i) => all[i]! >= box.y + 24 && all[i]! <= box.y + box.height - 24);
  };
  const current = async () => {
    const found = await screen.page.locator('.grid-row.current').allInnerTexts();
    return found.map((text) => plain(text).replaceAll('\n', ' '))[0];
  };

  test('are listed in the order of time around what is looked at', async () => {
    await open(`panel=events&sel=${590n * MS},${710n * MS}&sel-tracks=0`);
    expect((await rows()).map((row) => row.slice(0, 4).join(' '))).toEqual([
      '600 ms → enter Db.query org.base 100.0 ms',
      '600 ms → enter Stock.take com.example.stock 10 ns',
      '600.000 010 ms ← leave Stock.take com.example.stock 10 ns',
      '600.000 020 ms → enter Clock.tick org.clock 30 ns',
      '600.000 050 ms ← leave Clock.tick org.clock 30 ns',
      '700 ms ← leave Db.query org.base 100.0 ms',
    ]);
  });

  test('follow the timeline, and lead into it', async () => {
    await open(`open=0&panel=events&from=${590n * MS}&to=${610n * MS}`);
    await screen.page.waitForSelector('.grid-row.current');
    expect(await current()).toContain('600 ms → enter Db.query');
    // The middle of the window is where the list goes.
    await screen.go(`open=0&panel=events&from=${890n * MS}&to=${900n * MS}`);
    await screen.page.waitForSelector('.grid-row.current:has-text("thrown")');
    await screen.go(`open=0&panel=events&call=0,2,${200n * MS}`);
    await screen.page.waitForSelector('.grid-row.current:has-text("150 ms")');
    expect(await current()).toContain('Stock.take');
    expect((await inSight()).some((row) => row[0] === '150 ms')).toBe(true);
    await screen.page.locator('.grid').focus();
    await screen.key('ArrowDown', 'ArrowDown', 'Enter');
    await screen.page.waitForSelector('.details h2:has-text(".run")');
    expect(await address()).toContain(`call=2,0,${250n * MS}`);
    expect(await current()).toMatch(/^250 ms → enter .*\.run/);
  });

  test('are fetched as far as one scrolls, in both directions', async () => {
    await open(`panel=events&from=${800_499_000}&to=${800_501_000}&sel-tracks=0`);
    const count = async () => Number((await screen.text('.row-count')).replaceAll(/\D/g, ''));
    expect(await count()).toBeLessThan(900);
    for (const key of ['End', 'Home']) {
      for (let before = 0; before !== (await count());) {
        before = await count();
        await screen.page.locator('.grid').focus();
        await screen.key(key);
        await screen.page.waitForTimeout(250);
        await answered();
      }
    }
    // Twice as many events as calls; the first is the begin of everything.
    expect(await count()).toBe(2 * (1 + 2 + 2 + 2 + 1000));
    expect((await rows())[0]!.slice(0, 2)).toEqual(['0 ns', '→ enter']);
  });
});
