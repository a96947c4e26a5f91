import type { Nanos } from '../base/time';
import type { SliceColumns } from './contract';

/** Rows of one track that are requested and kept together. */
export interface Lane {
  readonly track: number;
  /** Ranges such as `0-15`. */
  readonly depths: string;
}

export function laneKey(lane: Lane): string {
  return `${lane.track}:${lane.depths}`;
}

/** What is known between two times, as far as it is visible at a resolution. */
export class Extent {
  constructor(
    readonly from: Nanos,
    readonly to: Nanos,
    /** The requested resolution; the answer may be coarser if there was too much data. */
    readonly resolution: Nanos,
  ) {}

  /** Whether it shows the window as well as it can be shown. */
  serves(from: Nanos, to: Nanos, resolution: Nanos): boolean {
    return this.from <= from && this.to >= to && this.resolution <= resolution;
  }

  /** How many nanoseconds of a window it covers. */
  overlap(from: Nanos, to: Nanos): Nanos {
    const begin = this.from > from ? this.from : from;
    const end = this.to < to ? this.to : to;
    return end > begin ? end - begin : 0n;
  }
}

/** What a lane did between two times, as far as it is visible at a resolution. */
export class Piece extends Extent {
  /** Index of the first slice of each depth, and one index after the last. */
  private readonly starts = new Map<number, readonly [first: number, end: number]>();

  constructor(
    from: Nanos,
    to: Nanos,
    resolution: Nanos,
    readonly slices: SliceColumns,
    readonly cut: boolean,
  ) {
    super(from, to, resolution);
    const { depth } = slices;
    let first = 0;
    for (let i = 1; i <= depth.length; i++) {
      if (i === depth.length || depth[i] !== depth[first]) {
        this.starts.set(depth[first]!, [first, i]);
        first = i;
      }
    }
  }

  depths(): Iterable<number> {
    return this.starts.keys();
  }

  /** Indices of the slices at a depth. */
  range(depth: number): readonly [first: number, end: number] {
    return this.starts.get(depth) ?? [0, 0];
  }

  /** Index of the first slice of a depth that ends at an offset or later; they do not overlap. */
  firstEndingAt(depth: number, offset: number): number {
    const { end } = this.slices;
    let [low, high] = this.range(depth);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
