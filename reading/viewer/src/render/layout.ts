import type { Counter, Process, Recording, Track } from '../data/contract';
import type { Lane } from '../data/piece';
import { type Arrangement, AS_RECORDED, filterOf, namesIn, sorted } from './arrange';
import { type Crowd, crowdsOf } from './crowds';
import { groupsOf, type ThreadTracks } from './groups';

/** Heights in CSS pixels. */
export const PROCESS_HEIGHT = 30;
/** The heading of a group within a process. */
const GROUP_HEIGHT = 24;
const STEPS_HEIGHT = 24;
/** The row of a crowd. */
const CROWD_HEIGHT = 44;
/** A folded thread's row; with few threads there is room for more of each. */
const FOLDED_HEIGHTS: ReadonlyArray<readonly [threads: number, height: number]> = [
  [8, 60],
  [20, 44],
  [Infinity, 32],
];
/** A row in which only states are drawn. */
const BARE_HEIGHT = 28;
/** What the virtual machine did, and processors: many rows that are not deep. */
const OTHERS_HEIGHT = 22;
export const CALL_HEIGHT = 19;
const PADDING = 4;
/** The facts beside an unfolded thread need this much. */
const MIN_OPEN_HEIGHT = 72;
/** Rows of an unfolded thread that are asked for together. */
const BLOCK = 16;
/** What a thread waited for, above its calls: thin, or high enough for text. */
const STATES_HEIGHT = 7;
const OPEN_STATES_HEIGHT = 15;
const BARE_STATES_HEIGHT = 16;
/** How many of its calls were counted. */
const COUNTS_HEIGHT = 9;
const STRIP_GAP = 2;
/** Events of the program's own. */
const MARKS_HEIGHT = 10;
/** A thread without anything else needs only the room for its name. */
const NO_CALLS_HEIGHT = 14;
/** A counter's curve. A folded thread shows only the first of its counters. */
const COUNTER_HEIGHT = 18;
const OPEN_COUNTER_HEIGHT = 34;
/** The scale beside it must not run into that of the next counter. */
const OPEN_COUNTER_GAP = 8;
const FOLDED_COUNTERS = 3;

interface Placed {
  readonly top: number;
  readonly height: number;
}

/** A row of the picture: the heading of a process or of a group in it, what the recorder did, or a thread. */
export type Row = ProcessRow | GroupRow | CrowdRow | StepsRow | TrackRow;

export interface ProcessRow extends Placed {
  readonly kind: 'process';
  readonly process: Process;
  /** How many of its threads pass the filter. */
  readonly threads: number;
  /** Whether they are folded away. */
  readonly closed: boolean;
}

/** What the virtual machine did, the processors, or threads of which no call is recorded. */
export interface GroupRow extends Placed {
  readonly kind: 'group';
  readonly of: 'jvm' | 'cpu' | 'idle';
  readonly process: Process;
  readonly tracks: number;
  readonly closed: boolean;
}

/** A crowd of threads as one row; its threads follow it if it is unfolded. */
export interface CrowdRow extends Placed {
  readonly kind: 'crowd';
  readonly crowd: Crowd;
  /** The threads of the crowd that pass the filter. */
  readonly members: readonly Track[];
  readonly closed: boolean;
}

/** When the recorder began to record a method in another way. */
export interface StepsRow extends Placed {
  readonly kind: 'steps';
  readonly process: Process;
}

export interface TrackRow extends Placed {
  readonly kind: 'track';
  /** The track of its calls; if it has none, of its states, or of what the kernel did with it. */
  readonly track: Track;
  /** Of an unfolded thread: the depths that there is room for. */
  readonly depth: number;
  readonly states: Track | undefined;
  readonly scheduled: Track | undefined;
  readonly open: boolean;
  /** Others of its process have the same name. */
  readonly namesake: boolean;
  /** Where in the row its states are, how many calls were counted, its calls, and what the kernel did with it. */
  readonly statesBand: Band | undefined;
  readonly countsBand: Band | undefined;
  /** Where its own events are marked. */
  readonly marksBand: Band | undefined;
  readonly callsTop: number;
  readonly callsHeight: number;
  readonly scheduledBand: Band | undefined;
  readonly counters: readonly CounterStrip[];
  /** The number of counters, including those that are not drawn. */
  readonly countersInAll: number;
}

/** A counter, the track with its values, and where it is drawn. */
export interface CounterStrip {
  readonly track: number;
  readonly counter: Counter;
  readonly band: Band;
}

/** Command of the process whose threads are lanes of activities. */
const ACTIVITIES = 'activities';

