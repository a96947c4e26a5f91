/** The server's answers as they arrive; docs/design/server.md says what they mean. */
import type { Families } from '../base/hues';
import type { Nanos } from '../base/time';

export interface Process {
  readonly process: number;
  readonly pid: number;
  readonly parentPid: number;
  readonly command: string;
  readonly jvm: string;
  readonly end: string;
  readonly lost: number;
  /** What its probes may take, in millionths of a thread's time: 0 any, −1 not known. */
  readonly budget: number;
  /** What recording it took, nanoseconds of processor time; missing if that is not known. */
  readonly took?: {
    readonly probes: number;
    readonly weaving: number;
    /** Kymo's own threads in it. */
    readonly housekeeping: number;
    readonly lifetime: number;
  };
}

/** A thread's calls, what a thread waited for, what the virtual machine did, what the kernel did with a thread, or a processor. */
export type TrackKind = 'calls' | 'states' | 'jvm' | 'scheduled' | 'cpu';

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
  /** Events of the program's own that are to be marked; these three are missing if there are no events of its own. */
  readonly instants?: number;
  /** Its counters, the first of them if there are very many. */
  readonly counters?: readonly Counter[];
  readonly countersInAll?: number;
}

/** A counter of a thread, and what it reaches from and to over the whole recording; a percentage at least from 0 to 100. */
export interface Counter {
  /** Number of its events, among those of methods. */
  readonly event: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

export interface Recording {
  readonly name: string;
  readonly duration: Nanos;
  readonly wallBegin: Nanos;
  readonly processes: readonly Process[];
  readonly tracks: readonly Track[];
  readonly oddities: readonly string[];
  /** What of it has a hue of its own. */
  readonly families?: Families;
  /** Of a part: how long after the begin of the whole recording it begins; times are told from there. */
  readonly origin?: Nanos;
  /** Parts can be cut out of it. */
  readonly onDisk?: boolean;
  /** It is still being written. */
  readonly growing?: boolean;
  /** Below 1 while a recording without an index is read for the first time: the share that was. */
  readonly read?: number;
  /** The program may have sent messages. */
  readonly messages?: boolean;
  /** There are events of the kernel, as the kernel has them. */
  readonly kernelEvents?: boolean;
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
  /** It is a kind of event of the program's own. */
  readonly event?: {
    readonly kind: number;
    /** Empty if it is the name. */
    readonly description: string;
    /** What its data are: `u64 size; str owner;`. */
    readonly fields: string;
    readonly category: string;
    /** `#rrggbb`, or empty. */
    readonly colour: string;
  };
}

/** Events of a program's own as they are marked, a column a fact; times are offsets. */
export interface MarkColumns {
  readonly begin: readonly number[];
  readonly end: readonly number[];
  readonly count: readonly number[];
  /** Of how many kinds they are. */
  readonly different: readonly number[];
  /** The most frequent kinds of each mark, three at most, one mark after the other; and how many are of each. */
  readonly event: readonly number[];
  readonly times: readonly number[];
}

/** A counter's values; the last of a point holds until the next one. */
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

/** Events of a program's own, with what they tell. */
export interface OwnListAnswer {
  /** There are others behind them. */
  readonly more: boolean;
  readonly time: readonly string[];
  readonly event: readonly number[];
  readonly name: readonly string[];
  readonly text: readonly string[];
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
  /** About how many calls were counted meanwhile: those that it made are in `self`. */
  readonly counted: number;
  readonly flags: number;
  readonly callers: readonly Caller[];
  /** Of a state: identity of what was waited for, 0 if that is not known. */
  readonly object?: number;
  /** Of a state: the track of states of the thread that let this one go on; of what the virtual machine did: of the thread that it was for; −1 if that is not known. */
  readonly other?: number;
}

/** What was found: a call, or an event of the program's own. */
export interface Found {
  readonly call: Call | null;
  readonly event?: { readonly track: number; readonly time: Nanos };
}

/** What is asked about; without a range the whole recording, without tracks all of them. */
export interface Scope {
  readonly from?: Nanos;
  readonly to?: Nanos;
  readonly tracks?: readonly number[];
  /** Without tracks: all of this kind only. */
  readonly kind?: TrackKind;
}

/** A row for each method that was called; durations are numbers of nanoseconds. */
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
  /** 1: for part of the selection it was left out, all numbers are lower bounds; 2: the times are, for want of looks. */
  readonly leftOut: readonly number[];
  /** What the self times were, by reason; what is left of them is not known. Null if nothing is. */
  readonly selfTime: SelfTimes | null;
  /** Without what the probes took, within ± `error`; null if that is not known. */
  readonly correctedTotal: ReadonlyArray<number | null> | null;
  readonly correctedSelf: ReadonlyArray<number | null> | null;
  readonly error: ReadonlyArray<number | null> | null;
}

