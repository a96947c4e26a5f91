type Rgb = readonly [number, number, number];

const SAME: Rgb = [232, 228, 220];
const SLOWER: Rgb = [235, 87, 71];
const FASTER: Rgb = [84, 140, 240];

/** Red is slower, blue is faster: those two are told apart by all eyes. `log` is to base 2: twice as long is all red. */
export function colour(log: number): string {
  const part = Math.max(-1, Math.min(1, log));
  const end = part > 0 ? SLOWER : FASTER;
  return `rgb(${SAME.map((value, i) => Math.round(value + (end[i]! - value) * Math.abs(part))).join(' ')})`;
}
