import { describe, expect, test } from 'vitest';
import { windowOf } from '../../src/base/window';
import { Cache } from '../../src/data/cache';
import type { Recording, SliceColumns, Track } from '../../src/data/contract';
import { Piece } from '../../src/data/piece';
import { depthInSight } from '../../src/render/depths';
import { CALL_HEIGHT, layout, type TrackRow } from '../../src/render/layout';
import type { Scene } from '../../src/render/scene';

const TRACK: Track = {
  id: 0,
  process: 0,
  thread: 1,
  kind: 'calls',
  of: -1,
  counted: 0,
  name: 'main',
  virtual: false,
  tid: 1,
  javaId: 1,
  begin: 0n,
  end: 1000n,
  calls: 9,
  events: 18,
  lost: 0,
  depth: 9,
};
const RECORDING: Recording = {
  name: 'r',
  duration: 1000n,
  wallBegin: 0n,
  tracks: [TRACK],
  oddities: [],
  processes: [{ process: 0, pid: 1, parentPid: 0, command: 'java', jvm: '', end: 'ended', lost: 0, budget: -1 }],
};

/** Nested calls: the one of depth d from 100 d on, all until 900. */
function nested(to: bigint): Piece {
  const depth = Array.from({ length: 9 }, (_, i) => i);
  const none = { from: [], to: [] };
  const slices = {
    track: 0,
    depth,
    begin: depth.map((each) => 100 * each),
    end: depth.map(() => 900),
    method: depth.map(() => 1),
    calls: depth.map(() => 1),
    flags: depth.map(() => 0),
    gaps: { ...none, lost: [], unknown: [] },
    counts: { ...none, calls: [] },
  } as unknown as SliceColumns;
  return new Piece(0n, to, 0n, slices, false);
}

function sceneOf(from: bigint, to: bigint, known: bigint): { scene: Scene; row: TrackRow } {
  const cache = new Cache<Piece>();
  cache.put({ track: 0, depths: '0-15' }, nested(known));
  const shown = layout(RECORDING, new Set([0]), '');
  const scene = {
    recording: RECORDING,
    layout: shown,
    window: windowOf(from, to),
    scrollTop: 0,
    width: 100,
    height: 600,
    cache,
  } as unknown as Scene;
  return { scene, row: shown.byTrack.get(0)! };
}

describe('an unfolded thread', () => {
  test('needs room for the calls in the window, at least for one', () => {
    const depth = (from: bigint, to: bigint) => {
      const { scene, row } = sceneOf(from, to, 1000n);
      return depthInSight(scene, row);
    };
    expect(depth(0n, 1000n)).toBe(9);
    expect(depth(0n, 250n)).toBe(3);
    expect(depth(0n, 50n)).toBe(1);
    expect(depth(950n, 1000n)).toBe(1);
  });

  test('keeps its room while it is not known how much it needs', () => {
    const { scene, row } = sceneOf(0n, 250n, 200n);
    expect(depthInSight(scene, row)).toBeUndefined();
  });

  test('is as high as its depth in sight', () => {
    const height = (depth: number) =>
      layout(RECORDING, new Set([0]), '', undefined, undefined, new Map([[0, depth]])).byTrack.get(0)!.height;
    expect(height(9) - height(5)).toBe(4 * CALL_HEIGHT);
    expect(height(1)).toBe(72);
    expect(height(99)).toBe(height(9));
  });
});
