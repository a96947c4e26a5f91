import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { fromHex, legible, type Rgb } from '../../src/base/colours';
import { Hues } from '../../src/base/hues';
import { valueText } from '../../src/base/values';
import type { MethodAnswer, Process, Recording, Track } from '../../src/data/contract';
import { own, ownList, valueOf } from '../../src/data/local/own';
import { Methods } from '../../src/data/methods';
import type { Client } from '../../src/data/client';
import { firstAt, OwnPiece } from '../../src/data/own-piece';
import { type Arrow, beginOf } from '../../src/render/arrow';
import { arrowAt, type ArrowPlace } from '../../src/render/arrows';
import { levelOf, valueAt } from '../../src/render/curves';
import { layout, type TrackRow } from '../../src/render/layout';
import { markHeight, ownLanes } from '../../src/render/marks';

const COUNTERS = [7, 8, 9, 10].map((event) => ({ event, count: 3, min: 0, max: 10 }));
const FACTS = {
  process: 0,
  kind: 'calls',
  of: -1,
  counted: 0,
  virtual: false,
  tid: 1,
  javaId: 1,
  begin: 0n,
  end: 100n,
  calls: 1,
  events: 9,
  lost: 0,
} as const;
const TRACKS: Track[] = [
  { ...FACTS, id: 0, thread: 0, name: 'quiet', depth: 2 },
  { ...FACTS, id: 1, thread: 1, name: 'telling', depth: 2, instants: 5, countersInAll: 4, counters: COUNTERS },
  {
    ...FACTS,
    id: 2,
    thread: 2,
    name: 'counting',
    depth: 0,
    instants: 0,
    countersInAll: 1,
    counters: COUNTERS.slice(0, 1),
  },
];
const PROCESS: Process = { process: 0, pid: 7, parentPid: 1, command: 'x', jvm: '', end: 'ended', lost: 0, budget: 0 };
const RECORDING: Recording = {
  name: 'r',
  duration: 100n,
  wallBegin: 0n,
  processes: [PROCESS],
  tracks: TRACKS,
  oddities: [],
};

describe('rows of threads with events of their own', () => {
  const folded = layout(RECORDING, new Set(), '');
  const row = (id: number, of = folded) => of.byTrack.get(id) as TrackRow;

  test('have marks above the calls, and counters below them', () => {
    const telling = row(1);
    expect(telling.marksBand!.top + telling.marksBand!.height).toBeLessThanOrEqual(telling.callsTop + 4);
    expect(telling.counters.map(({ counter }) => counter.event)).toEqual([7, 8, 9]);
    const bands = telling.counters.map(({ band }) => band);
    expect(bands[0]!.top).toBeGreaterThanOrEqual(telling.callsTop + telling.callsHeight - 4);
    bands.forEach((band, i) => expect(band.top + band.height).toBeLessThan(bands[i + 1]?.top ?? telling.height));
    expect(row(1, layout(RECORDING, new Set([1]), '')).counters).toHaveLength(4);
  });

  test('are as they were without any', () => {
    expect(row(0)).toMatchObject({ marksBand: undefined, counters: [], callsTop: 0 });
    expect(ownLanes(row(0))).toEqual([]);
    expect(row(2).marksBand).toBeUndefined();
    expect(ownLanes(row(2))).toEqual([{ track: 2, depths: 'own' }]);
    expect(row(2).height).toBeLessThan(row(0).height);
  });

  test('have what the virtual machine tells of them, too', () => {
    const load = {
      ...FACTS,
      id: 3,
      kind: 'jvm',
      thread: 3,
      name: 'Load of telling',
      depth: 0,
      instants: 0,
      countersInAll: 1,
      counters: [{ event: 11, count: 2, min: 0, max: 100 }],
    } as const;
    const tracks = [...TRACKS, { ...load, of: 0 }, { ...load, id: 4, of: 1 }, { ...load, id: 5 }];
    const all = layout({ ...RECORDING, tracks }, new Set([1]), '');
    expect(row(0, all).counters.map(({ track, counter }) => [track, counter.event])).toEqual([[3, 11]]);
    expect(ownLanes(row(0, all))).toEqual([{ track: 3, depths: 'own' }]);
    expect(row(1, all).counters.map(({ track, counter }) => [track, counter.event])).toEqual([
      [1, 7],
      [1, 8],
      [1, 9],
      [1, 10],
      [4, 11],
    ]);
    expect(row(1, all).countersInAll).toBe(5);
    expect(ownLanes(row(1, all)).map(({ track }) => track)).toEqual([1, 4]);
    expect(all.byTrack.has(3)).toBe(false);
    // Of a thread without calls it is a row of its own, with the virtual machine.
    expect(row(5, all).track.name).toBe('Load of telling');
  });
});

