import type { TrackCounts } from './counts';
import type { CallColumns } from './columns';

/** Flag: an outer call of the same method was running. Only here, never in an answer. */
export const NESTED = 32;

/** Gaps of one track, one column per fact; a negative loss means an unknown number. */
export interface Gaps {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly lost: readonly number[];
}

/** Of each state, the object waited for, and the track of the thread that ended it, −1 if not known. */
export interface Details {
  readonly object: Uint32Array;
  readonly other: Int32Array;
}

/**
 * The calls of one track, in the order of their ends: callees come before their caller. Times
 * are nanoseconds since the recording's begin, as numbers: a page holds no more than 2^53 of them.
 */
export class TrackCalls {
  readonly count: number;
  readonly begin: Float64Array;
  readonly end: Float64Array;
  readonly depth: Uint32Array;
  readonly method: Uint32Array;
  readonly flags: Uint8Array;
  /** Indices of the calls by depth, then by time. */
  private readonly order: Uint32Array;
  /** By depth: where its calls begin in `order`; and the end. */
  private readonly starts: Uint32Array;
  private eventOrder: Uint32Array | undefined;

  constructor(
    readonly id: number,
    all: CallColumns,
    first: number,
    count: number,
    readonly gaps: Gaps,
    readonly counts: TrackCounts,
    readonly details: Details | undefined,
  ) {
    const end = first + count;
    this.count = count;
    this.begin = all.begin.subarray(first, end);
    this.end = all.end.subarray(first, end);
    this.depth = all.depth.subarray(first, end);
    this.method = all.method.subarray(first, end);
    this.flags = all.flags.subarray(first, end);
    this.starts = startsOf(this.depth);
    this.order = new Uint32Array(count);
    const next = this.starts.slice();
    for (let i = 0; i < count; i++) this.order[next[this.depth[i]!]!++] = i;
  }

  /** How many calls are nested at most. */
  get depths(): number {
    return this.starts.length - 1;
  }

  /** Places in a depth's row: from the first up to the last, exclusive. */
  row(depth: number): readonly [first: number, end: number] {
    return depth < this.depths ? [this.starts[depth]!, this.starts[depth + 1]!] : [0, 0];
  }

  /** The call at a place of a row. */
  at(place: number): number {
    return this.order[place]!;
  }

  /** The first place in a depth's row whose call ends at or after a time. */
  firstEndingAt(depth: number, time: number): number {
    let [low, high] = this.row(depth);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[this.at(middle)]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The call of a depth that covers a time span; if one ends as the next begins, the next. */
  covering(depth: number, from: number, to: number): number | undefined {
    let found: number | undefined;
    const [, end] = this.row(depth);
    for (let place = this.firstEndingAt(depth, to); place < end; place++) {
      const call = this.at(place);
      if (this.begin[call]! > from) break;
      if (found === undefined || this.begin[call]! >= this.begin[found]!) found = call;
    }
    return found;
  }

  /** The direct callees of a call: the calls before it that are one level deeper, back to its sibling. */
  children(call: number): number[] {
    const depth = this.depth[call]!;
    const found: number[] = [];
    for (let i = call - 1; i >= 0 && this.depth[i]! > depth; i--) {
      if (this.depth[i] === depth + 1) found.push(i);
    }
    return found.reverse();
  }

  /** The track of the thread that ended a state; undefined if the track has no states. */
  other(call: number): number | undefined {
    return this.details?.other[call];
  }

  overlaps(call: number, from: number, to: number): boolean {
    return this.end[call]! >= from && this.begin[call]! <= to;
  }

  /**
   * Begins and ends of all calls in their original order: a call's number times two, plus one
   * for its end. Times alone do not give the order, because many are equal.
   */
  events(): Uint32Array {
    this.eventOrder ??= eventOrder(this.depth);
    return this.eventOrder;
  }

  eventTime(event: number): number {
    return event % 2 === 0 ? this.begin[event >>> 1]! : this.end[event >>> 1]!;
  }
}

function startsOf(depth: Uint32Array): Uint32Array {
  let depths = 0;
  for (const d of depth) depths = Math.max(depths, d + 1);
  const starts = new Uint32Array(depths + 1);
  for (const d of depth) starts[d + 1]!++;
  for (let d = 0; d < depths; d++) starts[d + 1]! += starts[d]!;
  return starts;
}

/** Goes backwards: a call's end, its callees, then its begin. */
function eventOrder(depth: Uint32Array): Uint32Array {
  const events = new Uint32Array(depth.length * 2);
  const open: number[] = [];
  let at = events.length;
  for (let call = depth.length - 1; call >= 0; call--) {
    while (open.length > 0 && depth[open.at(-1)!]! >= depth[call]!) events[--at] = open.pop()! * 2;
    events[--at] = call * 2 + 1;
    open.push(call);
  }
  while (open.length > 0) events[--at] = open.pop()! * 2;
  return events;
}
