import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { type Rgb, type Theme } from '../../src/base/colours';
import { budgetSays, isDown, isNever, modeSays, tookSays } from '../../src/base/modes';
import { byWhom, kernelWords, objectName, stateColour, stateKind } from '../../src/base/states';
import { briefCount } from '../../src/base/time';
import { SCHEDULER_STATES, type TrackKind, WAIT_KINDS } from '../../src/base/words';
import type { Recording, Track } from '../../src/data/contract';
import { NumberColumn } from '../../src/data/local/columns';
import { TrackCounts } from '../../src/data/local/counts';
import { described } from '../../src/data/methods';
import { AS_RECORDED } from '../../src/render/arrange';
import type { Arrow } from '../../src/render/arrow';
import { arrowAt, type ArrowPlace, drawnOf } from '../../src/render/arrows';
import { densityHeight } from '../../src/render/counts';
import { mainTrack, threadsOf } from '../../src/render/groups';
import { type Band, bandsOf, lanesOf, layout, type TrackRow } from '../../src/render/layout';
import { callId } from '../../src/base/call-id';
import { whichTracks } from '../../src/views/parts/scope';

function track(id: number, kind: TrackKind, of: number, name: string, counted = 0): Track {
  const facts = { process: 0, thread: id, virtual: false, tid: id, javaId: id, calls: 1, events: 2, lost: 0, depth: 2 };
  return { id, kind, of, name, counted, begin: 0n, end: 10n, ...facts };
}

const TRACKS = [
  track(0, 'calls', -1, 'main', 412),
  track(1, 'states', 0, 'main'),
  track(2, 'states', -1, 'Cleaner'),
  track(3, 'jvm', -1, 'GC'),
  track(4, 'calls', -1, 'worker'),
];
const PROCESS = { process: 0, pid: 7, parentPid: 1, command: 'java', jvm: '', end: 'ended', lost: 0, budget: 50_000 };
const RECORDING: Recording = {
  name: 'r',
  duration: 10n,
  wallBegin: 0n,
  processes: [PROCESS],
  tracks: TRACKS,
  oddities: [],
};

describe('rows of a program that waits', () => {
  const { rows, byTrack, shown } = layout(RECORDING, new Set(), '', AS_RECORDED, new Set([0]));
  const row = (id: number) => byTrack.get(id) as TrackRow;

  test('are those of the recorder, of the virtual machine and of the threads', () => {
    expect(rows.map((r) => (r.kind === 'track' ? r.track.name : r.kind))).toEqual([
      'process',
      'steps',
      'group',
      'GC',
      'main',
      'Cleaner',
      'worker',
    ]);
    expect(shown).toBe(3);
    expect(threadsOf(RECORDING).map((t) => t.name)).toEqual(['main', 'Cleaner', 'worker']);
    expect(mainTrack(RECORDING, 1)).toBe(0);
    rows.forEach((r, i) => expect(r.top + r.height).toBe(rows[i + 1]?.top ?? r.top + r.height));
  });

  test('have the states above the counted calls, and those above the calls', () => {
    const main = row(0);
    expect(row(1)).toBe(main);
    const strips = [main.statesBand!, main.countsBand!];
    expect(strips[0]!.top + strips[0]!.height).toBeLessThanOrEqual(strips[1]!.top);
    expect(strips[1]!.top + strips[1]!.height).toBeLessThanOrEqual(main.callsTop + 4);
    const [calls, states] = lanesOf(main, 0, 1000);
    expect([calls!.track, states!.track]).toEqual([0, 1]);
    expect(bandsOf(main, calls!)[0]![1].top).toBe(main.callsTop + 4);
    expect(bandsOf(main, states!).map(([, band]) => band)).toEqual([main.statesBand, main.statesBand]);
    expect(row(4)).toMatchObject({ states: undefined, statesBand: undefined, countsBand: undefined, callsTop: 0 });
  });

  test('stay when a thread has nothing but states', () => {
    const cleaner = row(2);
    expect(cleaner.track).toBe(cleaner.states);
    expect(lanesOf(cleaner, 0, 1000).map((lane) => lane.track)).toEqual([2]);
  });

  test('of the virtual machine can be folded away', () => {
    const folded = layout(RECORDING, new Set(), '', { ...AS_RECORDED, foldedGroups: new Set([0]) });
    expect(folded.byTrack.has(3)).toBe(false);
    expect(folded.rows.some((r) => r.kind === 'group' && r.closed)).toBe(true);
  });
});

