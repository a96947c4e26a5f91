import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { tableActionOf } from '../../src/base/table-keys';
import { categorize, categoryOf, deepest, filterFor } from '../../src/data/categories';
import type { EventsAnswer, SummaryAnswer, TreeAnswer } from '../../src/data/contract';
import { beginOf, EventList } from '../../src/data/event-list';
import { csv, type Facts, matcher, ordered, tsv } from '../../src/data/table';
import { Tree } from '../../src/data/tree';
import { logTicks, shareAmong } from '../../src/data/ticks';
import { matchedIn } from '../../src/data/matches';
import { countedBlocks } from '../../src/data/counted-blocks';
import { Flame } from '../../src/render/flame';

describe('a table', () => {
  const names = ['Pool.take', 'a,"b"', 'pool\tx'];
  const sizes = [3, 10, 3];
  const name: Facts = { id: 'name', head: 'name', value: (row) => names[row]! };
  const size: Facts = { id: 'size', head: 'size (ns)', value: (row) => BigInt(sizes[row]!) };
  const all = () => true;

  test('filters by text, without capitals in either case, and by expressions', () => {
    const kept = (typed: string) => names.filter(matcher(typed)!);
    expect(kept('pool')).toEqual(['Pool.take', 'pool\tx']);
    expect(kept('Pool')).toEqual(['Pool.take']);
    expect(kept('/^p.*e$/')).toEqual(['Pool.take']);
    expect(kept('/P\\S+/')).toEqual(['Pool.take']);
    expect(kept('/\\S$/')).toEqual(names);
    expect(matcher('/(/')).toBeUndefined();
  });

  test('sorts, equal ones in the order they came in', () => {
    expect(ordered(3, all)).toEqual([0, 1, 2]);
    expect(ordered(3, all, { by: size, descending: true })).toEqual([1, 0, 2]);
    expect(ordered(3, all, { by: size, descending: false })).toEqual([0, 2, 1]);
    expect(ordered(3, (row) => row !== 1, { by: name, descending: false })).toEqual([2, 0]);
  });

  test('sorts and filters a hundred thousand rows', () => {
    const by: Facts = { id: 'x', head: 'x', value: (row) => (row * 7919) % 100_000 };
    const rows = ordered(100_000, (row) => row % 2 === 0, { by, descending: true });
    expect(rows.length).toBe(50_000);
    expect(rows.slice(0, 2).map((row) => by.value(row))).toEqual([99_998, 99_996]);
  });

  test('is written with tabs and as RFC 4180', () => {
    expect(tsv([name, size], [2, 0])).toBe('name\tsize (ns)\npool x\t3\nPool.take\t3\n');
    expect(csv([name, size], [1])).toBe('name,size (ns)\r\n"a,""b""",10\r\n');
  });
});

test('keys of a table', () => {
  const key = (name: string, more = {}) =>
    tableActionOf({ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });
  expect(key('ArrowDown')).toBe('rowDown');
  expect(key('Enter')).toBe('act');
  expect(key('Enter', { shiftKey: true })).toBe('actMore');
  expect(key('c')).toBeUndefined();
  expect(key('c', { metaKey: true })).toBe('copy');
  expect(key('ArrowDown', { altKey: true })).toBeUndefined();
});

describe('categories', () => {
  const types = ['org.h2.engine.Session', 'org.h2.engine.Db', 'org.h2.Driver', 'Main'];
  const zeros = [0, 0, 0, 0];
  const summary: SummaryAnswer = {
    atLeast: false,
    method: [0, 1, 2, 3],
    calls: [1, 2, 3, 4],
    self: [10, 30, 20, 5],
    total: zeros,
    average: zeros,
    p50: zeros,
    p99: zeros,
    max: zeros,
    maxTrack: zeros,
    maxDepth: zeros,
    maxBegin: ['0', '0', '0', '0'],
    counted: zeros,
    estimated: zeros,
    missing: zeros,
    selfTime: null,
    correctedTotal: null,
    correctedSelf: null,
    error: null,
  };
  const names = (level: number | 'package' | 'class') =>
    categorize(summary, (m) => types[m]!, level).map((c) => [c.name, c.self]);

  test('put classes together at each level, the costliest first', () => {
    expect(names('class')[0]).toEqual(['org.h2.engine.Db', 30]);
    expect(names('package')).toEqual([
      ['org.h2.engine', 40],
      ['org.h2', 20],
      ['(no package)', 5],
    ]);
    expect(names(1)).toEqual([
      ['org', 60],
      ['(no package)', 5],
    ]);
    expect(categoryOf('org.h2.Driver', 3)).toBe('org.h2');
    expect(deepest(types)).toBe(3);
    expect(categorize(summary, (m) => types[m]!, 'package')[0]).toMatchObject({
      type: 'org.h2.engine.Db',
      calls: 3,
      methods: 2,
    });
  });

  test.each(['class', 'package', 1, 2, 3] as const)('are what their filter leaves: by %s', (level) => {
    for (const { name } of categorize(summary, (m) => types[m]!, level)) {
      const keeps = matcher(filterFor(name, level))!;
      for (const type of types) expect(keeps(`${type}.run`), `${name}: ${type}`).toBe(categoryOf(type, level) === name);
    }
  });
});

