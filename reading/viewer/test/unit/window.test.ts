import { describe, expect, test } from 'vitest';
import { between, clamped, offsetIn, panned, timeAt, windowEnd, windowOf, zoomed } from '../../src/base/window';

const LATE = 2n ** 60n;

describe('zooming', () => {
  test('keeps the time under the pointer', () => {
    const window = windowOf(1000n, 2000n);
    const closer = zoomed(window, 0.25, 0.5, 10_000n);
    expect(closer.span).toBe(500);
    expect(timeAt(closer, 0.25)).toBe(timeAt(window, 0.25));
  });

  test('in and out again comes back to the very nanosecond, however late', () => {
    let window = windowOf(LATE, LATE + 1_000_000n);
    for (let i = 0; i < 10; i++) window = zoomed(window, 0.5, 0.5, 2n ** 61n);
    for (let i = 0; i < 10; i++) window = zoomed(window, 0.5, 2, 2n ** 61n);
    expect(window.start).toBe(LATE);
    expect(window.span).toBe(1_000_000);
  });

  test('ends at ten nanoseconds and at the whole recording', () => {
    expect(zoomed(windowOf(0n, 100n), 0.5, 1e-9, 1000n).span).toBe(10);
    expect(zoomed(windowOf(0n, 100n), 0.5, 1e9, 1000n).span).toBe(1000);
  });
});

describe('panning', () => {
  test('moves by parts of a nanosecond', () => {
    const window = panned(windowOf(LATE, LATE + 10n), 0.01);
    expect(window.start).toBe(LATE);
    expect(window.part).toBeCloseTo(0.1);
    expect(offsetIn(window, LATE + 1n)).toBeCloseTo(0.9);
  });

  test('stays inside the recording', () => {
    expect(clamped(windowOf(-50n, 50n), 1000n)).toEqual({ start: 0n, part: 0, span: 100 });
    expect(clamped(windowOf(990n, 1090n), 1000n)).toEqual({ start: 900n, part: 0, span: 100 });
    expect(clamped(windowOf(0n, 5000n), 1000n)).toEqual({ start: 0n, part: 0, span: 1000 });
  });

  test('survives recordings of nothing', () => {
    expect(clamped(windowOf(0n, 0n), 0n)).toEqual({ start: 0n, part: 0, span: 10 });
  });
});

test('the end is rounded up', () => {
  expect(windowEnd({ start: 5n, part: 0.5, span: 10 })).toBe(16n);
});

test('a movement begins and ends where it should', () => {
  const [a, b] = [windowOf(0n, 1000n), windowOf(400n, 500n)];
  expect(between(a, b, 0)).toEqual(a);
  expect(between(a, b, 1)).toBe(b);
  const middle = between(a, b, 0.5);
  expect(middle.span).toBeGreaterThan(100);
  expect(middle.start >= 0n && windowEnd(middle) <= 1000n).toBe(true);
});
