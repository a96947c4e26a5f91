import { describe, expect, test } from 'vitest';
import { windowOf } from '../../src/base/window';
import type { PointsQuestion } from '../../src/data/client';
import type { PointsAnswer, Scope } from '../../src/data/contract';
import { PAGE, PointList } from '../../src/data/point-list';
import type { Core } from '../../src/state/core';
import { innermost, Points } from '../../src/state/points';

const TOTAL = 3 * PAGE + 10;

/** Point i is at 10 i nanoseconds. */
function answer({ first, count, at = 0n, kinds }: PointsQuestion): PointsAnswer {
  const total = kinds ? 5 : TOTAL;
  const rows = Array.from({ length: Math.max(0, Math.min(count, total - first)) }, (_, i) => first + i);
  return {
    total,
    before: Math.min(total, Math.ceil(Number(at) / 10)),
    kinds: { word: ['unmatched return', 'fault'], count: [5, TOTAL - 5], unlisted: [0, 0] },
    time: rows.map((row) => String(10 * row)),
    track: rows.map(() => 0),
    kind: rows.map((row) => row % 2),
    address: rows.map((row) => `0x${row}`),
    module: rows.map(() => 'a.out'),
    function: rows.map(() => 'main'),
    text: rows.map(() => ''),
  };
}

const page = (first: number) => answer({ first, count: PAGE, critical: '' });

describe('a list of points', () => {
  test('has the pages that were fetched, in order', () => {
    const list = PointList.of(page(0)).with(2, page(2 * PAGE));
    expect([list.total, list.rows().length, list.rows()[PAGE]]).toEqual([TOTAL, 2 * PAGE, 2 * PAGE]);
    expect(list.at(PAGE - 1)?.time).toBe(BigInt(10 * (PAGE - 1)));
    expect(list.at(2 * PAGE + 3)?.address).toBe(`0x${2 * PAGE + 3}`);
    expect(list.at(PAGE)).toBeUndefined();
  });

  test('knows which page is missing', () => {
    const list = PointList.of(page(0)).with(2, page(2 * PAGE));
    expect(list.missing(-60, PAGE - 1)).toBeUndefined();
    expect(list.missing(0, PAGE)).toBe(1);
    expect(list.missing(2 * PAGE, TOTAL + 60)).toBe(3);
    expect(list.missing(2 * PAGE, 3 * PAGE - 1)).toBeUndefined();
  });
});

describe('the calls around a point', () => {
  test('end with the innermost that has begun and not ended', () => {
    const slices = { begin: [-10, -5, 0, -3], end: [10, 5, 1, 0], depth: [0, 1, 2, 3] };
    expect(innermost(slices)).toBe(2);
    expect(innermost(undefined)).toBe(0);
  });
});

describe('steps from point to point', () => {
  const setUp = () => {
    const asked: Array<PointsQuestion & Scope> = [];
    const said: string[] = [];
    const shown: Array<{ depth: number; time: bigint }> = [];
    const core = {
      window: windowOf(1000n, 1100n),
      open: new Set([0]),
      client: {
        points: async (scope: Scope, question: PointsQuestion) => {
          asked.push({ ...scope, ...question });
          return answer(question);
        },
        window: async () => ({ tracks: [{ begin: [-1], end: [9], depth: [4] }] }),
      },
      changed: () => undefined,
      showTrack: () => undefined,
      select: (place: { depth: number; time: bigint }) => shown.push(place),
      glide: (next: () => Core['window']) => (core.window = next()),
    };
    return { points: new Points(core as unknown as Core, (text) => said.push(text)), core, asked, said, shown };
  };

  test('begin in the middle of the window, and go on from the point that is shown', async () => {
    const { points, shown } = setUp();
    await points.step(1);
    expect(points.at).toBe(105);
    await points.step(1);
    await points.step(-1);
    await points.step(-1);
    expect(shown.map((place) => place.time)).toEqual([1050n, 1060n, 1050n, 1040n]);
    expect(shown[0]).toMatchObject({ track: 0, depth: 4 });
  });

  test('begin in the window again when the point is out of sight', async () => {
    const { points, core } = setUp();
    await points.step(-1);
    expect(points.at).toBe(104);
    core.window = windowOf(5000n, 5010n);
    await points.step(-1);
    expect(points.at).toBe(500);
  });

  test('say where the list ends', async () => {
    const { points, core, said } = setUp();
    core.window = windowOf(0n, 2n);
    await points.show(TOTAL - 1);
    await points.step(1);
    await points.show(0);
    await points.step(-1);
    expect(said).toEqual(['No later point.', 'No earlier point.']);
  });

  test('are about the kinds that are listed', async () => {
    const { points, asked } = setUp();
    points.about({ from: 3n, to: 9n });
    points.toggle(1);
    await points.need(0, 10);
    expect(asked.at(-1)).toEqual({ from: 3n, to: 9n, first: 0, count: PAGE, critical: '', kinds: [1] });
    expect(points.list?.total).toBe(5);
    points.toggle(1);
    points.setCritical('main');
    await points.need(0, 10);
    expect(asked.at(-1)).toEqual({ from: 3n, to: 9n, first: 0, count: PAGE, critical: 'main' });
  });
});
