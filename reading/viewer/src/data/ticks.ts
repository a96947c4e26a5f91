/** Multiples of powers of ten that ticks may stand at, the roundest first. */
const ROUND: ReadonlyArray<readonly number[]> = [[1], [5], [2], [3], [4, 6, 7, 8, 9]];

export interface Tick {
  readonly value: number;
  /** Where it is on the axis, 0 to 1. */
  readonly share: number;
}

/**
 * Round numbers on a logarithmic axis: powers of ten first, and others between them if there is room.
 *
 * @param apart the smallest distance between ticks, as a share of the axis
 */
export function logTicks(from: number, to: number, shareOf: (value: number) => number, apart: number): Tick[] {
  const ticks: Tick[] = [];
  const put = (value: number) => {
    if (value < from || value > to || !Number.isInteger(value)) return;
    const share = shareOf(value);
    if (ticks.every((tick) => Math.abs(tick.share - share) >= apart)) ticks.push({ value, share });
  };
  for (const multiples of ROUND) {
    for (let power = 1; power <= to; power *= 10) multiples.forEach((multiple) => put(multiple * power));
  }
  // Within a small range there may be none of these.
  if (ticks.length < 2) {
    const step = roundStep((to - from) / 3);
    for (let value = Math.ceil(from / step) * step; value <= to; value += step) put(value);
  }
  return ticks.sort((a, b) => a.value - b.value);
}

/** The largest of 1, 2, 5, 10, … that is not larger, but at least 1. */
function roundStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return Math.max(1, power * ([5, 2, 1].find((each) => each * power <= most) ?? 1));
}

/** Where a duration is among bars of equal width, 0 to 1; within a bar by its logarithm. */
export function shareAmong(bound: readonly number[], value: number): number {
  const bars = bound.length - 1;
  const after = bound.findIndex((each) => each > value);
  if (after < 0) return 1;
  if (after === 0) return 0;
  const [low, high] = [bound[after - 1]!, bound[after]!];
  const part = low > 0 ? Math.log(value / low) / Math.log(high / low) : value / high;
  return (after - 1 + part) / bars;
}

/** Round numbers on an even axis, about as many as wanted. */
export function evenTicks(from: number, to: number, wanted: number): Tick[] {
  const step = roundStep((to - from) / wanted);
  const ticks: Tick[] = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) {
    ticks.push({ value, share: (value - from) / Math.max(1, to - from) });
  }
  return ticks;
}
