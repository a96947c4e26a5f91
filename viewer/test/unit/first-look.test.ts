import { describe, expect, test } from 'vitest';
import type { Recording, Track } from '../../src/data/contract';
import { firstLook } from '../../src/views/first-look';

const SECOND = 1_000_000_000n;

function track(id: number, facts: Partial<Track>): Track {
  const zero = { process: 1, thread: id, of: -1, counted: 0, name: `t${id}`, virtual: false, tid: 0, javaId: 0, lost: 0 };
  return { id, kind: 'calls', begin: 0n, end: 100n * SECOND, calls: 10, events: 20, depth: 3, ...zero, ...facts };
}

function recording(...tracks: Track[]): Recording {
  return { name: 'r', duration: 100n * SECOND, wallBegin: 0n, processes: [], tracks, oddities: [] };
}

describe('the first look', () => {
  test('is at the time in which the program did something', () => {
    const idle = track(0, { calls: 0, events: 0 });
    const one = track(1, { begin: 40n * SECOND, end: 50n * SECOND });
    const two = track(2, { begin: 45n * SECOND, end: 60n * SECOND });
    const { from, to } = firstLook(recording(idle, one, two), true);
    expect([from, to]).toEqual([39_600_000_000n, 60_400_000_000n]);
  });

  test('is at everything where the program did something all the time, or is still at it', () => {
    expect(firstLook(recording(track(0, {})), true)).not.toHaveProperty('from');
    const late = track(0, { begin: 40n * SECOND, end: 50n * SECOND });
    expect(firstLook({ ...recording(late), growing: true }, true)).not.toHaveProperty('from');
    expect(firstLook(recording(late), false)).not.toHaveProperty('from');
    expect(firstLook(recording(), true)).toEqual({ open: [], filter: '', foldedGroups: [] });
  });

  test('unfolds the busiest thread, counted calls and all, unless it is very deep', () => {
    const busy = track(1, { calls: 5, counted: 100 });
    expect(firstLook(recording(track(0, {}), busy), true).open).toEqual([1]);
    expect(firstLook(recording(track(0, {}), { ...busy, depth: 41 }), true).open).toEqual([]);
    expect(firstLook(recording(track(0, { calls: 0, events: 0 })), true).open).toEqual([]);
  });

  test('has what the virtual machine did in one row', () => {
    const machine = track(1, { kind: 'jvm', process: 2 });
    const load = track(2, { kind: 'jvm', process: 3, of: 0 });
    expect(firstLook(recording(track(0, {}), machine, load), true).foldedGroups).toEqual([2]);
  });
});
