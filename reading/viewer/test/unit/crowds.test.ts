import { describe, expect, test } from 'vitest';
import type { Recording, Track } from '../../src/data/contract';
import { windowOf } from '../../src/base/window';
import { AS_RECORDED } from '../../src/render/arrange';
import { crowdsOf } from '../../src/render/crowds';
import { aliveAt } from '../../src/render/heat';
import { type CrowdRow, layout } from '../../src/render/layout';
import type { Scene } from '../../src/render/scene';
import { firstPicture } from '../../src/state/first';

function track(id: number, name: string, virtual: boolean, begin: bigint, end: bigint): Track {
  return {
    id,
    process: 0,
    thread: id,
    kind: 'calls',
    of: -1,
    counted: 0,
    name,
    virtual,
    tid: 0,
    javaId: id,
    begin,
    end,
    calls: 3,
    events: 6,
    lost: 0,
    depth: 2,
  };
}

/** A main thread, `workers` pool threads, and virtual threads: the i-th lives from 10 i to 10 i + 25. */
function recording(virtual: number, workers = 0): Recording {
  const process = { process: 0, pid: 10, parentPid: 1, command: 'java', jvm: 'x', end: 'ended', lost: 0, budget: -1 };
  const tracks = [track(0, 'main', false, 0n, 1000n)];
  for (let i = 0; i < workers; i++) tracks.push(track(tracks.length, `pool-1-thread-${i}`, false, 0n, 5n));
  for (let i = 0; i < virtual; i++) tracks.push(track(tracks.length, '', true, BigInt(10 * i), BigInt(10 * i + 25)));
  return { name: 'r', duration: 1000n, wallBegin: 0n, processes: [process], tracks, oddities: [] };
}

const folded = (of: Recording) => ({ ...AS_RECORDED, foldedCrowds: firstPicture(of).foldedCrowds });
const kinds = (of: Recording, filter = '') => layout(of, new Set(), filter, folded(of)).rows.map((row) => row.kind);

describe('very many threads', () => {
  test('are one row at first, whatever there is beside them', () => {
    expect(kinds(recording(10_000))).toEqual(['process', 'track', 'crowd']);
    const both = layout(recording(50, 60), new Set(), '', folded(recording(50, 60)));
    expect(
      both.rows.flatMap((row) => (row.kind === 'crowd' ? [`${row.crowd.name} ${row.members.length}`] : [])),
    ).toEqual(['pool-*-thread-* 60', 'Virtual threads 50']);
    expect(both.shown).toBe(111);
  });

  test('unfold to a row each', () => {
    const rows = layout(recording(100), new Set(), '', AS_RECORDED).rows;
    expect(rows.map((row) => row.kind).slice(0, 4)).toEqual(['process', 'track', 'crowd', 'track']);
    expect(rows).toHaveLength(103);
    rows.forEach((row, i) => expect(row.top).toBe(i === 0 ? 0 : rows[i - 1]!.top + rows[i - 1]!.height));
  });

  test('few of a kind stay as they are', () => {
    expect(crowdsOf(recording(10, 10)).size).toBe(0);
    expect(kinds(recording(10))).not.toContain('crowd');
  });

  test('are unfolded for what a filter finds among them', () => {
    const found = recording(0, 500);
    const rows = layout(found, new Set(), 'thread-77', folded(found)).rows;
    expect(rows.flatMap((row) => (row.kind === 'track' ? [row.track.name] : []))).toEqual(['pool-1-thread-77']);
  });

  test('the busiest thread that is unfolded at first is none of them', () => {
    expect(firstPicture(recording(100)).busiest).toBe(0);
  });

  test('tell how many of them lived when', () => {
    const of = recording(90);
    const row = layout(of, new Set(), '', folded(of)).rows.find((one): one is CrowdRow => one.kind === 'crowd')!;
    const scene = { window: windowOf(0n, 1000n), width: 1000 } as unknown as Scene;
    // At 100: those that began at 80, 90 and 100.
    expect(aliveAt(scene, row, 100)).toMatchObject({ alive: 3, most: 3, time: 100n });
    expect(aliveAt(scene, row, 0).alive).toBe(1);
    expect(aliveAt(scene, row, 950).alive).toBe(0);
  });
});
