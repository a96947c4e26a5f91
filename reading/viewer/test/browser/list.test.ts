import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, plain, Screen, url } from './driver';
import { MS } from './known';

/** One list of everything, and the filter of list and timeline. */
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

function pages(name: 'OWN' | 'WAITING' | 'KERNEL') {
  return [
    ['served', () => url(name)],
    ['in a page of its own', () => 'file://' + process.env[`KYMO_${name}_PAGE`]],
  ] as const;
}

/** What somebody does with the list. */
class List {
  private constructor(readonly screen: Screen) {}

  static async open(address: string): Promise<List> {
    return new List(await Screen.open(browser, address));
  }

  async go(hash: string): Promise<void> {
    await this.screen.go(hash);
    await this.answered();
  }

  async answered(): Promise<void> {
    await this.screen.settle();
    await this.screen.page.waitForSelector('.panel .progress', { state: 'detached' });
    await this.screen.settle();
  }

  /** The cells of each row in the page, but for the depth. */
  async rows(): Promise<string[]> {
    const cells = await this.screen.page.$$eval('.grid-row', (all) =>
      all.map((row) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].map((cell) => cell.innerText)),
    );
    return cells.map((row) =>
      row
        .filter((_, i) => i !== 5)
        .map((text) => plain(text).replaceAll('\n', ' ').trim())
        .filter(Boolean)
        .join(' '),
    );
  }

  async current(): Promise<string> {
    return plain(await this.screen.page.locator('.grid-row.current').innerText()).replaceAll(/\s+/g, ' ');
  }

  async choose(kind: string): Promise<void> {
    await this.screen.page.locator(`.event-kinds button:text-is("${kind}")`).click();
    await this.answered();
  }

  async type(text: string): Promise<void> {
    await this.screen.page.locator('.table-filter input').fill(text);
    await this.answered();
  }

  async address(): Promise<string> {
    await this.screen.page.waitForTimeout(350);
    return this.screen.hash();
  }

  async chip(): Promise<string> {
    return (await this.screen.page.locator('.legend-line .filter-chip').allInnerTexts())
      .map((text) => plain(text).trim())
      .join();
  }

  async close(): Promise<void> {
    expect(this.screen.problems).toEqual([]);
    await this.screen.close();
  }
}