test('tables are about one kind of tracks, or what belongs to the selected threads', () => {
  expect(whichTracks(RECORDING, new Set(), 'calls')).toEqual({ kind: 'calls' });
  expect(whichTracks(RECORDING, new Set([0]), 'calls')).toEqual({ tracks: [0] });
  expect(whichTracks(RECORDING, new Set([0, 2]), 'states')).toEqual({ tracks: [1, 2] });
  expect(whichTracks({ ...RECORDING, tracks: [TRACKS[4]!] }, new Set(), 'calls')).toEqual({});
});

describe('states', () => {
  test('are told from methods, and named by what is waited for', () => {
    const method = {
      id: 0,
      process: 0,
      type: 'monitor',
      name: 'a.b.Pool$Slot',
      descriptor: '',
      loader: '',
      source: '',
      line: 0,
    };
    expect(described(method)).toMatchObject({
      label: 'monitor Pool.Slot',
      short: 'monitor',
      full: 'monitor a.b.Pool$Slot',
    });
    expect(described({ ...method, type: 'sleep', name: '' }).label).toBe('sleep');
    expect(stateKind({ type: 'monitor', descriptor: '()V' })).toBeUndefined();
    expect(stateKind({ type: 'rwlock', descriptor: '' })).toBe('lock');
    expect(described({ ...method, type: 'mutex', name: 'queue' })).toMatchObject({
      state: 'lock',
      label: 'mutex queue',
    });
    expect(described({ ...method, descriptor: '()V' }).label).toBe('monitor.a.b.Pool$Slot');
    expect(described({ ...method, type: 'GC', name: 'G1New' })).toMatchObject({ label: 'G1New', full: 'GC: G1New' });
    expect(objectName('a.Pool', -1)).toBe('a.Pool@ffffffff');
    expect(objectName('a.Pool', 0)).toBe('a.Pool');
  });

  test.each(['light', 'dark'] as const)('can be told apart in the %s, also by those who see fewer colours', (theme) => {
    for (const see of [asSeen, protanope, deuteranope, tritanope]) {
      for (const kinds of [WAIT_KINDS, SCHEDULER_STATES]) {
        const colours = kinds.map((kind) => lab(see(stateColour(kind, theme))));
        for (let i = 0; i < colours.length; i++) {
          for (let j = 0; j < i; j++) {
            const apart = Math.hypot(...colours[i]!.map((c, k) => c - colours[j]![k]!));
            expect(apart, `${see.name}: ${kinds[i]} and ${kinds[j]}`).toBeGreaterThan(0.08);
          }
        }
      }
    }
  });

  test.each(['light', 'dark'] as const)('can be written on in the %s', (theme: Theme) => {
    const text = { light: [16, 22, 31], dark: [10, 13, 18] } as const;
    for (const kind of [...WAIT_KINDS, ...SCHEDULER_STATES])
      expect(contrast(stateColour(kind, theme), text[theme]), kind).toBeGreaterThan(4);
  });
});

test('an arrow is met at its line, and more easily at its ends', () => {
  const arrow: Arrow = { time: 0n, from: 1, to: 2, method: 0, waited: 5, message: false, takesTime: false };
  const place = { arrow, beginX: 100, x: 100, begin: 40, head: 200 } as ArrowPlace;
  expect(arrowAt([place], 101, 120)).toBe(place);
  expect(arrowAt([place], 104, 120)).toBeUndefined();
  expect(arrowAt([place], 104, 198)).toBe(place);
  expect(arrowAt([place], 104, 210)).toBeUndefined();
});

test('the more calls were counted in a time, the higher their bar', () => {
  const heights = [0, 1, 1000, 1e6, 1e9, 1e12].map((calls) => densityHeight(calls, 1e9));
  expect(heights[0]).toBe(0);
  heights.slice(1).forEach((height, i) => expect(height).toBeGreaterThanOrEqual(heights[i]!));
  expect(heights.at(-1)).toBe(1);
});

test('steps of the recorder have a direction and words', () => {
  expect(
    [
      [1, 2],
      [2, 3],
      [3, 0],
      [1, 0],
    ].map(([before, mode]) => isDown(before!, mode!)),
  ).toEqual([true, true, true, true]);
  expect(
    [
      [2, 1],
      [3, 2],
      [0, 3],
      [0, 1],
    ].some(([before, mode]) => isDown(before!, mode!)),
  ).toBe(false);
  expect(isNever({ mode: 0, reason: 'it cannot be recorded: its probes do not fit into it' })).toBe(true);
  expect(isNever({ mode: 0, reason: 'as in the run before: 7 calls/s on its busiest thread' })).toBe(false);
  expect(modeSays(3)).toBe('counted, timed by sample');
  expect(budgetSays({ budget: 50_000 })).toBe('budget: probes may take 5 % of a thread’s time');
  expect(budgetSays({ budget: -1 })).toBe('');
  const took = { probes: 30e6, weaving: 10e6, housekeeping: 2e6, lifetime: 1e9 };
  expect(tookSays({ took }).replaceAll('\u202f', ' ')).toBe(
    'recording took about 4.2 % of a processor: 30.00 ms probes, 10.00 ms inserting them, 2.000 ms Kymo’s threads',
  );
  expect(tookSays({})).toBe('');
});