/** a(10) calls b(6) and c(3); b calls d(5); and a root e(20). */
const TREE: TreeAnswer = {
  atLeast: false,
  cut: 0,
  parent: [-1, -1, 1, 2, 1],
  method: [4, 0, 1, 3, 2],
  calls: [1, 1, 2, 3, 4],
  total: [20, 10, 6, 5, 3],
  self: [20, 1, 1, 5, 3],
};

describe('a call tree', () => {
  const tree = new Tree(TREE, false);
  const calls: Facts = { id: 'calls', head: 'calls', value: (node) => TREE.calls[node]! };

  test('shows what is unfolded, in order', () => {
    expect([...tree.depth]).toEqual([0, 0, 1, 2, 1]);
    expect(tree.whole).toBe(30);
    expect(tree.visible(new Set())).toEqual([0, 1]);
    expect(tree.visible(new Set([1]))).toEqual([0, 1, 2, 4]);
    expect(tree.visible(new Set([1, 2]), { by: calls, descending: true })).toEqual([0, 1, 4, 2, 3]);
  });

  test('shows what matches with its callers', () => {
    expect(
      tree.matching(
        (text) => text === '3',
        (node) => String(TREE.method[node]),
      ),
    ).toEqual([1, 2, 3]);
  });

  test('knows its hot path', () => {
    expect(tree.hotPath(1)).toEqual([1, 2, 3]);
    expect(tree.hotPath(0)).toEqual([0]);
    const ownWork = new Tree({ ...TREE, self: [20, 7, 1, 5, 3] }, false);
    expect(ownWork.hotPath(1)).toEqual([1]);
    expect(new Tree({ ...TREE, self: TREE.total }, true).hotPath(1)).toEqual([1, 2, 3]);
  });

  test('says what matches in it takes, each time once', () => {
    expect(matchedIn(tree, new Set([1, 3]))).toEqual({ boxes: 2, methods: 2, amount: 6 });
    expect(matchedIn(tree, new Set([0, 4]))).toEqual({ boxes: 2, methods: 2, amount: 30 });
    expect(matchedIn(tree, new Set([2, 3, 4]), 1)).toEqual({ boxes: 2, methods: 2, amount: 8 });
    expect(matchedIn(tree, new Set([9]))).toEqual({ boxes: 0, methods: 0, amount: 0 });
  });

  test('is a flame graph', () => {
    const flame = new Flame(tree, undefined, 0);
    expect(flame.at(0.5, 0)?.node).toBe(0);
    expect(flame.at(0.7, 0)?.node).toBe(1);
    expect(flame.at(0.999, 1)).toBeUndefined();
    expect(flame.boxOf(4)!.left).toBeCloseTo(20 / 30 + 6 / 30);
    expect(flame.beside(2, 1)?.node).toBe(4);
    const zoomed = new Flame(tree, 2, 0);
    expect(zoomed.rows.map((row) => row.map((box) => box.node))).toEqual([[1], [2], [3]]);
    expect(zoomed.boxOf(3)).toMatchObject({ left: 0, right: 5 / 6 });
    expect(new Flame(tree, undefined, 0.15).rows[1]!.map((box) => box.node)).toEqual([2]);
  });
});

