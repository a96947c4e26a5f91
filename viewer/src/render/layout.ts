import type { Process, Recording, Track } from '../data/contract';
import type { Lane } from '../data/piece';
import { type Arrangement, AS_RECORDED, filterOf, sorted } from './arrange';

/** Heights in CSS pixels. */
export const PROCESS_HEIGHT = 30;
/** A folded thread's row; with few threads there is room for more of each. */
const FOLDED_HEIGHTS: ReadonlyArray<readonly [threads: number, height: number]> = [
  [8, 60],
  [20, 44],
  [Infinity, 32],
];
export const CALL_HEIGHT = 19;
const PADDING = 4;
/** The facts beside an unfolded thread need so much. */
const MIN_OPEN_HEIGHT = 72;
/** Rows of an unfolded thread that are asked for together. */
const BLOCK = 16;

/** A row of the picture: a process's heading, or a thread. */
export type Row =
  | {
      readonly kind: 'process';
      readonly top: number;
      readonly height: number;
      readonly process: Process;
      /** How many of its threads pass the filter. */
      readonly threads: number;
      /** Whether they are folded away. */
      readonly closed: boolean;
    }
  | {
      readonly kind: 'track';
      readonly top: number;
      readonly height: number;
      readonly track: Track;
      readonly open: boolean;
    };

export type ProcessRow = Extract<Row, { kind: 'process' }>;
export type TrackRow = Extract<Row, { kind: 'track' }>;

export interface Layout {
  readonly rows: readonly Row[];
  readonly height: number;
  /** Threads that pass the filter. */
  readonly shown: number;
}

export function layout(
  recording: Recording,
  open: ReadonlySet<number>,
  filter: string,
  arrangement: Arrangement = AS_RECORDED,
): Layout {
  const passes = filterOf(filter);
  const pinned = arrangement.pinned.map((id) => recording.tracks[id]!).filter(passes);
  const byProcess = new Map<number, Track[]>();
  for (const track of recording.tracks) {
    if (arrangement.hidden.has(track.id) || pinned.includes(track) || !passes(track)) continue;
    const list = byProcess.get(track.process);
    if (list) list.push(track);
    else byProcess.set(track.process, [track]);
  }
  const count = [...byProcess.values()].reduce((sum, tracks) => sum + tracks.length, pinned.length);
  const folded = FOLDED_HEIGHTS.find(([threads]) => count <= threads)![1];
  const rows: Row[] = [];
  let top = 0;
  const add = (track: Track) => {
    const unfolded = open.has(track.id);
    const height = unfolded ? openHeight(track) : folded;
    rows.push({ kind: 'track', top, height, track, open: unfolded });
    top += height;
  };
  pinned.forEach(add);
  for (const process of recording.processes) {
    const tracks = byProcess.get(process.process) ?? [];
    if (tracks.length === 0 && filter.trim() !== '') continue;
    const closed = arrangement.folded.has(process.process);
    rows.push({ kind: 'process', top, height: PROCESS_HEIGHT, process, threads: tracks.length, closed });
    top += PROCESS_HEIGHT;
    if (!closed) sorted(tracks, arrangement.sort).forEach(add);
  }
  return { rows, height: top, shown: count };
}

function openHeight(track: Track): number {
  return Math.max(MIN_OPEN_HEIGHT, track.depth * CALL_HEIGHT + 2 * PADDING + 4);
}

/** Index of the row at a height, or of the last one above it. */
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

/** Where calls of a depth lie within a thread's row. */
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

/** What has to be there to paint a row; `top` and `bottom` are the part of it in sight. */
export function lanesOf(row: TrackRow, top: number, bottom: number): Lane[] {
  const { track } = row;
  if (track.depth === 0) return [{ track: track.id, depths: '0-15' }];
  if (!row.open) {
    const depths = track.depth <= BLOCK ? '0-15' : depthText(foldedDepths(track.depth));
    return [{ track: track.id, depths }];
  }
  const first = Math.max(0, Math.floor((top - row.top - PADDING) / CALL_HEIGHT));
  const last = Math.min(track.depth - 1, Math.floor((bottom - row.top - PADDING) / CALL_HEIGHT));
  const lanes: Lane[] = [];
  for (let block = Math.floor(first / BLOCK); block * BLOCK <= last; block++) {
    lanes.push({ track: track.id, depths: `${block * BLOCK}-${block * BLOCK + BLOCK - 1}` });
  }
  return lanes;
}

/** The bands of a lane that are to be painted, with their depths. */
export function bandsOf(row: TrackRow, lane: Lane): ReadonlyArray<readonly [depth: number, band: Band]> {
  if (!row.open) {
    const depths = foldedDepths(row.track.depth);
    return depths.map((depth, i) => [depth, foldedBand(row.height, depths.length, i)] as const);
  }
  const first = Number.parseInt(lane.depths, 10);
  const end = Math.min(row.track.depth, first + BLOCK);
  return Array.from({ length: Math.max(0, end - first) }, (_, i) => [first + i, openBand(first + i)] as const);
}