export interface Layout {
  readonly rows: readonly Row[];
  readonly height: number;
  /** Threads that pass the filter. */
  readonly shown: number;
  /** The rows of tracks, of states as well. */
  readonly byTrack: ReadonlyMap<number, TrackRow>;
}

export const NO_LAYOUT: Layout = { rows: [], height: 0, shown: 0, byTrack: new Map() };

/** Whether its threads are lanes of activities. */
export function isOfActivities({ pid, command }: Pick<Process, 'pid' | 'command'>): boolean {
  return pid === 0 && command === ACTIVITIES;
}

/** Activities come before the programs that they go through, and those before what the kernel reports beside them. */
function programsFirst(processes: readonly Process[]): readonly Process[] {
  const rank = (process: Process) => (isOfActivities(process) ? 0 : process.pid !== 0 ? 1 : 2);
  return [...processes].sort((a, b) => rank(a) - rank(b));
}

/** Lays the rows out; processes with `steps` have a row for them. */
export function layout(
  recording: Recording,
  open: ReadonlySet<number>,
  filter: string,
  arrangement: Arrangement = AS_RECORDED,
  steps: ReadonlySet<number> = new Set(),
  depths: ReadonlyMap<number, number> = new Map(),
): Layout {
  const groups = groupsOf(recording, arrangement, filterOf(filter, recording.processes));
  const rows: Row[] = [];
  let height = 0;
  const add = (row: Row) => {
    rows.push(row);
    height += row.height;
  };
  const folded = FOLDED_HEIGHTS.find(([threads]) => groups.shown <= threads)![1];
  const namesakes = namesakesIn(recording);
  const addTrack = (thread: ThreadTracks) =>
    add(trackRow(thread, height, open.has(thread.track.id), folded, namesakes, depths.get(thread.track.id)));
  groups.pinned.forEach(addTrack);
  // A search unfolds what it finds.
  const searched = namesIn(filter) !== '';
  const crowds = crowdsOf(recording);
  const addThreads = (threads: readonly ThreadTracks[]) => {
    const crowded = new Map<Crowd, ThreadTracks[]>();
    for (const thread of threads) {
      const crowd = crowds.get(thread.track.id);
      const members = crowd && crowded.get(crowd);
      if (members) members.push(thread);
      else if (crowd) crowded.set(crowd, [thread]);
      else addTrack(thread);
    }
    for (const [crowd, members] of crowded) {
      const away = !searched && arrangement.foldedCrowds.has(crowd.key);
      add({
        kind: 'crowd',
        top: height,
        height: CROWD_HEIGHT,
        crowd,
        members: members.map(({ track }) => track),
        closed: away,
      });
      if (!away) members.forEach(addTrack);
    }
  };
  for (const process of programsFirst(recording.processes)) {
    const { threads, others, idle } = groups.of(process.process);
    if (threads.length + others.length + idle.length === 0 && filter.trim() !== '') continue;
    const closed = !searched && arrangement.folded.has(process.process);
    add({
      kind: 'process',
      top: height,
      height: PROCESS_HEIGHT,
      process,
      threads: threads.length + idle.length,
      closed,
    });
    if (closed) continue;
    if (steps.has(process.process)) add({ kind: 'steps', top: height, height: STEPS_HEIGHT, process });
    if (others.length > 0) {
      const away = !searched && arrangement.foldedGroups.has(process.process);
      const of = others[0]!.track.kind === 'cpu' ? 'cpu' : 'jvm';
      add({ kind: 'group', of, top: height, height: GROUP_HEIGHT, process, tracks: others.length, closed: away });
      // Threads with the same work are numbered: they belong together.
      if (!away) machineFirst(sorted(others, 'name')).forEach(addTrack);
    }
    addThreads(sorted(threads, arrangement.sort));
    if (idle.length > 0) {
      const away = !searched && arrangement.foldedIdle.has(process.process);
      add({ kind: 'group', of: 'idle', top: height, height: GROUP_HEIGHT, process, tracks: idle.length, closed: away });
      if (!away) sorted(idle, arrangement.sort).forEach(addTrack);
    }
  }
  const byTrack = new Map<number, TrackRow>();
  for (const row of rows) {
    if (row.kind !== 'track') continue;
    byTrack.set(row.track.id, row);
    for (const strip of stripsOf(row)) byTrack.set(strip.track.id, row);
  }
  return { rows, height, shown: groups.shown, byTrack };
}

/** What the virtual machine did comes before its threads. */
function machineFirst(others: readonly ThreadTracks[]): readonly ThreadTracks[] {
  const did = (thread: ThreadTracks) => thread.track.kind === 'jvm' || thread.track.kind === 'cpu';
  return [...others.filter(did), ...others.filter((thread) => !did(thread))];
}