describe('a list of events', () => {
  const page = (times: number[], more: boolean): EventsAnswer => ({
    time: times.map(String),
    track: times.map(() => 0),
    depth: times.map((_, i) => i % 3),
    method: times.map(() => 7),
    kind: times.map((_, i) => i % 2),
    duration: times.map(() => 5),
    other: times.map(() => -1),
    object: times.map(() => 0),
    name: times.map(() => ''),
    text: times.map(() => ''),
    more,
  });

  test('grows at both ends, each row keeping its number', () => {
    const list = EventList.around(page([10, 20], true), page([30, 40], true));
    const row = list.find(30n)!;
    expect(list.at(row)!.time).toBe(30n);
    const longer = list.before(page([5], false)).after(page([50, 50], false));
    expect(longer.rows().map((each) => longer.at(each)!.time)).toEqual([5n, 10n, 20n, 30n, 40n, 50n, 50n]);
    expect(longer.at(row)!.time).toBe(30n);
    expect([longer.moreBefore, longer.moreAfter, longer.begin, longer.end]).toEqual([false, false, 5n, 51n]);
    expect([list.covers(9n), list.covers(41n), longer.covers(0n), longer.covers(99n)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('finds the enter of a call, else the next event', () => {
    const list = EventList.around(page([], false), page([10, 10, 10, 25], false));
    expect(list.at(list.find(10n, 0, 2)!)).toMatchObject({ depth: 2, kind: 0 });
    expect(list.at(list.find(11n)!)!.time).toBe(25n);
    expect(list.find(26n)).toBeUndefined();
    expect(beginOf(list.at(list.find(25n)!)!)).toBe(20n);
  });

  test('keeps a bounded number, and whole times where it cuts', () => {
    const many = (from: number) =>
      page(
        Array.from({ length: 5000 }, (_, i) => Math.floor((from + i) / 2)),
        true,
      );
    const list = EventList.around(many(0), many(5000)).after(many(10_000));
    expect(list.length).toBeLessThanOrEqual(6000);
    expect(list.moreBefore).toBe(true);
    expect(list.at(list.first + 1)!.time).toBe(list.begin);
    const back = list.before(page([1], true));
    expect(back.length).toBeLessThanOrEqual(6000);
    expect([back.begin, back.moreAfter]).toEqual([1n, true]);
    // Two events of each time: the last one has both.
    expect(back.at(back.first + back.length - 2)!.time).toBe(back.end - 1n);
  });
});

test('the selection in the address', () => {
  const address = {
    open: [],
    filter: '',
    range: { from: 5n, to: 9n },
    rangeTracks: [1, 3],
    follow: true,
    method: 7,
    panel: 'flame',
  };
  const text = 'sel=5,9&sel-tracks=1,3&follow=true&method=7&panel=flame';
  expect(writeAddress(address)).toBe(text);
  expect(readAddress('#' + text)).toEqual(address);
  for (const wrong of [
    'sel=9,5',
    'sel=5',
    'sel=5,9,10',
    'sel=a,9',
    'sel-tracks=x',
    'follow=no',
    'method=-1',
    'panel=<b>',
  ]) {
    expect(readAddress('#' + wrong)).toEqual({ open: [], filter: '' });
  }
});

describe('counted calls beside a flame graph', () => {
  const COUNTED = {
    calls: 1000,
    time: 60,
    method: [5, 6, 7, 8],
    counted: [600, 200, 100, 50],
    mode: [2, 3, 3, 3],
    self: [10, 50, 0, 0],
    estimated: [0, 1, 1, 1],
    atLeast: [0, 0, 1, 1],
  };
  const shares = (whole: number) =>
    countedBlocks(COUNTED, whole).map(({ method, methods, calls, share }) => [method, methods, calls, share]);

  test('are as wide as their time, and all there', () => {
    expect(shares(100)).toEqual([
      [6, 1, 200, 0.5],
      [5, 1, 600, 0.1],
      // Those of two methods whose time is not known, and of methods that the answer does not name.
      [undefined, 2, 200, 0],
    ]);
  });

  test('have their own scale if they took longer than what was recorded', () => {
    expect(shares(0).map(([, , , share]) => share)).toEqual([50 / 60, 10 / 60, 0]);
    expect(shares(20_000)).toEqual([[undefined, 4, 1000, 60 / 20_000]]);
  });
});

describe('ticks of a logarithmic axis', () => {
  const at = (from: number, to: number, apart: number) => {
    const share = (value: number) => Math.log(value / from) / Math.log(to / from);
    return logTicks(from, to, share, apart).map((tick) => tick.value);
  };

  test('are round', () => {
    expect(at(1, 1e9, 0.2)).toEqual([1, 100, 10_000, 1_000_000, 100_000_000]);
    expect(at(700, 1_300_000, 0.13)).toEqual([1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]);
    expect(at(900, 9000, 0.13)).toEqual([1000, 2000, 3000, 5000, 7000]);
    expect(at(640, 670, 0.1)).toEqual([640, 650, 660, 670]);
    expect(at(7, 8, 0.1)).toEqual([7, 8]);
  });

  test('are among bars where their durations are', () => {
    const bound = [0, 1, 2, 4, 8];
    expect([0, 1, 2, 4, 8, 9].map((value) => shareAmong(bound, value))).toEqual([0, 0.25, 0.5, 0.75, 1, 1]);
    expect(shareAmong(bound, Math.sqrt(8))).toBeCloseTo(0.625);
  });
});