test('marks know the most frequent of their kinds', () => {
  const marks = {
    begin: [0, 50, 90],
    end: [0, 60, 90],
    count: [1, 9, 2],
    different: [1, 5, 2],
    event: [4, 7, 8, 9, 1, 2],
    times: [1, 4, 2, 1, 1, 1],
  };
  const piece = new OwnPiece(0n, 100n, 1n, { track: 0, marks, curves: [] });
  expect([0, 1, 2].map((mark) => piece.mostOf(mark))).toEqual([4, 7, 1]);
  expect(piece.kindsOf(1)).toEqual([
    { event: 7, times: 4 },
    { event: 8, times: 2 },
    { event: 9, times: 1 },
  ]);
  expect(piece.kindsOf(2).map(({ event }) => event)).toEqual([1, 2]);
  expect([0, 1, 55, 61, 91].map((offset) => piece.firstMarkAt(offset))).toEqual([0, 1, 1, 2, 3]);
  expect(markHeight(1)).toBe(1);
  expect(markHeight(2)).toBeLessThan(markHeight(2000));
  expect(markHeight(1e9)).toBe(1);
});

test('a counter has the value that was told last', () => {
  const curve = { event: 7, before: 5, time: [10, 20, 20], min: [1, 2, 3], max: [4, 5, 6], last: [2, 5, 3] };
  expect(valueAt(curve, 9)).toEqual({ time: undefined, min: 5, max: 5, last: 5 });
  expect(valueAt(curve, 10)).toEqual({ time: 10, min: 1, max: 4, last: 2 });
  expect(valueAt(curve, 19.5)?.last).toBe(2);
  expect(valueAt(curve, 1000)?.last).toBe(3);
  expect(valueAt({ ...curve, before: null }, 9)).toBeUndefined();
  expect(levelOf({ event: 7, count: 1, min: -10, max: 10 }, 5)).toBe(0.75);
  expect(levelOf({ event: 7, count: 1, min: 3, max: 3 }, 3)).toBe(0.5);
  expect(firstAt([], 3)).toBe(0);
});

test('values are written as they are meant', () => {
  expect(valueText(1234567, 'u64 n;')).toBe('1\u202f234\u202f567');
  expect(valueText(-20, '')).toBe('−20');
  expect(valueText(1, 'bool open;')).toBe('true');
  expect(valueText(0.1 + 0.2, 'f64 x;')).toBe('0.3');
  expect(valueText(-0.5, 'f64 x;')).toBe('−0.5');
  expect(valueText(2 ** 64, 'u64 n;')).toBe('1.8447e19');
  expect(valueText(1e-9, 'f64 x;')).toBe('1.0000e−9');
  expect(['jobs=5', 'load=-0.5', 'open=true', 'open=false', '0x10', ''].map(valueOf)).toEqual([5, -0.5, 1, 0, 16, 0]);
});

describe('colours', () => {
  test('that somebody has chosen can be seen and written on in both themes', () => {
    for (const hex of ['#000000', '#ffffff', '#000080', '#ffff00', '#d04040']) {
      for (const [theme, least, most] of [
        ['light', 0.25, 0.75],
        ['dark', 0.15, 0.7],
      ] as const) {
        const grey = luminance(legible(fromHex(hex)!, theme));
        expect(grey, `${hex} ${theme}`).toBeGreaterThan(least - 0.1);
        expect(grey, `${hex} ${theme}`).toBeLessThan(most);
      }
    }
    expect(legible([150, 180, 140], 'light')).toEqual([150, 180, 140]);
    expect(fromHex('red')).toBeUndefined();
  });

  test('of events are those of their subsystem, or are chosen for it by its name', async () => {
    const answer = { process: 0, descriptor: '', loader: '', source: '', line: 0, type: 'disk' };
    const event = { kind: 0, description: '', fields: '', category: '', colour: '' };
    const answers: MethodAnswer[] = [
      { ...answer, id: 0, name: 'A', event: { ...event, colour: '#d0a040', category: 'I/O' } },
      { ...answer, id: 1, name: 'A', event: { ...event, category: 'I/O' } },
      { ...answer, id: 2, name: 'A', event },
    ];
    const methods = new Methods({
      methods: (ids: readonly number[]) => Promise.resolve(ids.map((id) => answers[id]!)),
    } as unknown as Client);
    const families = { of: 'package', names: [], others: ['disk'] } as const;
    const hues = new Hues();
    hues.adopt(families);
    methods.adopt(families);
    await methods.need([0, 1, 2]);
    expect(methods.colour(0, 'light')).toEqual(legible([0xd0, 0xa0, 0x40], 'light'));
    expect(methods.colour(1, 'light')).toEqual(hues.other('disk', 'A', 'light'));
    expect(methods.colour(2, 'dark')).toEqual(hues.other('disk', 'A', 'dark'));
    expect(methods.get(0)).toMatchObject({ full: 'disk.A', label: 'A', state: undefined });
  });
});

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