describe.each(pages('OWN'))('events of the program’s own, %s,', (_, address) => {
  let list: List;
  beforeAll(async () => {
    list = await List.open(address());
  });
  afterAll(() => list.close());

  test('are listed with their data, messages with both ends', async () => {
    await list.go(`panel=events&sel=${190n * MS},${300n * MS}&sel-tracks=0`);
    await expect
      .poll(() => list.rows())
      .toEqual([
        '200 ms ↗ sent ASK bus 65.00 ms key=1 to worker main',
        '300 ms • event ALLOC disk size=4096 owner=<b>cache</b> main',
      ]);
    await list.go(`panel=events&sel=${730n * MS},${738n * MS}&sel-tracks=1`);
    await expect
      .poll(() => list.rows())
      .toEqual([
        '730 ms # counter LENGTH queue jobs=33 worker',
        '735 ms ↘ received GOT bus −15.00 ms key=2 from main worker',
        '736 ms # counter OPEN queue open=false worker',
      ]);
    await list.go(`panel=events&sel=${390n * MS},${510n * MS}&sel-tracks=0`);
    await expect
      .poll(() => list.rows())
      .toEqual([
        '400 ms → enter READ disk 100.0 ms main',
        '400 ms • event READ disk 0x7 main',
        '500 ms ← leave READ disk 100.0 ms main',
      ]);
  });

  test('lead into the timeline, and are the current row when they are selected there', async () => {
    await list.go(`panel=events&sel=${190n * MS},${310n * MS}&sel-tracks=0`);
    await expect.poll(async () => (await list.rows()).length).toBe(2);
    await list.screen.page.locator('.grid-row:has-text("ALLOC")').click();
    await list.answered();
    await expect.poll(() => list.address()).toContain(`events=0,${300n * MS},${300n * MS}`);
    await expect.poll(() => list.screen.text('.events-details')).toContain('owner=<b>cache</b>');
    await expect.poll(() => list.current()).toContain('ALLOC');
    await list.go(`panel=events&events=1,${265n * MS},${265n * MS}`);
    await expect.poll(() => list.current()).toMatch(/^265 ms ↘ received GOT/);
  });

  test('are chosen by kind, in the list and in the timeline', async () => {
    await list.go('panel=events&arrows=none&open=0');
    const { screen } = list;
    const call = async () => screen.colour(await screen.xOf(20n * MS, 0n, 1000n * MS), (await screen.rowTop(0)) + 30);
    const mark = async (ms: bigint) =>
      screen.colour(await screen.xOf(ms * MS, 0n, 1000n * MS), (await screen.rowTop(0)) + 9);
    const [callBefore, allocBefore, askBefore] = [await call(), await mark(300n), await mark(200n)];
    await list.choose('Messages');
    await expect.poll(async () => (await list.rows()).every((row) => /sent|received/.test(row))).toBe(true);
    expect((await list.rows()).length).toBeGreaterThan(8);
    expect(await list.chip()).toBe('Only Messages');
    await expect.poll(() => list.address()).toContain('kinds=messages');
    expect(await call()).not.toEqual(callBefore);
    expect(await mark(300n)).not.toEqual(allocBefore);
    expect(await mark(200n)).toEqual(askBefore);
    await list.choose('Own events');
    expect(await list.chip()).toBe('Only Own events, Messages');
    expect(await mark(300n)).toEqual(allocBefore);
    await list.choose('All');
    expect([await list.chip(), await call()]).toEqual(['', callBefore]);
    await list.choose('Counters');
    await screen.page.locator('.panel .grid').focus();
    await screen.key('Escape');
    await list.answered();
    expect(await list.chip()).toBe('');
    await expect.poll(() => list.address()).not.toContain('kinds');
  });

  test('are chosen by name; the first comes into sight', async () => {
    await list.go(`panel=events&from=${610n * MS}&to=${611n * MS}`);
    await list.type('ALLOC');
    await expect.poll(() => list.rows()).toEqual(['300 ms • event ALLOC disk size=4096 owner=<b>cache</b> main']);
    const inSight = async () => {
      const [from, to] = /from=(\d+)&to=(\d+)/
        .exec(await list.address())!
        .slice(1)
        .map(BigInt);
      return from! <= 300n * MS && 300n * MS <= to!;
    };
    await expect.poll(inSight).toBe(true);
    await list.type('/^disk\\.(ALLOC|READ)$/');
    await expect.poll(async () => (await list.rows()).length).toBe(4);
    await list.type('/(/');
    await expect.poll(() => list.screen.text('.row-count')).toBe('not a regular expression');
    await list.type('no such thing');
    await expect.poll(() => list.screen.text('.grid-empty')).toBe('Nothing in this selection passes the filter.');
    await list.screen.page.locator('.legend-line [aria-label="Clear the filter of events"]').click();
    await expect.poll(async () => (await list.rows()).length).toBeGreaterThan(8);
  });
});

describe.each(pages('WAITING'))('waits, %s,', (_, address) => {
  let list: List;
  beforeAll(async () => {
    list = await List.open(address());
  });
  afterAll(() => list.close());

  test('are listed with who ended them, beside what the virtual machine did, and losses', async () => {
    await list.go(`panel=events&sel=${450n * MS},${950n * MS}`);
    await expect
      .poll(() => list.rows())
      .toEqual([
        '450 ms ↑ woken lock ReentrantLock.NonfairSync 130.0 ms @f00d by worker-1 worker-2',
        '500 ms ▪ waits monitor Stock 400.0 ms @beef by worker-2 worker-1',
        '600 ms ← leave Db.query app 300.0 ms worker-2',
        '700 ms ▪ does G1New: G1 Evacuation Pause 30.00 ms GC',
        '900 ms ↑ woken monitor Stock 400.0 ms @beef by worker-2 worker-1',
      ]);
    await list.go('panel=events&kinds=lost');
    await expect.poll(() => list.rows()).toEqual(['1.500 s ! lost events lost 700.0 ms 7 events lost worker-1']);
  });

  test('lead to the wait', async () => {
    await list.go(`panel=events&sel=${450n * MS},${950n * MS}`);
    await expect.poll(async () => (await list.rows()).length).toBe(5);
    await list.screen.page.locator('.grid-row:has-text("900 ms")').click();
    await list.answered();
    await expect.poll(() => list.screen.text('.details h2')).toContain('monitor');
    // The wait began before: there is its row.
    await expect.poll(() => list.address()).toMatch(/call=\d+,0,500000000/);
    const call = /call=[^&]*/.exec(await list.address())![0];
    await list.go('panel=events');
    await list.go(`panel=events&${call}`);
    await expect.poll(() => list.current()).toMatch(/^500 ms ▪ waits monitor Stock/);
  });

  test('have no arrows where the filter leaves them out', async () => {
    const arrows = async () => {
      const { x, y, width, height } = await list.screen.axis();
      const left = await list.screen.xOf(1500n * MS, 0n, 4000n * MS);
      expect(left).toBeLessThan(x + width);
      const top = await list.screen.rowTop(0);
      return (
        await Promise.all(
          [30, 50, 70, 84].map((down) => list.screen.overlayColour(left, Math.min(top + down, y + height - 2))),
        )
      ).filter((colour) => colour.some((part) => part > 0)).length;
    };
    await list.go('panel=events');
    const before = await arrows();
    await list.go('panel=events&kinds=calls');
    expect([before > 0, await arrows()]).toEqual([true, 0]);
  });
});