/** Of each method; nanoseconds. */
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
  /** Nanoseconds that all of them are known to have spent themselves; it is in the self time of who called them. */
  readonly time: number;
  /** Those of each method. */
  readonly self: readonly number[];
  /** 1: not every call was timed. */
  readonly estimated: readonly number[];
  /** 1: the time of some calls is not known. */
  readonly atLeast: readonly number[];
}

/** From the threads that released to those that went on; both are tracks of states, or of calls if a thread never waited. */
export interface ArrowsAnswer {
  readonly more: boolean;
  readonly time: readonly string[];
  /** How long the one that went on had waited. */
  readonly waited: readonly number[];
  readonly fromTrack: readonly number[];
  readonly toTrack: readonly number[];
  readonly method: readonly number[];
}

/** Changes of how methods are recorded, in the order of time. */
export interface StepsAnswer {
  /** Later ones that are left out. */
  readonly cut: number;
  readonly time: readonly string[];
  readonly process: readonly number[];
  readonly method: readonly number[];
  readonly mode: readonly number[];
  readonly before: readonly number[];
  readonly reason: readonly string[];
}

/** Nodes in preorder, the costliest of siblings first. */
export interface TreeAnswer {
  readonly atLeast: boolean;
  /** Nodes left out, the smallest. */
  readonly cut: number;
  /** −1 for a root. */
  readonly parent: readonly number[];
  readonly method: readonly number[];
  readonly calls: readonly number[];
  readonly total: readonly number[];
  readonly self: readonly number[];
}

/** Who called one method, and what it called; nanoseconds. */
export interface ButterflyAnswer {
  readonly atLeast: boolean;
  readonly calls: number;
  /** Of calls of the method within each other the outermost counts. */
  readonly total: number;
  readonly self: number;
  /** What the outermost calls spent themselves: with the totals of the callees, all of the total. */
  readonly itself: number;
  readonly callers: ButterflySide;
  readonly callees: ButterflySide;
}