test('a message is met along its slope, and begins when it was sent', () => {
  const arrow: Arrow = { time: 100n, from: 1, to: 2, method: 0, waited: 40, message: true, takesTime: true };
  expect(beginOf(arrow)).toBe(60n);
  expect(beginOf({ ...arrow, waited: -40 })).toBe(140n);
  expect(beginOf({ ...arrow, takesTime: false })).toBe(100n);
  const place = { arrow, beginX: 100, begin: 40, x: 200, head: 140 } as ArrowPlace;
  expect(arrowAt([place], 150, 90)).toBe(place);
  expect(arrowAt([place], 150, 95)).toBeUndefined();
  expect(arrowAt([place], 204, 143)).toBe(place);
  expect(arrowAt([place], 230, 170)).toBeUndefined();
});

test('the address holds selected events, and leaves out what are none', () => {
  const address = { open: [], filter: '', events: { track: 3, from: 5n, to: 9n } };
  expect(writeAddress(address)).toBe('events=3,5,9');
  expect(readAddress('#events=3,5,9')).toMatchObject({ events: address.events });
  for (const wrong of ['3,9,5', '3,5', '3,5,9,1', 'x,5,9'])
    expect(readAddress('#events=' + wrong).events).toBeUndefined();
});

describe('in a page without a server', () => {
  const event = (kind: number, fields: string) => ({ kind, fields, description: '', category: '', colour: '' });
  const method = (id: number, kind: number, fields: string): MethodAnswer => ({
    id,
    process: 0,
    type: 'q',
    name: 'E' + id,
    descriptor: '',
    loader: '',
    source: '',
    line: 0,
    event: event(kind, fields),
  });
  const methods = [method(0, 0, ''), method(1, 1, ''), method(2, 3, 'u32 n;'), method(3, 3, 'str s;')];
  const tracks = [{ ...TRACKS[1]!, counters: [{ event: 2, count: 3, min: 1, max: 9 }] }];
  const data = {
    texts: ['', 'n=1', 'n=9', 'n=4', 's=x'],
    tracks: [{ time: [5, 100, 101, 102, 103, 200, 201], event: [2, 0, 1, 0, 2, 2, 3], text: [1, 0, 0, 0, 2, 3, 4] }],
  };
  const question = { from: 50n, to: 300n, resolution: 1n, tracks: [0] };

  test('many events are one mark, a counter is a curve', () => {
    const { marks, curves } = own(data, tracks, methods, question).tracks[0]!;
    expect(marks).toEqual({
      begin: [50, 151],
      end: [52, 151],
      count: [3, 1],
      different: [2, 1],
      event: [0, 1, 3],
      times: [2, 1, 1],
    });
    expect(curves).toEqual([{ event: 2, before: 1, time: [53, 150], min: [9, 4], max: [9, 4], last: [9, 4] }]);
  });

  test('events are listed with what they tell', () => {
    const list = ownList(data, methods, { track: 0, from: 101n, to: 200n, max: 2 });
    expect(list).toEqual({
      more: true,
      time: ['101', '102'],
      event: [1, 0],
      name: ['q.E1', 'q.E0'],
      text: ['', ''],
      stack: [[], []],
    });
    expect(ownList(data, methods, { track: 0, from: 200n, to: 200n, max: 2 })).toMatchObject({
      more: false,
      text: ['n=4'],
    });
  });
});
