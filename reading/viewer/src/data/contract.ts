/** The server's answers as they arrive; docs/design/server.md says what they mean. */
import type { Families } from '../base/hues';
import type { Nanos } from '../base/time';
import type { TrackKind } from '../base/words';

export interface Process {
  readonly process: number;
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
  readonly jvm: string;
  readonly end: string;
  readonly lost: number;
  /** Nanoseconds by which its times may be wrong on the recording's clock; 0 or missing: that is its own. */
  readonly clockError?: number;
  /** The budget of its probes, in millionths of a thread's time: 0 unlimited, −1 not known. */
  readonly budget: number;
  /** What recording it cost, nanoseconds of processor time; missing if that is not known. */
  readonly took?: {
    readonly probes: number;
    readonly weaving: number;
    /** Kymo's own threads in it. */
    readonly housekeeping: number;
    readonly lifetime: number;
  };
}

export interface Track {
  readonly id: number;
  readonly process: number;
  readonly thread: number;
  readonly kind: TrackKind;
  /** Of states and scheduled ones: the track of the same thread's calls, −1 if there is none. */
  readonly of: number;
  /** Calls that were counted, not recorded one by one. */
  readonly counted: number;
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
  /** Events of the program's own to be marked; this and the next two are missing if there are no such events. */
  readonly instants?: number;
  /** Its counters; only the first ones if there are very many. */
  readonly counters?: readonly Counter[];
  readonly countersInAll?: number;
}

/** A counter of a thread with its range over the whole recording; of a percentage at least 0 to 100. */
export interface Counter {
  /** Number of its events, among those of methods. */
  readonly event: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

/** The version of the shown recording; missing if there is only one. */
export interface Editioned {
  readonly edition?: number;
  /** What is to be known of the next one; empty: nothing. */
  readonly news?: string;
}

export interface Recording extends Editioned {
  readonly name: string;
  readonly duration: Nanos;
  readonly wallBegin: Nanos;
  readonly processes: readonly Process[];
  readonly tracks: readonly Track[];
  readonly oddities: readonly string[];
  /** What has a hue of its own. */
  readonly families?: Families;
  /** Of a part: its begin, counted from the begin of the whole recording; times are shown from there. */
  readonly origin?: Nanos;
  /** Parts can be cut out of it. */
  readonly onDisk?: boolean;
  /** It is still being written. */
  readonly growing?: boolean;
  /** The share that was read; below 1 while a recording without an index is read for the first time, or imported. */
  readonly read?: number;
  /** It is made of another tracer's file, which is being read. */
  readonly importing?: boolean;
  /** The program may have sent messages. */
  readonly messages?: boolean;
  /** What samples there may be; missing if there are none. */
  readonly samples?: {
    /** Only what has samples has calls, if anything has: samples say more. */
    readonly first: boolean;
    readonly kinds: readonly SampleKind[];
  };
  /** There are raw events of the kernel. */
  readonly kernelEvents?: boolean;
  /** Executed instructions were recorded. */
  readonly instructions?: boolean;
}

/** A kind of samples. */
export interface SampleKind {
  readonly name: string;
  /** What they can be weighed by, beside their number: `bytes`, `ns`, or something else that was counted. */
  readonly units: readonly string[];
}

/** Rows of an answer to a question in SQL, as far as they are sent. */
export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Numbers that are not exact in a browser are texts. */
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** There are more rows. */
  readonly more: boolean;
  /** Number of times in the selection when events were lost. */
  readonly gaps: number;
}

/** What helps to ask in SQL. */
export interface QueryHelp {
  readonly questions: readonly ReadyQuestion[];
  /** The columns of each table. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly functions: readonly { readonly call: string; readonly meaning: string }[];
}

/** A question that many have; its SQL has the initial values of the parameters. */
export interface ReadyQuestion {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly kind: string;
    readonly initial: string;
    readonly meaning: string;
  }[];
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
  /** Set if it is a kind of event of the program's own. */
  readonly event?: {
    readonly kind: number;
    /** Empty if it is the name. */
    readonly description: string;
    /** The fields of its data: `u64 size; str owner;`. */
    readonly fields: string;
    readonly category: string;
    /** `#rrggbb`, or empty. */
    readonly colour: string;
  };
}

