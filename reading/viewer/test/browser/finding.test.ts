import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { mix, type Rgb } from '../../src/base/colours';
import { launch, plain, Screen, url } from './driver';
import { DURATION, methodColour, MS, ORDER, QUERY } from './known';

let browser: Browser;
let screen: Screen;
const ALIVE: Rgb = [0xf3, 0xf5, 0xf8];

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

async function look(pattern: string, says: string): Promise<void> {
  await screen.key('Control+f');
  await screen.page.keyboard.type(pattern);
  await screen.page.waitForSelector(`.search-box output:has-text("${says}")`);
}

/** Begin of the selected call, from the details. */
async function selected(name: string, begin: string): Promise<void> {
  await screen.page.waitForSelector(`.details:has-text("${name}")`);
  await expect
    .poll(() => screen.text('.details'))
    .toMatch(new RegExp(`Begin\\s+${begin.replaceAll('.', '\\.')}\\s+End`));
  await screen.settle();
}

describe('search', () => {
  test('finds methods and steps through their calls', async () => {
    await look('stock.*take', '3 calls of 1 method');
    await screen.page.keyboard.press('Enter');
    await selected('Stock.take', '150 ms');
    expect(await screen.page.locator('[data-track="0"] button').getAttribute('aria-expanded')).toBe('true');
    await screen.page.keyboard.press('Enter');
    await selected('Stock.take', '550 ms');
    expect(await screen.page.locator('[data-track="1"] button').getAttribute('aria-expanded')).toBe('true');
    await screen.page.keyboard.press('Enter');
    await selected('Stock.take', '600 ms');
    await screen.page.keyboard.press('Enter');
    await screen.page.waitForSelector('.search-box output:has-text("No later call.")');
    await screen.page.keyboard.press('Shift+Enter');
    await selected('Stock.take', '550 ms');
    await screen.page.locator('.search-box button:has-text("longest")').click();
    await selected('Stock.take', '550 ms');
  });

  test('takes what is typed, wherever the focus was', async () => {
    await screen.key('p');
    await screen.page.locator('.panel [role=tab]').first().focus();
    await look('stock.*take', '3 calls of 1 method');
    await screen.page.locator('.panel [role=tab]').first().focus();
    await screen.key('Control+f');
    await screen.page.keyboard.type('query');
    await screen.page.waitForSelector('.search-box output:has-text("2 calls of 1 method")');
  });

  test('dims everything else, until it is closed', async () => {
    await screen.go('open=0');
    const y = await screen.bandY(0, 1);
    const x = await screen.xOf(300n * MS, 0n, DURATION);
    expect(await screen.colour(x, y)).toEqual(methodColour(...ORDER, 'light'));
    await look('query', '2 calls of 1 method');
    await screen.settle();
    const [queryX, queryY] = [await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2)];
    expect(await screen.colour(queryX, queryY)).toEqual(methodColour(...QUERY, 'light'));
    expect(await screen.colour(x, await screen.bandY(0, 1))).toEqual(mix(methodColour(...ORDER, 'light'), ALIVE, 0.2));
    await screen.key('Escape');
    expect(await screen.page.locator('.search-box').count()).toBe(0);
    expect(await screen.colour(x, await screen.bandY(0, 1))).toEqual(methodColour(...ORDER, 'light'));
  });

  test('says what is wrong with a pattern', async () => {
    await screen.key('Control+f');
    // The browser reports refusals on its console.
    await screen.page.keyboard.type('(');
    await screen.page.waitForSelector('.search-box output.warn');
    expect(await screen.text('.search-box output')).toContain('Not a regular expression');
    await screen.page.keyboard.press('Backspace');
    await screen.page.keyboard.type('nobody');
    await screen.page.waitForSelector('.search-box output:has-text("no method matches")');
    screen.problems.splice(0).forEach((problem) => expect(problem).toContain('400'));
  });

  test('says which of those found is selected, however one came there', async () => {
    await look('stock.*take', '3 calls of 1 method');
    const says = (text: string) => screen.page.waitForSelector(`.search-box output:text-is("${text}")`);
    await screen.page.keyboard.press('Enter');
    await says('1 of 3 calls of 1 method');
    await screen.page.keyboard.press('Enter');
    await says('2 of 3 calls of 1 method');
    await screen.go('search=stock.*take&open=0,1');
    await screen.click(await screen.xOf(650n * MS, 0n, DURATION), await screen.bandY(0, 2));
    await selected('Db.query', '600 ms');
    await says('3 calls of 1 method');
    await screen.click(await screen.xOf(200n * MS, 0n, DURATION), await screen.bandY(0, 2));
    await says('1 of 3 calls of 1 method');
  });

  test('lists all that was found, in step with the timeline', async () => {
    const cells = () =>
      screen.page.$$eval('.grid-row', (all) =>
        all.map((row) =>
          [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].map((cell) => cell.innerText.split('\n')[0]!),
        ),
      );
    await look('stock.*take', '3 calls of 1 method');
    await screen.page.locator('.search-box button[aria-label="List of all calls found"]').click();
    await screen.page.waitForSelector('.grid-row:nth-child(3)');
    expect((await cells()).map((row) => row.map(plain))).toEqual([
      ['1', '150 ms', 'main', 'Stock.take', '100.0 ms'],
      ['2', '550 ms', 'worker-1', 'Stock.take', '150.0 ms'],
      ['3', '600 ms', 'main', 'Stock.take', '10 ns'],
    ]);
    await screen.page.locator('.grid-row').nth(1).click();
    await selected('Stock.take', '550 ms');
    await screen.page.waitForSelector('.search-box output:has-text("2 of 3 calls")');
    await screen.key('n');
    await selected('Stock.take', '600 ms');
    await screen.page.waitForSelector('.grid-row.current:has-text("600 ms")');
    await screen.key('Shift+N');
    await screen.page.waitForSelector('.grid-row.current:has-text("550 ms")');
  });

  test('lists more as one scrolls, and comes to any of them', async () => {
    await screen.go('search=clock.tick&panel=hits');
    const current = (number: string) => screen.page.waitForSelector(`.grid-row.current:has([title="${number}"])`);
    await screen.page.waitForSelector('.grid-row');
    await screen.page.locator('.search-box button:has-text("longest")').click();
    await current('2');
    expect(await screen.text('.search-box output')).toBe('2 of 1 001 calls of 1 method');
    // Far after the fetched rows.
    await screen.go(
      `search=clock.tick&panel=hits&open=0&call=0,2,${800n * MS + 700_000n}&from=${800n * MS + 690_000n}&to=${800n * MS + 710_000n}`,
    );
    await current('702');
    await expect.poll(() => screen.page.$eval('.grid', (grid) => grid.scrollTop > 0)).toBe(true);
    // The pages before and after come as one scrolls.
    for (const [end, number] of [
      ['End', '1\u202f001'],
      ['Home', '1'],
    ] as const) {
      await expect
        .poll(
          async () => {
            await screen.page.$eval(
              '.grid',
              (grid, to) => (grid.scrollTop = to === 'End' ? grid.scrollHeight : 0),
              end,
            );
            return screen.page.locator(`.grid-row [role=gridcell]:first-child[title="${number}"]`).count();
          },
          { timeout: 60_000 },
        )
        .toBe(1);
    }
  });

  test('is in the address', async () => {
    await look('query', '2 calls of 1 method');
    await expect.poll(() => screen.hash()).toContain('search=query');
    const hash = await screen.hash();
    await screen.close();
    screen = await Screen.open(browser, url('SHOP') + hash);
    await screen.page.waitForSelector('.search-box output:has-text("2 calls of 1 method")');
  });
});

