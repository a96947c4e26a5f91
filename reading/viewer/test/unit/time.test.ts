import { describe, expect, test } from 'vitest';
import { brief, exact, grouped, niceStep, ruler } from '../../src/base/time';

/** Narrow spaces as plain ones, so that expectations can be read. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('times in full', () => {
  test.each([
    [0n, '0 ns'],
    [999n, '999 ns'],
    [1_000n, '1 µs'],
    [1_234n, '1.234 µs'],
    [12_345_678n, '12.345 678 ms'],
    [1_000_000_001n, '1.000 000 001 s'],
    [3_600_000_000_000n, '3 600 s'],
    [-1_500n, '−1.500 µs'],
    // Beyond 2^53, where a double would lose the last digit.
    [9_007_199_254_740_993n, '9 007 199.254 740 993 s'],
    [9_223_372_036_854_775_807n, '9 223 372 036.854 775 807 s'],
  ])('%d', (time, text) => expect(plain(exact(time))).toBe(text));
});

describe('times in brief', () => {
  test.each([
    [7n, '7 ns'],
    [1_234n, '1.234 µs'],
    [12_345n, '12.35 µs'],
    [123_456n, '123.5 µs'],
    [999_960n, '1.000 ms'],
    [999_999_999n, '1.000 s'],
    [61_000_000_000n, '61.00 s'],
  ])('%d', (time, text) => expect(plain(brief(time))).toBe(text));
});

test('whole numbers are grouped', () => {
  expect(plain(grouped(1234567))).toBe('1 234 567');
  expect(plain(grouped(-1000n))).toBe('−1 000');
});

describe('ruler', () => {
  test.each([
    [0.3, 1n],
    [1, 1n],
    [1.5, 2n],
    [2.1, 5n],
    [6, 10n],
    [34_000, 50_000n],
    [1e12, 1_000_000_000_000n],
  ])('a step of at least %d', (atLeast, step) => expect(niceStep(atLeast)).toBe(step));

  test('ticks are multiples of the step, within the window', () => {
    const { ticks, anchor } = ruler(130_000_000n, 460_000_000n, 100_000_000n);
    expect(anchor).toBe(0n);
    expect(ticks.map((tick) => tick.time)).toEqual([200_000_000n, 300_000_000n, 400_000_000n]);
    expect(ticks.map((tick) => plain(tick.label))).toEqual(['200 ms', '300 ms', '400 ms']);
  });

  test('labels show as many decimals as the step needs', () => {
    const { ticks } = ruler(1_000_000_000n, 2_000_000_000n, 250_000_000n);
    expect(ticks.map((tick) => plain(tick.label))).toEqual(['1.00 s', '1.25 s', '1.50 s', '1.75 s', '2.00 s']);
  });

  test('deep inside, labels count from an anchor', () => {
    const { ticks, anchor } = ruler(600_000_000n, 600_000_010n, 5n);
    expect(anchor).toBe(600_000_000n);
    expect(ticks.map((tick) => plain(tick.label))).toEqual(['+0 ns', '+5 ns', '+10 ns']);
  });

  test('single nanoseconds beyond 2^53 are told apart', () => {
    const from = 2n ** 60n;
    const { ticks, anchor } = ruler(from, from + 3n, 1n);
    expect(ticks.map((tick) => tick.time - from)).toEqual([0n, 1n, 2n, 3n]);
    expect(new Set(ticks.map((tick) => tick.label)).size).toBe(4);
    expect(anchor <= from).toBe(true);
  });
});