/** Marks for events of a program's own, one column per fact; times are offsets. */
export interface MarkColumns {
  readonly begin: readonly number[];
  readonly end: readonly number[];
  readonly count: readonly number[];
  /** Of how many kinds they are. */
  readonly different: readonly number[];
  /** The most frequent kinds of each mark, at most three, mark by mark; and the number of events of each. */
  readonly event: readonly number[];
  readonly times: readonly number[];
}

/** A counter's values; the last one of a point holds until the next point. */
export interface CurveColumns {
  readonly event: number;
  /** Its value when the window began, null if it had none. */
  readonly before: number | null;
  readonly time: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly last: readonly number[];
}

export interface OwnTrack {
  readonly track: number;
  readonly marks: MarkColumns;
  readonly curves: readonly CurveColumns[];
}

export interface OwnAnswer {
  readonly tracks: readonly OwnTrack[];
}

/** Events of a program's own with their data. */
export interface OwnListAnswer {
  /** There are more after these. */
  readonly more: boolean;
  readonly time: readonly string[];
  readonly event: readonly number[];
  readonly name: readonly string[];
  readonly text: readonly string[];
  /** Methods of each event's stack, the innermost first; empty if it has none. */
  readonly stack: ReadonlyArray<readonly number[]>;
}

/** One track's slices, one column per fact, in order of depth and then of begin. */
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
    /** Whether an unknown number more were lost. */
    readonly unknown: readonly boolean[];
  };
  /** How many calls were counted between two readings of the counters. */
  readonly counts: {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly calls: readonly number[];
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
  /** About how many calls were counted during it; the time of those that it made is in `self`. */
  readonly counted: number;
  readonly flags: number;
  readonly callers: readonly Caller[];
  /** Of a state: identity of the object waited for, 0 if not known. */
  readonly object?: number;
  /**
   * Of a state: the states track of the thread that let this one continue. Of work of the virtual machine: that of the
   * thread it was done for. −1 if not known.
   */
  readonly other?: number;
}

/** What was found: a call, or an event of the program's own. */
export interface Found {
  readonly call: Call | null;
  readonly event?: { readonly track: number; readonly time: Nanos };
}

/** What a question covers; without a range the whole recording, without tracks all tracks. */
export interface Scope {
  readonly from?: Nanos;
  readonly to?: Nanos;
  readonly tracks?: readonly number[];
  /** Without tracks: all tracks of this kind. */
  readonly kind?: TrackKind;
}

/** One row per called method; durations are in nanoseconds. */
export interface SummaryAnswer {
  /** Events were lost in the selection: counts and times are lower bounds. */
  readonly atLeast: boolean;
  readonly method: readonly number[];
  readonly calls: readonly number[];
  readonly total: readonly number[];
  readonly self: readonly number[];
  readonly average: readonly number[];
  readonly p50: readonly number[];
  readonly p99: readonly number[];
  readonly max: readonly number[];
  /** Where the longest call is; points in time are decimal text. */
  readonly maxTrack: readonly number[];
  readonly maxDepth: readonly number[];
  readonly maxBegin: readonly string[];
  /** How many of the calls were counted, not recorded one by one. */
  readonly counted: readonly number[];
  /** 1: part of the time was measured by sample. */
  readonly estimated: readonly number[];
  /**
   * Why numbers are lower bounds: 1: it was left out for part of the selection; 2: only the times are, because some
   * counted calls were not timed; 3: events were lost; 0: they are not.
   */
  readonly missing: readonly number[];
  /** The self times by reason; the rest of them is not known. Null if nothing is known. */
  readonly selfTime: SelfTimes | null;
  /** Without the cost of the probes, within ± `error`; null if not known. */
  readonly correctedTotal: ReadonlyArray<number | null> | null;
  readonly correctedSelf: ReadonlyArray<number | null> | null;
  readonly error: ReadonlyArray<number | null> | null;
}

/** By method, in nanoseconds. */
export interface SelfTimes {
  readonly weaving: readonly number[];
  readonly waiting: readonly number[];
  readonly stopped: readonly number[];
  readonly blocked: readonly number[];
  readonly runnable: readonly number[];
  readonly loading: readonly number[];
  readonly running: readonly number[];
}