test('counts are told in three digits', () => {
  expect([999_999, 1_234_567, 412_000_000, 999_600_000, 12_345_000_000].map(briefCount)).toEqual([
    '999\u202f999',
    '1.23\u202fM',
    '412\u202fM',
    '1.00\u202fG',
    '12.3\u202fG',
  ]);
});

test('the address keeps which arrows are shown and what the tables are about', () => {
  const address = { open: [], filter: '', arrows: 'monitor,lock', about: 'states', corrected: true, foldedGroups: [1] };
  expect(readAddress('#' + writeAddress(address))).toMatchObject(address);
  expect(readAddress('#arrows=none').arrows).toBe('none');
});

test('what was counted between two readings is spread evenly', () => {
  // Two spans: method 4 was timed in both, method 5 by sample in the second, where it was looked for.
  const numbers = [
    [1, 4, 2, 100, 100, 500, 500, 9, 1, 0, 100, 0],
    [2, 4, 2, 200, 200, 900, 900, 12, 1, 0, 200, 0, 5, 3, 50, 5, 25, 25, 7, 1, 1, 5, 1, 80, 60, 3, 10, 0],
  ].flat();
  const bytes = Uint8Array.from(numbers.flatMap((n) => (n < 128 ? [n] : [(n % 128) + 128, Math.floor(n / 128)])));
  const counts = TrackCounts.read({ from: [0, 10], to: [10, 30], calls: [100, 250] }, new NumberColumn(bytes));
  const calls = (from: number, to: number) => counts.between(from, to).map((one) => [one.method, one.calls, one.total]);
  expect(calls(0, Infinity)).toEqual([
    [4, 300, 1400],
    [5, 50, 25],
  ]);
  expect(calls(5, 20)).toEqual([
    [4, 150, 700],
    [5, 25, 12],
  ]);
  expect(calls(40, 50)).toEqual([]);
  expect(counts.between(0, 20).at(-1)!.spent).toMatchObject({ total: 40, self: 30, squares: 4.5, interval: 10 });
});

test('numbers that are cut off are an error', () => {
  expect(() => new NumberColumn(Uint8Array.of(200)).next()).toThrow('cut');
});

/** sRGB to linear light. */
function linear(rgb: Rgb): number[] {
  return rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
}

function mixed(light: readonly number[], matrix: readonly number[][]): number[] {
  return matrix.map((row) => row.reduce((sum, weight, i) => sum + weight * light[i]!, 0));
}

const asSeen = (rgb: Rgb) => linear(rgb);
// G. M. Machado and others, 2009: how colours look to those without one kind of cones.
const protanope = (rgb: Rgb) =>
  mixed(linear(rgb), [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ]);
const deuteranope = (rgb: Rgb) =>
  mixed(linear(rgb), [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ]);
const tritanope = (rgb: Rgb) =>
  mixed(linear(rgb), [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ]);

/** Linear light to OKLab, in which equal steps look about equal. */
function lab(light: readonly number[]): number[] {
  const cones = mixed(light, [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ]).map(Math.cbrt);
  return mixed(cones, [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ]);
}

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [a, b]
    .map((rgb) => mixed(linear(rgb), [[0.2126, 0.7152, 0.0722]])[0]! + 0.05)
    .sort((x, y) => y - x);
  return light! / dark!;
}

