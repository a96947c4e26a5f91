/** The server's answers as they arrive; docs/design/server.md says what they mean. */
import type { Nanos } from '../base/time';

export interface Process {
  readonly process: number;
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
  readonly jvm: string;
  readonly end: string;
  readonly lost: number;
}

export interface Track {
  readonly id: number;
  readonly process: number;
  readonly thread: number;
  readonly name: string;
  readonly virtual: boolean;
  readonly tid: number;
  readonly javaId: number;
  readonly begin: Nanos;
  readonly end: Nanos;
  readonly calls: number;
  readonly events: number;
  readonly lost: number;
  readonly depth: number;
}

export interface Recording {
  readonly name: string;
  readonly duration: Nanos;
  readonly wallBegin: Nanos;
  readonly processes: readonly Process[];
  readonly tracks: readonly Track[];
  readonly oddities: readonly string[];
}

export interface MethodAnswer {
  readonly id: number;
  readonly process: number;
  readonly type: string;
  readonly name: string;
  readonly descriptor: string;
  readonly loader: string;
  readonly source: string;
  readonly line: number;
}

/** One track's slices, a column a fact, in order of depth and then of begin. */
export interface SliceColumns {
  readonly begin: readonly number[];
  readonly end: readonly number[];
  readonly depth: readonly number[];
  readonly method: readonly number[];
  readonly calls: readonly number[];
  readonly flags: readonly number[];
  readonly gaps: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly lost: readonly number[];
    /** Whether more were lost, nobody knows how many. */
    readonly unknown: readonly boolean[];
  };
}

export interface WindowAnswer {
  readonly coarser: boolean;
  readonly cut: boolean;
  readonly tracks: ReadonlyArray<SliceColumns & { readonly track: number }>;
}

export interface Caller {
  readonly method: number;
  readonly begin: Nanos;
  readonly end: Nanos;
}

export interface Call extends Caller {
  readonly track: number;
  readonly depth: number;
  readonly self: Nanos;
  readonly children: number;
  readonly flags: number;
  readonly callers: readonly Caller[];
}

/** Members that are times: decimal text on the wire. */
const TIMES = new Set(['begin', 'end', 'duration', 'wallBegin', 'self', 'from', 'to', 'resolution']);

/** For JSON.parse: turns the texts of times into bigints. Columns are arrays and stay numbers. */
export function withTimes(key: string, value: unknown): unknown {
  return typeof value === 'string' && TIMES.has(key) && /^-?\d+$/.test(value) ? BigInt(value) : value;
}