/** Calls that were counted, and so are in no tree, list or picture; most calls first. */
export interface CountedAnswer {
  readonly calls: number;
  readonly method: readonly number[];
  readonly counted: readonly number[];
  readonly mode: readonly number[];
  /** Known self time of all of them in nanoseconds; it is part of the self time of their callers. */
  readonly time: number;
  /** By method. */
  readonly self: readonly number[];
  /** 1: not every call was timed. */
  readonly estimated: readonly number[];
  /** 1: the time of some calls is not known. */
  readonly atLeast: readonly number[];
}

/**
 * From the threads that released to those that continued; both are tracks of states, or of calls if a thread never
 * waited.
 */
export interface ArrowsAnswer {
  readonly more: boolean;
  readonly time: readonly string[];
  /** How long the thread that continued had waited. */
  readonly waited: readonly number[];
  readonly fromTrack: readonly number[];
  readonly toTrack: readonly number[];
  readonly method: readonly number[];
}

/** Changes in how methods are recorded, in the order of time. */
export interface StepsAnswer {
  /** Number of later ones that are left out. */
  readonly cut: number;
  readonly time: readonly string[];
  readonly process: readonly number[];
  readonly method: readonly number[];
  readonly mode: readonly number[];
  readonly before: readonly number[];
  readonly reason: readonly string[];
}

/** Where executed instructions are irregular, in the order of time: a page. */
export interface PointsAnswer {
  /** Number of points in the selection. */
  readonly total: number;
  /** Those of them that are before the time that was asked for. */
  readonly before: number;
  /** All kinds: how many points of each the selection has, and how many of the recording are not listed. */
  readonly kinds: {
    readonly word: readonly string[];
    readonly count: readonly number[];
    readonly unlisted: readonly number[];
  };
  readonly time: readonly string[];
  readonly track: readonly number[];
  readonly kind: readonly number[];
  readonly address: readonly string[];
  readonly module: readonly string[];
  readonly function: readonly string[];
  readonly text: readonly string[];
}

/** Nodes in preorder, the costliest of siblings first. */
export interface TreeAnswer {
  readonly atLeast: boolean;
  /** Number of nodes left out, the smallest ones. */
  readonly cut: number;
  /** −1 for a root. */
  readonly parent: readonly number[];
  readonly method: readonly number[];
  readonly calls: readonly number[];
  readonly total: readonly number[];
  readonly self: readonly number[];
}

/** Who called whom in samples: calls are samples, times are their weights or, without a unit, their number. */
export interface SamplesAnswer extends TreeAnswer {
  /** All kinds in the selection, with their numbers. */
  readonly kinds: { readonly name: readonly string[]; readonly samples: readonly number[] };
  /** Samples that are not in the tree because nobody knows their stack. */
  readonly unknown: number;
}

/** The callers and callees of one method; times in nanoseconds. */
export interface ButterflyAnswer {
  readonly atLeast: boolean;
  readonly calls: number;
  /** Of nested calls of the method, the outermost counts. */
  readonly total: number;
  readonly self: number;
  /** Self time of the outermost calls; together with the totals of the callees it makes the total. */
  readonly itself: number;
  readonly callers: ButterflySide;
  readonly callees: ButterflySide;
}

/** Methods on one side, the costliest first. */
export interface ButterflySide {
  /** Number of rows left out, the smallest ones. */
  readonly cut: number;
  /** −1: no caller was recorded. */
  readonly method: readonly number[];
  readonly calls: readonly number[];
  readonly total: readonly number[];
}

export interface DurationsAnswer {
  readonly calls: number;
  /** Bucket i holds durations from bound[i] to below bound[i + 1]. */
  readonly bound: readonly number[];
  readonly count: readonly number[];
  readonly outliers: {
    readonly track: readonly number[];
    readonly depth: readonly number[];
    readonly begin: readonly string[];
    readonly duration: readonly number[];
  };
}

/** Statistics of the program's own counters in a selection. */
export interface CountersAnswer {
  /** Rows left out. */
  readonly cut: number;
  readonly track: readonly number[];
  /** The counter's number, among those of methods. */
  readonly method: readonly number[];
  /** How many values were recorded in the selection. */
  readonly count: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  /** By time. */
  readonly mean: readonly number[];
  readonly last: readonly number[];
}

