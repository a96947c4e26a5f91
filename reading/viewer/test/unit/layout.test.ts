import { describe, expect, test } from 'vitest';
import type { Recording, Track } from '../../src/data/contract';
import {
  bandsOf,
  foldedBand,
  foldedDepths,
  lanesOf,
  layout,
  rowsBetween,
  type TrackRow,
} from '../../src/render/layout';

function track(id: number, process: number, name: string, depth: number, more: Partial<Track> = {}): Track {
  const facts = {
    thread: id,
    kind: 'calls' as const,
    of: -1,
    counted: 0,
    virtual: false,
    tid: 100 + id,
    javaId: id,
    calls: 1,
    events: 2,
    lost: 0,
    ...more,
  };
  return { id, process, name, depth, begin: 0n, end: 10n, ...facts };
}

function recording(tracks: Track[]): Recording {
  const processes = [0, 1].map((process) => ({
    process,
    pid: 10 + process,
    parentPid: 1,
    command: 'java',
    jvm: '',
    end: 'ended',
    lost: 0,
    budget: -1,
  }));
  return { name: 'r', duration: 10n, wallBegin: 0n, processes, tracks, oddities: [] };
}

const SMALL = recording([track(0, 0, 'main', 3), track(1, 1, 'pool-1', 40), track(2, 0, 'pool-2', 0)]);

describe('rows', () => {
  test('activities come before what they go through, and that before the kernel', () => {
    const { processes, ...rest } = recording([track(0, 1, 'main', 1), track(1, 2, 'task', 1), track(2, 3, 'sale', 1)]);
    const like = (process: number, pid: number, command: string) => ({ ...processes[0]!, process, pid, command });
    const all = [like(1, 10, 'activities'), like(2, 0, 'Linux'), like(3, 0, 'activities')];
    const rows = layout({ ...rest, processes: all }, new Set(), '').rows;
    expect(rows.map((row) => (row.kind === 'process' ? row.process.process : 0)).filter((n) => n > 0)).toEqual([
      3, 1, 2,
    ]);
  });

  test('are grouped by process and leave no space between', () => {
    const { rows, height, shown } = layout(SMALL, new Set(), '');
    expect(
      rows.map((row) =>
        row.kind === 'track' ? row.track.name : row.kind === 'crowd' ? row.crowd.name : 'p' + row.process.pid,
      ),
    ).toEqual(['p10', 'main', 'pool-2', 'p11', 'pool-1']);
    rows.forEach((row, i) => expect(row.top + row.height).toBe(rows[i + 1]?.top ?? height));
    expect(shown).toBe(3);
  });

  test('can be filtered by name and number', () => {
    const names = (filter: string) =>
      layout(SMALL, new Set(), filter).rows.flatMap((row) => (row.kind === 'track' ? [row.track.name] : []));
    expect(names('POOL')).toEqual(['pool-2', 'pool-1']);
    expect(names('pool 101')).toEqual(['pool-1']);
    expect(names('nobody')).toEqual([]);
  });

  test('are cheap to find among many', () => {
    const many = layout(recording(Array.from({ length: 5000 }, (_, i) => track(i, 0, 't' + i, 1))), new Set(), '');
    const seen = rowsBetween(many.rows, 100_000, 100_500);
    expect(seen.length).toBeLessThan(20);
    expect(seen[0]!.top <= 100_000 && seen.at(-1)!.top < 100_500).toBe(true);
  });
});

describe('depths', () => {
  test('of a folded thread are all, or outer ones and ever fewer', () => {
    expect(foldedDepths(3)).toEqual([0, 1, 2]);
    const deep = foldedDepths(5000);
    expect(deep).toHaveLength(16);
    expect(deep.slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(deep.at(-1)).toBe(4999);
  });

  test.each([17, 18, 19, 20, 30, 100])('are each named once: %d', (depth) => {
    const depths = foldedDepths(depth);
    expect(depths.every((d, i) => i === 0 || d > depths[i - 1]!)).toBe(true);
    expect(depths.at(-1)! < depth).toBe(true);
  });

  test('fill the folded row', () => {
    const bands = foldedDepths(16).map((_, i) => foldedBand(32, 16, i));
    bands.forEach((band, i) => expect(band.top + band.height).toBe(bands[i + 1]?.top ?? 28));
  });

  test('of an unfolded thread are asked for as far as they are in sight', () => {
    const rows = layout(SMALL, new Set([1]), '').rows;
    const row = rows.find((r): r is TrackRow => r.kind === 'track' && r.track.id === 1)!;
    expect(lanesOf(row, 0, row.top + 100).map((lane) => lane.depths)).toEqual(['0-15']);
    expect(lanesOf(row, row.top + 400, row.top + 500).map((lane) => lane.depths)).toEqual(['16-31']);
    expect(bandsOf(row, { track: 1, depths: '32-47' }).map(([depth]) => depth)).toEqual([
      32, 33, 34, 35, 36, 37, 38, 39,
    ]);
  });
});