test('the next, previous and longest call of a method are a key away', async () => {
  await screen.go('open=0,1');
  await screen.click(await screen.xOf(200n * MS, 0n, DURATION), await screen.bandY(0, 2));
  await selected('Stock.take', '150 ms');
  await screen.page.keyboard.press(']');
  await selected('Stock.take', '600 ms');
  await screen.page.keyboard.press(',');
  await selected('Stock.take', '550 ms');
  await screen.page.keyboard.press(',');
  await selected('Stock.take', '150 ms');
  await screen.page.keyboard.press('l');
  await selected('Stock.take', '550 ms');
  await screen.page.keyboard.press('[');
  await screen.page.waitForSelector('.search-message:has-text("No earlier call.")');
});

describe('the palette', () => {
  test('goes to a time', async () => {
    await screen.go(`from=0&to=${100n * MS}`);
    await screen.page.keyboard.press('g');
    await screen.page.keyboard.type('0.6 s');
    await screen.page.waitForSelector('.palette [aria-selected=true]:has-text("Go to")');
    await screen.page.keyboard.press('Enter');
    await expect.poll(() => screen.hash()).toContain(`from=${550n * MS}&to=${650n * MS}`);
    await screen.page.keyboard.press('g');
    await screen.page.keyboard.type('2h');
    await expect.poll(() => screen.text('.palette .nothing')).toBe('Not a time within the recording.');
    await screen.key('Escape');
  });

  test('does what a key does', async () => {
    await screen.page.keyboard.press('Control+k');
    await screen.page.keyboard.type('dark light');
    await screen.page.keyboard.press('Enter');
    await expect.poll(() => screen.page.evaluate(() => localStorage.getItem('kymo.theme'))).toBe('light');
  });

  test.each([
    ['flame', 'Flame graph'],
    ['call tree', 'Call tree'],
    ['durat', 'Durations'],
  ])('opens a table: %s', async (typed, tab) => {
    await screen.page.keyboard.press('Control+k');
    await screen.page.keyboard.type(typed);
    await screen.page.waitForSelector('.palette [aria-selected=true]:has-text("Table: ")');
    await screen.page.keyboard.press('Enter');
    await screen.page.waitForSelector(`[role=tab][aria-selected=true]:has-text("${tab}")`);
  });

  test('finds threads and methods', async () => {
    await screen.page.keyboard.press(':');
    await screen.page.keyboard.type('worker');
    await screen.page.keyboard.press('Enter');
    await screen.page.waitForSelector('.track.current[data-track="1"]');
    await screen.page.keyboard.press('Control+k');
    await screen.page.keyboard.type('shop order');
    await screen.page.waitForSelector('.palette li:has-text("com.example.shop.Shop.order")');
    await screen.page.locator('.palette li:has-text("com.example.shop.Shop.order")').click();
    await screen.page.waitForSelector('.search-box output:has-text("2 calls of 1 method")');
  });
});

