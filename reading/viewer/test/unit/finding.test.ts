import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { parseTime } from '../../src/base/goto';
import { actionOf, KEYS } from '../../src/base/keys';
import { ranked } from '../../src/base/ranked';
import { moveEdge, spanOver, windowEnd, windowOf } from '../../src/base/window';
import type { Recording, Track } from '../../src/data/contract';
import { AS_RECORDED, filterOf } from '../../src/render/arrange';
import { layout } from '../../src/render/layout';
import { largest } from '../../src/render/minimap';

describe('a time to go to', () => {
  const WALL = BigInt(new Date(2026, 4, 3, 14, 3, 20).getTime()) * 1_000_000n;

  test.each([
    ['1.5s', 1_500_000_000n],
    ['600 ms', 600_000_000n],
    ['0.5µs', 500n],
    ['12.345678901', 12_345_678_901n],
    ['600', 600n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['1 234 567 ns', 1_234_567n],
    ['2min', 120_000_000_000n],
    ['14:03:27.5', 7_500_000_000n],
    ['14:04', 40_000_000_000n],
  ])('%s', (text, time) => expect(parseTime(text, WALL)).toBe(time));

  test.each(['', 'soon', '1.5 parsecs', '25:00', '1:2', '-3s'])('but not %j', (text) => {
    expect(parseTime(text, WALL)).toBeUndefined();
  });

  test('after midnight belongs to a recording that began before', () => {
    const late = BigInt(new Date(2026, 4, 3, 23, 59, 50).getTime()) * 1_000_000n;
    expect(parseTime('0:00:05', late)).toBe(15_000_000_000n);
  });
});

describe('what the palette offers', () => {
  const NAMES = ['Zoom in', 'Zoom to the selected call', 'Go to a time', 'Unfold or fold the thread'];
  const best = (question: string) => ranked(NAMES, (name) => name, question, 3);

  test('holds all words, in any order, those at the begin of words first', () => {
    expect(best('call zoom')).toEqual(['Zoom to the selected call']);
    expect(best('t')[0]).toBe('Go to a time');
    expect(best('zoom')).toEqual(['Zoom in', 'Zoom to the selected call']);
  });

  test('or their letters in this order', () => {
    expect(best('gtt')).toEqual(['Go to a time']);
    expect(best('xyz')).toEqual([]);
  });
});

describe('threads', () => {
  const track = (id: number, name: string, calls: number, tid: number, begin: bigint): Track => {
    return {
      id,
      process: 0,
      thread: id,
      kind: 'calls',
      of: -1,
      counted: 0,
      name,
      virtual: false,
      tid,
      javaId: id,
      begin,
      end: 10n,
      calls,
      events: 2,
      lost: 0,
      depth: 1,
    };
  };
  const TRACKS = [track(0, 'main', 5, 30, 0n), track(1, 'pool-10', 9, 20, 7n), track(2, 'pool-9', 7, 10, 4n)];
  const process = { process: 0, pid: 1, parentPid: 0, command: 'java', jvm: '', end: 'ended', lost: 0, budget: -1 };
  const RECORDING = {
    name: 'r',
    duration: 10n,
    wallBegin: 0n,
    processes: [process],
    tracks: TRACKS,
    oddities: [],
  } as Recording;
  const names = (arrangement: object, filter = '') =>
    layout(RECORDING, new Set(), filter, { ...AS_RECORDED, ...arrangement }).rows.map((row) =>
      row.kind === 'track' ? row.track.name : 'p',
    );

  test('are sorted', () => {
    expect(names({ sort: 'name' })).toEqual(['p', 'main', 'pool-9', 'pool-10']);
    expect(names({ sort: 'calls' })).toEqual(['p', 'pool-10', 'pool-9', 'main']);
    expect(names({ sort: 'start' })).toEqual(['p', 'main', 'pool-9', 'pool-10']);
    expect(names({ sort: 'tid' })).toEqual(['p', 'pool-9', 'pool-10', 'main']);
  });

  test('are pinned above all, hidden, folded', () => {
    expect(names({ pinned: [2, 0] })).toEqual(['pool-9', 'main', 'p', 'pool-10']);
    expect(names({ hidden: new Set([0, 1]) })).toEqual(['p', 'pool-9']);
    expect(names({ folded: new Set([0]), pinned: [1] })).toEqual(['pool-10', 'p']);
  });

  test('pass a regular expression between slashes', () => {
    const pass = (filter: string) => TRACKS.filter(filterOf(filter)).map((t) => t.name);
    expect(pass('/^pool-\\d$/')).toEqual([]);
    expect(pass('/^POOL-\\d\\s/')).toEqual([]);
    expect(pass('/^pool-\\d\\s/')).toEqual(['pool-9']);
    expect(pass('/main|10/')).toEqual(['main', 'pool-10', 'pool-9']);
    expect(pass('/(/')).toEqual(['main', 'pool-10', 'pool-9']);
    expect(pass('pool 20')).toEqual(['pool-10']);
  });
});

test('an address keeps many threads short', () => {
  const address = {
    open: [5, 1, 2, 3, 9, 10],
    filter: '',
    pinned: [7, 2],
    hidden: [0, 1, 2, 3],
    folded: [1],
    sort: 'calls',
    search: 'a+b&c',
  };
  const text = writeAddress(address);
  expect(text).toBe('open=1-3,5,9,10&pin=7,2&hide=0-3&fold=1&order=calls&search=a%2Bb%26c');
  expect(readAddress('#' + text)).toEqual({ ...address, open: [1, 2, 3, 5, 9, 10] });
  expect(readAddress('#open=0-999999999999').open).toEqual([]);
});

describe('the window in the minimap', () => {
  const WINDOW = windowOf(200n, 600n);
  const range = (window: typeof WINDOW) => [window.start, windowEnd(window)];

  test('is moved whole or by an edge, inside the recording', () => {
    expect(range(moveEdge(WINDOW, 'both', 100, 1000n))).toEqual([300n, 700n]);
    expect(range(moveEdge(WINDOW, 'both', 900, 1000n))).toEqual([600n, 1000n]);
    expect(range(moveEdge(WINDOW, 'from', -500, 1000n))).toEqual([0n, 600n]);
    expect(range(moveEdge(WINDOW, 'from', 900, 1000n))).toEqual([590n, 600n]);
    expect(range(moveEdge(WINDOW, 'to', 900, 1000n))).toEqual([200n, 1000n]);
    expect(range(moveEdge(WINDOW, 'to', -900, 1000n))).toEqual([200n, 210n]);
  });

  test('is drawn anew in either direction', () => {
    expect(range(spanOver(0.5, 0.25, 1000n))).toEqual([250n, 500n]);
  });
});

test('a column of the minimap shows the largest of its buckets', () => {
  const values = [1, 9, 2, 3];
  expect([0, 1].map((x) => largest(values, 4, 2, x))).toEqual([9, 3]);
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((x) => largest(values, 4, 8, x))).toEqual([1, 1, 9, 9, 2, 2, 3, 3]);
});

test('no key means two things', () => {
  const all = KEYS.flatMap((key) => key.keys);
  expect(new Set(all).size).toBe(all.length);
  expect(actionOf({ key: 'N', shiftKey: true })).toBe('previousHit');
  expect(actionOf({ key: 'n' })).toBe('nextHit');
  expect(actionOf({ key: 'f', ctrlKey: true })).toBe('search');
  expect(actionOf({ key: 'f' })).toBe('zoomToCall');
  expect(actionOf({ key: 'a', ctrlKey: true })).toBeUndefined();
});
