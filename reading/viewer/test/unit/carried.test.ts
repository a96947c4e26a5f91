import { expect, test } from 'vitest';
import { readAddress } from '../../src/base/address';
import type { Recording } from '../../src/data/contract';
import { carried } from '../../src/state/carried';

function track(process: number, kind: string, name: string, tid: number): Recording['tracks'][number] {
  return { process, kind, name, tid, javaId: tid } as unknown as Recording['tracks'][number];
}

const before = {
  wallBegin: 5_000n,
  duration: 1_000n,
  processes: [{ process: 0, pid: 11, command: 'shop' }],
  tracks: [track(0, 'calls', 'main', 1), track(0, 'states', 'main', 1), track(0, 'calls', 'worker', 2)],
} as unknown as Recording;

/** The same without main's states and the first 100 ns, after a process of activities. */
const after = {
  wallBegin: 5_100n,
  duration: 700n,
  processes: [
    { process: 0, pid: 0, command: 'activities' },
    { process: 1, pid: 11, command: 'shop' },
  ],
  tracks: [track(0, 'calls', 'sale', 0), track(1, 'calls', 'worker', 2), track(1, 'calls', 'main', 1)],
} as unknown as Recording;

const carry = (hash: string) => carried(readAddress(hash), before, after);

test('times are counted from the new begin', () => {
  expect(carry('from=200&to=400')).toMatchObject({ from: 100n, to: 300n });
  expect(carry('from=50&to=400')).toMatchObject({ from: 0n, to: 300n });
  expect(carry('from=200&to=1000')).toMatchObject({ from: 100n, to: 700n });
  expect(carry('from=10&to=90')).not.toHaveProperty('from');
  expect(carry('sel=300,500').range).toEqual({ from: 200n, to: 400n });
});

test('threads and processes keep their rows, whatever their numbers', () => {
  const there = carry('open=0,1,2&pin=2&hide=1&fold=0&sel-tracks=0,1&top=2,7');
  expect(there).toMatchObject({ open: [2, 1], pinned: [1], hidden: [], folded: [1], rangeTracks: [2] });
  expect(there.top).toEqual({ track: 1, pixels: 7 });
});

test('what is selected stays selected if it is there', () => {
  expect(carry('call=2,3,400').selected).toEqual({ track: 1, depth: 3, time: 300n });
  expect(carry('call=1,3,400').selected).toBeUndefined();
  expect(carry('call=2,3,50').selected).toBeUndefined();
  expect(carry('events=0,200,300').events).toEqual({ track: 2, from: 100n, to: 200n });
});

test('numbers of methods are not known there, and the rest stays', () => {
  const there = carry('method=7&search=clock&panel=summary&sql=SELECT%201&filter=main');
  expect(there).not.toHaveProperty('method');
  expect(there).toMatchObject({ search: 'clock', panel: 'summary', sql: 'SELECT 1', filter: 'main' });
});