describe('threads', () => {
  const names = () => screen.page.locator('.track .name').allInnerTexts();

  test('are ordered, pinned and hidden, and the address keeps it', async () => {
    await screen.page.locator('.arrange select').selectOption('calls');
    await screen.key('ArrowDown', 'ArrowDown', 'i');
    expect((await names())[0]).toBe('worker-1');
    await screen.key('ArrowDown', 'h');
    expect(await names()).not.toContain('main');
    await expect.poll(() => screen.hash()).toContain('pin=1&hide=0&order=calls');
    const hash = await screen.hash();
    await screen.close();
    screen = await Screen.open(browser, url('SHOP') + hash);
    expect((await names())[0]).toBe('worker-1');
    await screen.page.locator('.arrange .link').click();
    await screen.settle();
    expect(await names()).toContain('main');
  });

  test('of a process are folded away', async () => {
    await screen.page.locator('.process button').first().click();
    await screen.settle();
    expect(await names()).toEqual(['idle']);
    expect(await screen.text('.process >> nth=0')).toContain('3 folded');
  });

  test('are filtered by a regular expression', async () => {
    await screen.key('/');
    await screen.page.keyboard.type('/^(main|idle)/');
    await screen.settle();
    expect(await names()).toEqual(['main', 'idle']);
  });
});
