import { describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../src/base/address';
import { CALL_TIME, sampleMeasure, unitSays } from '../../src/base/measure';
import type { Recording } from '../../src/data/contract';
import { ShownSamples } from '../../src/state/shown-samples';
import { onAllTracks } from '../../src/views/parts/scope';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test('what the width of a box is, in words', () => {
  expect(plain(CALL_TIME.brief(1_500_000))).toBe('1.500 ms');
  expect(CALL_TIME.counted(1)).toBe('1 call');
  expect(sampleMeasure('').brief(1)).toBe('1 sample');
  expect(plain(sampleMeasure('').exact(12_345))).toBe('12 345 samples');
  expect(plain(sampleMeasure('ns').exact(1_001_001))).toBe('1.001 001 ms');
  expect(plain(sampleMeasure('cycles').brief(1_000_000))).toBe('1 000 000 cycles');
  expect(sampleMeasure('cycles').counted(2)).toBe('2 samples');
  const bytes = sampleMeasure('bytes');
  expect([0, 999, 1000, 1024, 10_240, 102_400, 1_048_576, 3 * 2 ** 40].map((n) => plain(bytes.brief(n)))).toEqual([
    '0 bytes',
    '999 bytes',
    '0.98 KiB',
    '1.00 KiB',
    '10.0 KiB',
    '100 KiB',
    '1.00 MiB',
    '3.00 TiB',
  ]);
  expect(plain(bytes.exact(10_240))).toBe('10 240 bytes');
  expect(['', 'ns', 'bytes', 'cycles'].map(unitSays)).toEqual(['number', 'time', 'bytes', 'cycles']);
});

const ALL = [
  { name: 'jdk.ExecutionSample', units: [] },
  { name: 'cpu/a=1,b=2/', units: ['cycles'] },
  { name: 'jdk.Allocation', units: ['bytes'] },
];

describe('what the flame graph shows', () => {
  const recordingOf = (calls: number, samples?: Recording['samples']) =>
    ({ tracks: [{ calls }], ...(samples ? { samples } : {}) }) as unknown as Recording;
  const shown = (recording: Recording) =>
    new ShownSamples(
      () => recording,
      () => undefined,
    );

  test('is calls without samples, and samples without calls', () => {
    const calls = shown(recordingOf(3));
    expect([calls.on, calls.choice]).toEqual([false, false]);
    calls.apply({ open: [], filter: '', flame: 'samples' });
    expect(calls.on).toBe(false);
    const samples = shown(recordingOf(0, { first: true, kinds: ALL }));
    expect([samples.on, samples.choice]).toEqual([true, false]);
    samples.apply({ open: [], filter: '', flame: 'calls' });
    expect(samples.on).toBe(true);
  });

  test('is what the recording says more of, or what was chosen', () => {
    const both = shown(recordingOf(3, { first: false, kinds: ALL }));
    expect([both.on, both.choice]).toEqual([false, true]);
    both.show('samples');
    expect(both.on).toBe(true);
    expect(both.address()).toEqual({ flame: 'samples' });
    expect(shown(recordingOf(3, { first: true, kinds: ALL })).on).toBe(true);
  });

  test('is of the chosen kinds, at least of one', () => {
    const samples = shown(recordingOf(0, { first: true, kinds: ALL }));
    expect(samples.kinds).toEqual(['jdk.ExecutionSample']);
    samples.toggle('jdk.Allocation');
    samples.toggle('cpu/a=1,b=2/');
    expect(samples.kinds).toEqual(ALL.map((kind) => kind.name));
    expect(samples.units).toEqual(['cycles', 'bytes']);
    samples.weigh('bytes');
    for (const { name } of ALL.slice(0, 2)) samples.toggle(name);
    expect([samples.kinds, samples.unit]).toEqual([['jdk.Allocation'], 'bytes']);
    samples.toggle('jdk.Allocation');
    expect([samples.kinds, samples.unit]).toEqual([['jdk.ExecutionSample'], '']);
  });

  test('is in the address', () => {
    const samples = shown(recordingOf(3, { first: true, kinds: ALL }));
    samples.show('samples');
    samples.toggle('jdk.ExecutionSample');
    samples.toggle('cpu/a=1,b=2/');
    samples.toggle('jdk.ExecutionSample');
    samples.weigh('cycles');
    const text = writeAddress({ open: [], filter: '', ...samples.address() });
    expect(text).toBe('flame=samples&samples=cpu%2Fa%3D1%2Cb%3D2%2F&unit=cycles');
    const other = shown(recordingOf(3, { first: false, kinds: ALL }));
    other.apply(readAddress('#' + text));
    expect([other.on, other.kinds, other.unit]).toEqual([true, ['cpu/a=1,b=2/'], 'cycles']);
    other.apply(readAddress('#flame=none&samples=&samples=unknown&unit=none'));
    expect([other.on, other.kinds, other.unit]).toEqual([false, ['jdk.ExecutionSample'], '']);
  });
});

test('samples are looked for on all tracks of the selected threads', () => {
  const tracks = [
    { id: 0, of: -1 },
    { id: 1, of: 0 },
    { id: 2, of: -1 },
  ];
  const recording = { tracks } as unknown as Recording;
  const range = { from: 1n, to: 2n };
  expect(onAllTracks({ ...range, kind: 'states' }, recording, new Set())).toEqual(range);
  expect(onAllTracks({ ...range, tracks: [0] }, recording, new Set([0]))).toEqual({ ...range, tracks: [0, 1] });
  expect(onAllTracks({ tracks: [1] }, recording, new Set([2]))).toEqual({ tracks: [2] });
});