/** Names that several threads of a process share, each with the process before it. */
function namesakesIn({ tracks }: Recording): ReadonlySet<string> {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const track of tracks) {
    if (track.of >= 0) continue;
    const name = nameWithin(track);
    (seen.has(name) ? again : seen).add(name);
  }
  return again;
}

function nameWithin({ process, name }: Track): string {
  return `${process} ${name}`;
}

function trackRow(
  { track, states, scheduled, machine }: ThreadTracks,
  top: number,
  open: boolean,
  folded: number,
  namesakes: ReadonlySet<string>,
  inSight = track.depth,
): TrackRow {
  const namesake = track.name !== '' && namesakes.has(nameWithin(track));
  const depth = Math.min(track.depth, Math.max(1, inSight));
  const facts = { kind: 'track', top, track, depth, states, scheduled, open, namesake } as const;
  if (track === states || track === scheduled) {
    const height = open ? MIN_OPEN_HEIGHT : BARE_HEIGHT;
    const band = { top: (BARE_HEIGHT - BARE_STATES_HEIGHT) / 2, height: BARE_STATES_HEIGHT };
    const bands = {
      statesBand: states && band,
      scheduledBand: scheduled && band,
      countsBand: undefined,
      marksBand: undefined,
    };
    return { ...facts, counters: [], countersInAll: 0, ...bands, height, callsTop: height, callsHeight: 0 };
  }
  let callsTop = 0;
  const strip = (wanted: boolean, height: number): Band | undefined => {
    if (!wanted) return undefined;
    const band = { top: PADDING + callsTop, height };
    callsTop += height + STRIP_GAP;
    return band;
  };
  const stripHeight = open ? OPEN_STATES_HEIGHT : STATES_HEIGHT;
  const statesBand = strip(states !== undefined, stripHeight);
  const scheduledBand = strip(scheduled !== undefined, stripHeight);
  const countsBand = strip(track.counted > 0, COUNTS_HEIGHT);
  const marksBand = strip((track.instants ?? 0) > 0, MARKS_HEIGHT);
  const toldOf = [track, machine].flatMap((of) => of?.counters?.map((counter) => ({ track: of.id, counter })) ?? []);
  const own = marksBand !== undefined || toldOf.length > 0;
  const callsHeight = open
    ? openHeight(depth)
    : own && track.depth === 0
      ? NO_CALLS_HEIGHT
      : track.kind === 'jvm' || track.kind === 'cpu'
        ? OTHERS_HEIGHT
        : folded;
  const callsEnd = callsTop + callsHeight;
  const countersTop = callsEnd;
  const counters = counterStrips(toldOf, countersTop - PADDING + STRIP_GAP, open);
  const countersInAll = (track.countersInAll ?? 0) + (machine?.countersInAll ?? 0);
  const last = counters.at(-1)?.band;
  const height = last ? last.top + last.height + PADDING : countersTop;
  return {
    ...facts,
    height,
    statesBand,
    countsBand,
    marksBand,
    callsTop,
    callsHeight,
    scheduledBand,
    counters,
    countersInAll,
  };
}

function counterStrips(
  counters: ReadonlyArray<Omit<CounterStrip, 'band'>>,
  top: number,
  open: boolean,
): CounterStrip[] {
  const height = open ? OPEN_COUNTER_HEIGHT : COUNTER_HEIGHT;
  const shown = open ? counters : counters.slice(0, FOLDED_COUNTERS);
  const gap = open ? OPEN_COUNTER_GAP : STRIP_GAP;
  return shown.map((counter, i) => ({ ...counter, band: { top: top + i * (height + gap), height } }));
}

function openHeight(depth: number): number {
  return Math.max(MIN_OPEN_HEIGHT, depth * CALL_HEIGHT + 2 * PADDING + 4);
}

/** The index of the row at a height, or of the last one above it. */
export function rowIndexAt(rows: readonly Row[], y: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle]!.top <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The rows between two heights. */
export function rowsBetween(rows: readonly Row[], top: number, bottom: number): readonly Row[] {
  if (rows.length === 0) return [];
  const first = rowIndexAt(rows, top);
  let end = first;
  while (end < rows.length && rows[end]!.top < bottom) end++;
  return rows.slice(first, end);
}

/** Where something lies within a thread's row. */
export interface Band {
  readonly top: number;
  readonly height: number;
}

/**
 * The depths a folded thread shows. Up to 16 all of them; of deeper ones the outer eight and then
 * ever fewer down to the deepest, so that deep recursion shows without making the rest too thin.
 */
