import { SAME_METHOD } from '../base/flags';
import type { SliceColumns } from './contract';

type Slices = Pick<SliceColumns, 'begin' | 'end' | 'depth' | 'method' | 'calls' | 'flags'>;

/**
 * Makes one slice of calls that a loop makes: of neighbours that are too short to be drawn apart, are all of one
 * method, and lie in one call that is drawn by itself. The server's runs are short, because a run of several methods
 * has the name of one of them only. What may go on outside of the window stays as it is: nobody knows how many calls
 * these are.
 *
 * @param length of the window; slices are counted from its begin
 */
export function folded<T extends Slices>(slices: T, resolution: number, length: number): T {
  const { begin, end, depth, method, calls, flags } = slices;
  const outer = new Outer(slices);
  const isShort = (i: number) =>
    calls[i]! > 1 ? flags[i] === SAME_METHOD : flags[i] === 0 && end[i]! - begin[i]! < resolution;
  const goesOn = (a: number, b: number) =>
    depth[a] === depth[b] &&
    method[a] === method[b] &&
    begin[b]! - end[a]! < resolution &&
    isShort(a) &&
    isShort(b) &&
    (depth[a] === 0 || outer.covers(depth[a]! - 1, begin[a]!, end[b]!));
  const groups: Array<readonly [first: number, last: number]> = [];
  for (let i = 0; i < depth.length; i++) {
    const first = i;
    while (i + 1 < depth.length && goesOn(i, i + 1)) i++;
    if (begin[first]! > 0 && end[i]! < length) groups.push([first, i]);
    else for (let j = first; j <= i; j++) groups.push([j, j]);
  }
  if (groups.length === depth.length) return slices;
  const sums = groups.map(([first, last]) => calls.slice(first, last + 1).reduce((sum, count) => sum + count, 0));
  return {
    ...slices,
    begin: groups.map(([first]) => begin[first]!),
    end: groups.map(([, last]) => end[last]!),
    depth: groups.map(([first]) => depth[first]!),
    method: groups.map(([first]) => method[first]!),
    calls: sums,
    flags: groups.map(([first, last]) => (first < last ? SAME_METHOD : flags[first]!)),
  };
}

/** The slices around others; asked in the order of depth, then of begin. */
class Outer {
  private at = 0;

  constructor(private readonly slices: Slices) {}

  /** Whether one call of a depth covers a time. */
  covers(wanted: number, from: number, to: number): boolean {
    const { begin, end, depth, calls } = this.slices;
    while (depth[this.at]! < wanted || (depth[this.at] === wanted && end[this.at]! < to)) this.at++;
    return depth[this.at] === wanted && calls[this.at] === 1 && begin[this.at]! <= from;
  }
}
