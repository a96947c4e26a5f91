import { describe, expect, test } from 'vitest';
import { colour } from '../../src/differences/colour';
import { differenceColour } from '../../src/base/hues';
import { nameOfRuns } from '../../src/base/names';
import { type Finding, type Part, shownOf, signsOf, stepped } from '../../src/differences/contract';
import { graphsOf, ratioOf } from '../../src/differences/flame';
import { certainty, kind, short, signed, time } from '../../src/differences/words';

const part = (verdict: Part['verdict'], low: number | null, high: number | null): Part => ({
  text: '',
  weight: 1,
  low,
  high,
  verdict,
  longestInBase: null,
  longestInNew: null,
});

describe('differences in words', () => {
  test('times have four digits that count', () => {
    expect([0, 999, 1500, 61_900_000, 102_100_000, 2_340_000_000].map(time)).toEqual([
      '0 ns',
      '999 ns',
      '1.500 us',
      '61.90 ms',
      '102.1 ms',
      '2.340 s',
    ]);
    expect([-1500, 0, 1500].map(signed)).toEqual(['-1.500 us', '0 ns', '+1.500 us']);
    expect([-1, 0, 1].map(kind)).toEqual(['less', '', 'more']);
  });

  test('say how sure they are', () => {
    expect(certainty(part('exact', null, null))).toBe(' (exact)');
    expect(certainty(part('once', null, null))).toBe(' (exact, of one run)');
    expect(certainty(part('incomplete', 1, 2))).toBe(' (incomplete)');
    expect(certainty(part('certain', 1000, 2000))).toBe(' (+1.000 us … +2.000 us)');
    expect(certainty(part('uncertain', null, 2000))).toBe('');
  });

  test('methods go without their packages', () => {
    expect(short('org.h2.command.Parser.parse')).toBe('Parser.parse');
    expect(short('main')).toBe('main');
  });
});

test('steps go round the certain ones or, if there are none, all', () => {
  expect(stepped(undefined, 1, 3, 9)).toBe(0);
  expect(stepped(undefined, -1, 3, 9)).toBe(2);
  expect(stepped(2, 1, 3, 9)).toBe(0);
  expect(stepped(0, -1, 3, 9)).toBe(2);
  expect(stepped(7, 1, 3, 9)).toBe(0);
  expect(stepped(8, 1, 0, 9)).toBe(0);
  expect(stepped(undefined, 1, 0, 0)).toBeUndefined();
});

test('of those that may be chance the first are shown', () => {
  const finding = { title: '' } as Finding;
  const data = { findings: [finding], uncertain: Array.from({ length: 60 }, () => finding) };
  expect(shownOf(data)).toHaveLength(51);
});

describe('flame graphs', () => {
  const names = ['run', 'parse', 'write'];

  test('are made of nodes in preorder, those with the most time first', () => {
    const graphs = graphsOf({
      names,
      trees: [
        { name: 'idle', nodes: [] },
        { name: 'small', nodes: [[0, 0, 1, 10, 10, 1, 20, 20]] },
        {
          name: 'large',
          nodes: [
            [0, 0, 1, 100, 10, 1, 150, 20],
            [1, 1, 3, 60, 60, 3, 90, 90],
            [1, 2, 0, 0, 0, 5, 40, 40],
          ],
        },
      ],
    });
    expect(graphs.map((graph) => graph.name)).toEqual(['large', 'small']);
    const { root } = graphs[0]!;
    expect([root.base.total, root.new.total]).toEqual([100, 150]);
    expect(root.children.map((node) => node.name)).toEqual(['run']);
    expect(root.children[0]!.children.map((node) => node.name)).toEqual(['parse', 'write']);
  });

  test('colour what takes longer red and what takes less blue, without the drift', () => {
    const times = (base: number, fresh: number) => ({
      base: { total: base, self: 0, calls: 1 },
      new: { total: fresh, self: 0, calls: 1 },
    });
    expect(ratioOf(times(100, 200), 1)).toBe(1);
    expect(ratioOf(times(100, 200), 2)).toBe(0);
    expect(ratioOf(times(0, 200), 1)).toBe(1);
    expect(ratioOf(times(100, 0), 1)).toBe(-1);
    expect(colour(1)).toBe('rgb(235 87 71)');
    expect(colour(5)).toBe(colour(1));
    expect(colour(0)).toBe('rgb(232 228 220)');
    expect(colour(-1)).toBe('rgb(84 140 240)');
  });
});

describe('colours in the timelines', () => {
  test('are of the methods that certainly differ, with all their differences', () => {
    const finding = (method: string, weight: number) => ({ method, weight }) as Finding;
    const findings = [finding('a.parse', 5), finding('a.write', -2), finding('a.parse', -9), finding('a.load', 3)];
    expect(signsOf({ findings: [...findings, finding('a.same', 1), finding('a.same', -1)] })).toEqual([
      ['a.parse', -1],
      ['a.write', -1],
      ['a.load', 1],
    ]);
  });

  test('are told apart, and grey is neither', () => {
    for (const theme of ['light', 'dark'] as const) {
      const [slower, faster, same] = [1, -1, 0].map((sign) => differenceColour(sign, theme));
      expect(slower![0] - slower![2]).toBeGreaterThan(60);
      expect(faster![2] - faster![0]).toBeGreaterThan(60);
      expect(Math.max(...same!) - Math.min(...same!)).toBeLessThan(20);
    }
  });

  test('know methods by names that do not differ from run to run', () => {
    expect(nameOfRuns('a.B$$Lambda/0x00007f12ab.run')).toBe('a.B$$Lambda.run');
    expect(nameOfRuns('a.B$$Lambda$14.run')).toBe('a.B$$Lambda.run');
    expect(nameOfRuns('a.$Proxy12.call')).toBe('a.$Proxy.call');
    expect(nameOfRuns('a.B.run2')).toBe('a.B.run2');
  });
});