describe('rows of a program of which the kernel tells', () => {
  const tracks = [
    track(0, 'scheduled', 4, 'java'),
    track(1, 'scheduled', -1, 'kworker'),
    track(2, 'cpu', -1, 'CPU 0'),
    track(3, 'states', 4, 'main'),
    track(4, 'calls', -1, 'main'),
  ].map((t) => ({ ...t, process: t.id < 3 ? 1 : 2 }));
  const processes = [
    { ...PROCESS, process: 1 },
    { ...PROCESS, process: 2 },
  ];
  const recording: Recording = { ...RECORDING, tracks, processes };
  const { rows, byTrack, shown } = layout(recording, new Set(), '');

  test('are processors, the threads of others, and threads with their states above the calls', () => {
    expect(rows.map((r) => (r.kind === 'track' ? r.track.name : r.kind))).toEqual([
      'process',
      'group',
      'CPU 0',
      'kworker',
      'process',
      'main',
    ]);
    expect(rows[1]).toMatchObject({ of: 'cpu', tracks: 1 });
    expect(shown).toBe(2);
    expect(threadsOf(recording).map((t) => t.name)).toEqual(['kworker', 'main']);
    expect(mainTrack(recording, 0)).toBe(4);
    rows.forEach((r, i) => expect(r.top + r.height).toBe(rows[i + 1]?.top ?? r.top + r.height));
  });

  test('have two strips, both above the calls', () => {
    const main = byTrack.get(4) as TrackRow;
    expect([byTrack.get(0), byTrack.get(3)]).toEqual([main, main]);
    expect(lanesOf(main, 0, 1000).map((lane) => lane.track)).toEqual([4, 3, 0]);
    expect(main.statesBand!.top + main.statesBand!.height).toBeLessThanOrEqual(main.callsTop + 4);
    const [calls] = lanesOf(main, 0, 1000);
    const highest = bandsOf(main, calls!)[0]![1];
    expect(main.scheduledBand!.top).toBeGreaterThanOrEqual(main.statesBand!.top + main.statesBand!.height);
    expect(main.scheduledBand!.top + main.scheduledBand!.height).toBeLessThanOrEqual(highest.top);
    const [[, outer], [, inner]] = bandsOf(main, { track: 0, depths: '0-15' }) as [[number, Band], [number, Band]];
    expect(outer).toEqual(main.scheduledBand);
    expect(inner).toEqual({ top: outer.top + 5, height: 2 });
  });

  test('stay when a thread has nothing but what the kernel tells', () => {
    const kworker = byTrack.get(1) as TrackRow;
    expect(kworker.track).toBe(kworker.scheduled);
    expect(lanesOf(kworker, 0, 1000).map((lane) => lane.track)).toEqual([1]);
  });
});

test('what the kernel did is told in words', () => {
  const method = { id: 0, process: 0, type: 'blocked', name: 'futex', descriptor: '', loader: '', source: '', line: 0 };
  expect(described(method)).toMatchObject({ label: 'blocked in futex', short: 'blocked', full: 'blocked in futex' });
  expect(described({ ...method, name: '' }).label).toBe('blocked');
  expect(described({ ...method, type: 'thread', name: 'java 2001' })).toMatchObject({
    label: 'java 2001',
    full: 'thread: java 2001',
  });
  expect(byWhom('blocked', 'worker-3')).toBe('woken by worker-3');
  expect(byWhom('runnable', undefined)).toBe('');
  expect(kernelWords('interrupted', 'timer')).toBe('interrupted by timer');
});

test('a call is named as kymo why takes it', () => {
  expect(callId({ depth: 3, begin: 12_000_000_034n }, { process: 2, thread: 7 })).toBe('2/7:3@12.000000034');
  expect(callId({ depth: 0, begin: 0n }, { process: 1, thread: 1 })).toBe('1/1:0@0.000000000');
});

describe('arrows that would hide what they cross', () => {
  const rows = layout(RECORDING, new Set(), '').rows.filter((row) => row.kind === 'track');
  const [a, b, c] = [rows[0]!, rows[1]!, rows[2]!];
  const place = (time: bigint, waited = 0, takesTime = false): ArrowPlace => {
    const arrow: Arrow = { time, from: a.track.id, to: b.track.id, method: 0, waited, message: false, takesTime };
    return { arrow, from: a, to: b, beginX: 0, x: 0, begin: 0, head: 0 };
  };
  const many = Array.from({ length: 40 }, (_, i) => place(BigInt(i * 10)));

  test('are drawn if there are few', () => {
    expect(drawnOf(many.slice(0, 30), [])).toHaveLength(30);
  });

  test('are else those that lead to or from what is pointed at or selected', () => {
    expect(drawnOf(many, [undefined])).toEqual([]);
    const times = (row: typeof a, begin: bigint, end: bigint) =>
      drawnOf(many, [{ row, begin, end }]).map((drawn) => drawn.arrow.time);
    expect(times(b, 95n, 120n)).toEqual([100n, 110n, 120n]);
    expect(times(a, 95n, 105n)).toEqual([100n]);
    expect(times(c, 0n, 400n)).toEqual([]);
  });

  test('begin when they were sent, if they take time', () => {
    const slow = [...many, place(5000n, 3000, true)];
    expect(drawnOf(slow, [{ row: a, begin: 1990n, end: 2010n }])).toHaveLength(1);
    expect(drawnOf(slow, [{ row: a, begin: 4990n, end: 5010n }])).toHaveLength(0);
  });
});