/** Durations of calls over time: cells of time and duration in the order of time, each with its longest call. */
export interface LatenciesAnswer {
  /** Begin of the first column and width of each, nanoseconds as decimal text. */
  readonly from: string;
  readonly width: string;
  /** Row i holds durations from bound[i] to below bound[i + 1]. */
  readonly bound: readonly number[];
  readonly column: readonly number[];
  readonly row: readonly number[];
  readonly count: readonly number[];
  readonly track: readonly number[];
  readonly depth: readonly number[];
  readonly begin: readonly string[];
  readonly duration: readonly number[];
}

/** What happened, in the order of time; one row per event. */
export interface EventsAnswer {
  readonly time: readonly string[];
  readonly track: readonly number[];
  /** `EVENT_DEPTH` of an event of the program's own. */
  readonly depth: readonly number[];
  /** The method, state or kind of event; −1 for a loss or an event of the kernel. */
  readonly method: readonly number[];
  /** As `base/event-groups.ts` names them. */
  readonly kind: readonly number[];
  /** Duration of the call, state, message or loss. */
  readonly duration: readonly number[];
  /** Track of the thread that ended a state, or of the other end of a message; −1 if not known. */
  readonly other: readonly number[];
  /** Identity of the object waited for, 0 if not known. */
  readonly object: readonly number[];
  /** Of an event of the kernel; otherwise empty. */
  readonly name: readonly string[];
  /** What it tells. */
  readonly text: readonly string[];
  /** There are more in the requested direction. */
  readonly more: boolean;
}

/** The whole recording in buckets of equal width. */
export interface OverviewAnswer {
  /** Nanoseconds, as decimal text. */
  readonly width: string;
  readonly events: readonly number[];
  readonly lost: readonly number[];
  /** Calls that were counted, not recorded; missing if there are none. */
  readonly counted?: readonly number[];
}

export interface SearchAnswer {
  /** At most a thousand of those that match. */
  readonly methods: readonly number[];
  readonly matching: number;
  readonly calls: number;
  /** Events of the program's own that match, except those that begin a call. */
  readonly events: number;
  readonly width: string;
  /** Calls that begin in each bucket of the recording, and events. */
  readonly marks: readonly number[];
}

/** Calls and events that match a search, in the order of their places. */
export interface HitsAnswer {
  readonly track: readonly number[];
  /** `EVENT_DEPTH` of an event. */
  readonly depth: readonly number[];
  readonly method: readonly number[];
  readonly begin: readonly string[];
  readonly duration: readonly number[];
}

/** The rank of a call or event among the matches of a search. */
export interface RankAnswer {
  readonly before: number;
  readonly hit: boolean;
}

/** Where a call's time went: nanoseconds, and the number of page faults. */
export interface Split {
  readonly running: number;
  readonly interrupted: number;
  readonly runnable: number;
  readonly blocked: number;
  readonly unknown: number;
  readonly faults: number;
}

/** States that a thread was in during a call, the longest first. */
export interface CauseParts {
  readonly method: readonly number[];
  /**
   * Track of the thread that let this one continue or, if it was runnable, had the processor before; −1 if not known.
   */
  readonly other: readonly number[];
  readonly object: readonly number[];
  readonly count: readonly number[];
  readonly time: readonly number[];
}

/** Why a call took as long as it did. */
export interface Why {
  /** Track of what the kernel did with the thread; −1 if that was not recorded. */
  readonly scheduled: number;
  readonly split: Split;
  /** What the kernel was asked to record; everything else is 0 in the splits because it is not known. */
  readonly recorded: { readonly interrupted: boolean; readonly faults: boolean };
  readonly states: CauseParts;
  /** Waiting as the program reports it. */
  readonly waits: CauseParts;
  /** What it called directly. */
  readonly children: {
    readonly method: readonly number[];
    readonly calls: readonly number[];
    readonly time: readonly number[];
  };
  readonly self: number;
  readonly counted: number;
  /** Other calls of the method: how many, how many of them were examined, and the medians. */
  readonly siblings: {
    readonly count: number;
    readonly looked: number;
    readonly explained: number;
    readonly duration: number;
    readonly split?: Split;
  };
}