/** Methods on one side, the costliest first. */
export interface ButterflySide {
  /** Rows left out, the smallest. */
  readonly cut: number;
  /** −1: nobody, as far as it was recorded. */
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

/** What counters of the program's own were in a selection. */
export interface CountersAnswer {
  /** Rows left out. */
  readonly cut: number;
  readonly track: readonly number[];
  /** The counter's number, among those of methods. */
  readonly method: readonly number[];
  /** How often a value was told inside. */
  readonly count: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
  /** By time. */
  readonly mean: readonly number[];
  readonly last: readonly number[];
}

/** How long calls took when: cells of time by duration, in the order of time, each with its longest call. */
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

/** What happened, in the order of time; a row an event. */
export interface EventsAnswer {
  readonly time: readonly string[];
  readonly track: readonly number[];
  /** `EVENT_DEPTH` of an event of the program's own. */
  readonly depth: readonly number[];
  /** The method, state or kind of event; −1 of a loss or an event of the kernel’s. */
  readonly method: readonly number[];
  /** As `base/event-groups.ts` names them. */
  readonly kind: readonly number[];
  /** The call's or state's; of a message how long it was on its way, of a loss how long events were missing. */
  readonly duration: readonly number[];
  /** Track of who ended a state, or of the other end of a message; −1 if that is not known. */
  readonly other: readonly number[];
  /** Identity of what was waited for, 0 if that is not known. */
  readonly object: readonly number[];
  /** Of an event of the kernel’s; else empty. */
  readonly name: readonly string[];
  /** What it tells. */
  readonly text: readonly string[];
  /** There are others in the direction asked for. */
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
  /** Events of the program's own that match, but for those that begin a call. */
  readonly events: number;
  readonly width: string;
  /** Calls that begin in each bucket of the recording, and events. */
  readonly marks: readonly number[];
}

/** Calls and events that were looked for, in the order of their places. */
export interface HitsAnswer {
  readonly track: readonly number[];
  /** `EVENT_DEPTH` of an event. */
  readonly depth: readonly number[];
  readonly method: readonly number[];
  readonly begin: readonly string[];
  readonly duration: readonly number[];
}

/** Which of those looked for a call or event is. */
export interface RankAnswer {
  readonly before: number;
  readonly hit: boolean;
}

/** What a call's time went to; nanoseconds, and a number of page faults. */
export interface Split {
  readonly onCpu: number;
  readonly interrupted: number;
  readonly runnable: number;
  readonly blocked: number;
  readonly unknown: number;
  readonly faults: number;
}

/** States that a thread was in during a call, the longest first. */
export interface CauseParts {
  readonly method: readonly number[];
  /** Track of who let the thread go on or, of a runnable one, had the processor before; −1 if that is not known. */
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
  /** What was asked of the kernel: the others are 0 in the splits because nobody knows them. */
  readonly recorded: { readonly interrupted: boolean; readonly faults: boolean };
  readonly states: CauseParts;
  /** What the program tells of its waiting. */
  readonly waits: CauseParts;
  /** What it called directly. */
  readonly children: { readonly method: readonly number[]; readonly calls: readonly number[]; readonly time: readonly number[] };
  readonly self: number;
  readonly counted: number;
  /** Other calls of the method: how many, how many of them were looked at, and the medians. */
  readonly siblings: {
    readonly count: number;
    readonly looked: number;
    readonly explained: number;
    readonly duration: number;
    readonly split?: Split;
  };
}

/** What decided how long a stretch of a thread took: steps in the order of time, without gaps. */
export interface PathAnswer {
  /** Whether there are more before the first. */
  readonly cut: boolean;
  readonly kind: ReadonlyArray<'did' | 'waited' | 'message' | 'not begun'>;
  /** Of the thread's calls; of a thread without calls, the one that stands for it. */
  readonly track: readonly number[];
  readonly begin: readonly string[];
  readonly duration: readonly number[];
  /** What the thread was in for most of the step; −1 if that is not known. */
  readonly call: readonly number[];
  /**
   * What was waited for, or the event that sent the message. Of what a thread did: the wait of the
   * next step's thread that it ended; −1 for none.
   */
  readonly state: readonly number[];
  readonly object: readonly number[];
  readonly onCpu: readonly number[];
  readonly interrupted: readonly number[];
  readonly runnable: readonly number[];
  readonly blocked: readonly number[];
  readonly unknown: readonly number[];
}

/** What each thread did in a selection, and why it did not run; a row a thread. */
export interface ThreadsAnswer {
  /** Of its calls; of a thread without calls, the one that stands for it. */
  readonly track: readonly number[];
  /** 1 if the kernel tells of it; else all is `unknown`. */
  readonly scheduled: readonly number[];
  /** From its first to its last event there. */
  readonly time: readonly number[];
  /** As the program tells it. */
  readonly waited: readonly number[];
  readonly onCpu: readonly number[];
  readonly interrupted: readonly number[];
  readonly runnable: readonly number[];
  readonly blocked: readonly number[];
  readonly unknown: readonly number[];
  /** The longest states in which it did not run, by what and by whom (−1: not known). */
  readonly method: ReadonlyArray<readonly number[]>;
  readonly other: ReadonlyArray<readonly number[]>;
  readonly reasonTime: ReadonlyArray<readonly number[]>;
}

/** What happened to locks; a row an object, that for which threads waited longest first. */
export interface LocksAnswer {
  /** Whether the recording says anything of locks. */
  readonly recorded: boolean;
  readonly process: readonly number[];
  readonly kind: readonly string[];
  readonly label: readonly string[];
  /** −1: not known; of Java only waits are. */
  readonly acquired: readonly number[];
  readonly contended: readonly number[];
  readonly failed: readonly number[];
  readonly waited: readonly number[];
  readonly waitedP99: readonly number[];
  readonly waitedMax: readonly number[];
  readonly held: readonly number[];
  readonly heldMax: readonly number[];
  readonly heldKnown: readonly number[];
  readonly threads: readonly number[];
  /** How often it was held, and waited for, at the end. */
  readonly kept: readonly number[];
  readonly open: readonly number[];
  readonly atLeast: readonly number[];
  readonly longestTrack: readonly number[];
  readonly longestBegin: readonly string[];
  /** Threads each of which has what the one before it wants. */
  readonly cycles: ReadonlyArray<{
    /** They waited for each other until the end; else they could. */
    readonly happened: boolean;
    readonly track: readonly number[];
    readonly held: readonly string[];
    readonly wanted: readonly string[];
    readonly time: readonly string[];
  }>;
}

/** How far a recording has grown. */
export interface GrowthAnswer {
  readonly growing: boolean;
  /** Below 1 while a recording without an index is read for the first time: the share that was. */
  readonly read?: number;
  readonly duration: Nanos;
  readonly tracks: number;
  readonly methods: number;
}

/** A moment or an interval that somebody wanted to keep. */
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
  /** Why those kept so far cannot be read. */
  readonly damaged?: string;
}

/** Members that are times: decimal text on the wire. */
const TIMES = new Set(['begin', 'end', 'duration', 'wallBegin', 'self', 'from', 'to', 'resolution', 'time']);

/** For JSON.parse: turns the texts of times into bigints. Columns are arrays and stay numbers. */
export function withTimes(key: string, value: unknown): unknown {
  return typeof value === 'string' && TIMES.has(key) && /^-?\d+$/.test(value) ? BigInt(value) : value;
}
