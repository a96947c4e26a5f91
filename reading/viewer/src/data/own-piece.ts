import type { Nanos } from '../base/time';
import type { CurveColumns, MarkColumns, OwnTrack } from './contract';
import { Extent } from './piece';

/** The events of a program's own on a track between two times, as far as they are visible at a resolution. */
export class OwnPiece extends Extent {
  readonly marks: MarkColumns;
  private readonly curves: ReadonlyMap<number, CurveColumns>;
  /** Where the kinds of each mark begin in the columns of kinds. */
  private readonly firstKinds: readonly number[];

  constructor(from: Nanos, to: Nanos, resolution: Nanos, { marks, curves }: OwnTrack) {
    super(from, to, resolution);
    this.marks = marks;
    this.curves = new Map(curves.map((curve) => [curve.event, curve]));
    let next = 0;
    this.firstKinds = marks.different.map((different) => {
      next += Math.min(KINDS, different);
      return next - Math.min(KINDS, different);
    });
  }

  curve(event: number): CurveColumns | undefined {
    return this.curves.get(event);
  }

  /** The most frequent kind of a mark. */
  mostOf(mark: number): number {
    return this.marks.event[this.firstKinds[mark]!]!;
  }

  /** The most frequent kinds of a mark with how many events are of each. */
  kindsOf(mark: number): ReadonlyArray<{ readonly event: number; readonly times: number }> {
    const { different, event, times } = this.marks;
    const first = this.firstKinds[mark]!;
    return Array.from({ length: Math.min(KINDS, different[mark]!) }, (_, i) => ({
      event: event[first + i]!,
      times: times[first + i]!,
    }));
  }

  /** Index of the first mark that ends at an offset or later. */
  firstMarkAt(offset: number): number {
    return firstAt(this.marks.end, offset);
  }
}

/** Maximum number of kinds reported per mark. */
const KINDS = 3;

/** Index of the first of ascending numbers that is not less than `least`. */
export function firstAt(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