/** What determined how long a stretch of a thread took: steps in the order of time, without gaps. */
export interface PathAnswer {
  /** Whether there are more steps before the first. */
  readonly cut: boolean;
  readonly kind: ReadonlyArray<'did' | 'waited' | 'message' | 'not begun'>;
  /** The track of the thread's calls, or the main track of a thread without calls. */
  readonly track: readonly number[];
  readonly begin: readonly string[];
  readonly duration: readonly number[];
  /** The method or state that the thread was in for most of the step; −1 if not known. */
  readonly call: readonly number[];
  /**
   * The wait, or the event that sent the message. If the thread ran: the wait of the
   * next step's thread that this thread ended; −1 for none.
   */
  readonly state: readonly number[];
  readonly object: readonly number[];
  readonly running: readonly number[];
  readonly interrupted: readonly number[];
  readonly runnable: readonly number[];
  readonly blocked: readonly number[];
  readonly unknown: readonly number[];
}

/** What each thread did in a selection, and why it did not run; one row per thread. */
export interface ThreadsAnswer {
  readonly threads: TableAnswer;
  /** The track of its calls, or the main track of a thread without calls. */
  readonly track: readonly number[];
  /** The longest states in which it did not run, with the reason and the other thread (−1: not known). */
  readonly method: ReadonlyArray<readonly number[]>;
  readonly other: ReadonlyArray<readonly number[]>;
  readonly reasonTime: ReadonlyArray<readonly number[]>;
}

/** A table as `reading/tables` defines it. */
export interface TableAnswer {
  readonly rows: number;
  readonly columns: readonly TableColumn[];
}

export interface TableColumn {
  readonly id: string;
  readonly label: string;
  readonly unit: 'count' | 'bytes' | 'nanos' | 'moment' | 'number' | 'address' | 'share' | 'value' | 'flag' | 'text';
  readonly meaning: string;
  /** By row; null: there is none. Points in time and addresses are text. */
  readonly values: ReadonlyArray<number | string | boolean | null>;
  /** By row: what is shown if there is no value; missing: nothing. */
  readonly absent?: readonly string[];
  /** Rows whose value may be larger than known. */
  readonly atLeast?: readonly number[];
}

/** What happened to locks. */
export interface LocksAnswer {
  /** Whether the recording has information on locks. */
  readonly recorded: boolean;
  /** One row per object, sorted by the time that threads waited for it. */
  readonly locks: TableAnswer;
  /** By row: the track of the thread that waited longest; −1: nobody waited. */
  readonly longestTrack: readonly number[];
  /** A cycle of threads: each has what the one before it wants. */
  readonly cycles: ReadonlyArray<{
    /** They waited for each other until the end; otherwise they only could have. */
    readonly happened: boolean;
    readonly track: readonly number[];
    readonly held: readonly string[];
    readonly wanted: readonly string[];
    readonly time: readonly string[];
  }>;
}

/** How far a recording has grown. */
export interface GrowthAnswer extends Editioned {
  readonly growing: boolean;
  /** The share that was read; below 1 while a recording without an index is read for the first time, or imported. */
  readonly read?: number;
  /** It is made of another tracer's file, which is being read. */
  readonly importing?: boolean;
  readonly duration: Nanos;
  readonly tracks: number;
  readonly methods: number;
}

/** A moment or an interval that a reader wants to keep. */
export interface Bookmark {
  readonly id: string;
  readonly from: Nanos;
  /** The same as `from` for a moment. */
  readonly to: Nanos;
  readonly track?: number;
  readonly text: string;
  readonly colour: number;
}

export interface BookmarksAnswer {
  readonly version: number;
  readonly bookmarks: readonly Bookmark[];
  /** Why the stored ones cannot be read. */
  readonly damaged?: string;
}

/** Members that are times: decimal text on the wire. */
const TIMES = new Set(['begin', 'end', 'duration', 'wallBegin', 'self', 'from', 'to', 'resolution', 'time']);

/** For JSON.parse: turns the texts of times into bigints. Columns are arrays and stay numbers. */
export function withTimes(key: string, value: unknown): unknown {
  return typeof value === 'string' && TIMES.has(key) && /^-?\d+$/.test(value) ? BigInt(value) : value;
}