export function foldedDepths(depth: number): readonly number[] {
  if (depth <= BLOCK) return Array.from({ length: depth }, (_, i) => i);
  const outer = BLOCK / 2;
  const depths = Array.from({ length: outer }, (_, i) => i);
  const ratio = (depth - 1) / (outer - 1);
  for (let i = 1; i <= outer; i++) {
    const next = Math.round((outer - 1) * Math.pow(ratio, i / outer));
    depths.push(Math.max(next, depths[depths.length - 1]! + 1));
  }
  return depths;
}

export function foldedBand(rowHeight: number, count: number, index: number): Band {
  const room = rowHeight - 2 * PADDING;
  const top = Math.round((room * index) / count);
  const bottom = Math.round((room * (index + 1)) / count);
  return { top: PADDING + top, height: Math.max(1, bottom - top) };
}

export function openBand(depth: number): Band {
  return { top: PADDING + depth * CALL_HEIGHT, height: CALL_HEIGHT - 1 };
}

/** Depths as the contract writes them. */
export function depthText(depths: readonly number[]): string {
  const last = depths.length - 1;
  return depths[last] === last ? `0-${last}` : depths.join();
}

/** The lanes needed to paint a row; `top` and `bottom` are its visible part. */
export function lanesOf(row: TrackRow, top: number, bottom: number): Lane[] {
  const bare = row.track === row.states || row.track === row.scheduled;
  const lanes = bare ? [] : callLanes(row, top - row.callsTop, bottom - row.callsTop);
  for (const strip of stripsOf(row)) lanes.push({ track: strip.track.id, depths: '0-15' });
  return lanes;
}

/** States of a thread, in a band of their own. */
export interface Strip {
  readonly track: Track;
  readonly band: Band;
}

/** The strips of a row: what a thread waited for, and what the kernel did with it. */
export function stripsOf({ states, statesBand, scheduled, scheduledBand }: TrackRow): Strip[] {
  const strips: Strip[] = [];
  if (states && statesBand) strips.push({ track: states, band: statesBand });
  if (scheduled && scheduledBand) strips.push({ track: scheduled, band: scheduledBand });
  return strips;
}

/** The strip of a row that shows a track. */
export function stripOf(row: TrackRow, track: number): Strip | undefined {
  return stripsOf(row).find((strip) => strip.track.id === track);
}

function callLanes(row: TrackRow, top: number, bottom: number): Lane[] {
  const { track } = row;
  if (track.depth === 0) return [{ track: track.id, depths: '0-15' }];
  if (!row.open) {
    const depths = track.depth <= BLOCK ? '0-15' : depthText(foldedDepths(track.depth));
    return [{ track: track.id, depths }];
  }
  const first = Math.max(0, Math.floor((top - row.top - PADDING) / CALL_HEIGHT));
  // One more than there is room for, to find out whether more room is needed.
  const last = Math.min(track.depth - 1, row.depth, Math.floor((bottom - row.top - PADDING) / CALL_HEIGHT));
  const lanes: Lane[] = [];
  for (let block = Math.floor(first / BLOCK); block * BLOCK <= last; block++) {
    lanes.push({ track: track.id, depths: `${block * BLOCK}-${block * BLOCK + BLOCK - 1}` });
  }
  return lanes;
}

type Bands = ReadonlyArray<readonly [depth: number, band: Band]>;

/**
 * What happens inside a state of the kernel is drawn along the lower edge: otherwise it would cover the state when
 * zoomed out.
 */
function within({ top, height }: Band): Band {
  const inner = Math.max(2, Math.round(height / 3));
  return { top: top + height - inner, height: inner };
}

/** The bands of a lane to paint, with their depths. States within states of the program are in the same band. */
export function bandsOf(row: TrackRow, lane: Lane): Bands {
  const strip = stripOf(row, lane.track);
  if (strip) {
    const { band, track } = strip;
    const inner = track.kind === 'scheduled' ? within(band) : band;
    return Array.from({ length: Math.min(BLOCK, track.depth) }, (_, i) => [i, i === 0 ? band : inner] as const);
  }
  const lowered = ({ top, height }: Band) => ({ top: top + row.callsTop, height });
  if (!row.open) {
    const depths = foldedDepths(row.track.depth);
    if (row.track.kind === 'cpu') {
      const band = lowered(foldedBand(row.callsHeight, 1, 0));
      return depths.map((depth) => [depth, depth === 0 ? band : within(band)] as const);
    }
    return depths.map((depth, i) => [depth, lowered(foldedBand(row.callsHeight, depths.length, i))] as const);
  }
  const first = Number.parseInt(lane.depths, 10);
  const end = Math.min(row.depth, first + BLOCK);
  return Array.from({ length: Math.max(0, end - first) }, (_, i) => [first + i, lowered(openBand(first + i))] as const);
}