describe('the kernel’s events', () => {
  test('are listed as the kernel has them, and found by name', async () => {
    const list = await List.open(url('KERNEL_EVENTS'));
    await list.go(`panel=events&kinds=kernel&sel=${700n * MS},${960n * MS}`);
    const rows = [
      '750 ms ◦ kernel sched.sched_plain tid=2001 pid=7 CPU 0',
      '850 ms ◦ kernel sched.sched_plain tid=2001 pid=8 CPU 0',
      '950 ms ◦ kernel sched.sched_plain tid=2001 pid=9 CPU 0',
    ];
    await expect.poll(() => list.rows()).toEqual(rows);
    await list.go(`panel=events&sel=${745n * MS},${755n * MS}`);
    await expect.poll(() => list.rows()).toEqual(rows.slice(0, 1));
    await list.go(`panel=events&only=sched_pl&sel=${700n * MS},${960n * MS}`);
    await expect.poll(() => list.rows()).toEqual(rows);
    await list.close();
  });
});

describe.each(pages('KERNEL'))('what the kernel did, %s,', (_, address) => {
  let list: List;
  beforeAll(async () => {
    list = await List.open(address());
  });
  afterAll(() => list.close());

  test('is listed with what processors ran', async () => {
    await list.go(`panel=events&kinds=scheduled,wakes,cpu&sel=${240n * MS},${285n * MS}`);
    await expect
      .poll(() => list.rows())
      .toEqual([
        '240 ms ▪ state running on CPU 0 20.00 ms kworker/0:1',
        '240 ms ▪ runs kworker/0:1 7 20.00 ms CPU 0',
        '250 ms ↑ woken blocked in futex 100.0 ms by worker-1 main',
        '250 ms ▪ state runnable, woken 30.00 ms after kworker/0:1 main',
        '280 ms ▪ state running on CPU 1 10.00 ms main',
        '280 ms ↑ woken processor handed over 0 ns by worker-1 main',
        '280 ms ▪ runs java 2001 10.00 ms CPU 1',
      ]);
  });

  test('is chosen by process and processor, also in the timeline', async () => {
    await list.go('panel=events');
    const { page } = list.screen;
    const names = async () =>
      (await page.locator('.labels [data-track]').allInnerTexts()).map((text) => plain(text).split('\n')[0]!.trim());
    await page.locator('.event-kinds select').selectOption('7');
    await list.answered();
    await expect.poll(names).toEqual(['kworker/0:1']);
    await expect
      .poll(() => list.rows())
      .toEqual([
        '240 ms ▪ state running on CPU 0 20.00 ms kworker/0:1',
        '640 ms ▪ state running on CPU 0 65.00 ms kworker/0:1',
      ]);
    await expect.poll(() => list.address()).toContain('filter=pid%3A7');
    await page.locator('.event-kinds [aria-label="Clear the filter of threads"]').click();
    await list.answered();
    await expect.poll(names).toContain('main');
    await page.locator('#filter').fill('CPU 1');
    await list.answered();
    await expect
      .poll(async () => (await list.rows()).map((row) => row.replace(/^.*▪ /, '')))
      .toEqual([
        'runs worker-1 2002 280.0 ms CPU 1',
        'runs java 2001 10.00 ms CPU 1',
        'runs worker-1 2002 110.0 ms CPU 1',
        'runs java 2001 300.0 ms CPU 1',
      ]);
  });
});
