import { offsetIn, timeAt } from '../base/window';
import type { Nanos } from '../base/time';
import type { Counter } from '../data/contract';
import type { OwnPiece } from '../data/own-piece';
import type { Piece } from '../data/piece';
import { gapEdges } from './gaps';
import type { Arrow } from './arrow';
import { arrowAt, arrowPlaces, drawnOf } from './arrows';
import { countsEdges } from './counts';
import { type CurveValue, valueUnder } from './curves';
import { aliveAt } from './heat';
import {
  type Band,
  bandsOf,
  type CrowdRow,
  lanesOf,
  rowIndexAt,
  type Row,
  type StepsRow,
  stripOf,
  stripsOf,
  type TrackRow,
} from './layout';
import { markEdges, marksInSight, ownPiece } from './marks';
import { stepsAt } from './steps';
import { bestPiece, type Scene, type Step } from './scene';

/** A slice under the pointer. */
export interface SliceHit {
  readonly kind: 'slice';
  readonly row: TrackRow;
  /** The track of the row's calls, or that of its states. */
  readonly track: number;
  readonly depth: number;
  readonly method: number;
  readonly calls: number;
  readonly flags: number;
  readonly begin: Nanos;
  readonly end: Nanos;
  /** A time within the slice: its begin, or for a run the pointer's time. */
  readonly time: Nanos;
}

export interface GapHit {
  readonly kind: 'gap';
  readonly row: TrackRow;
  readonly lost: number;
  readonly unknown: boolean;
  readonly begin: Nanos;
  readonly end: Nanos;
}

/** Calls that were counted, not drawn. */
export interface CountsHit {
  readonly kind: 'counts';
  readonly row: TrackRow;
  readonly calls: number;
  readonly begin: Nanos;
  readonly end: Nanos;
}

export interface StepsHit {
  readonly kind: 'steps';
  readonly row: StepsRow;
  readonly steps: readonly Step[];
}

export interface ArrowHit {
  readonly kind: 'arrow';
  readonly arrow: Arrow;
  readonly row: TrackRow;
  /** The end that is farther from the pointer: a click leads there. */
  readonly leads: 'from' | 'to';
}

/** Events of the program's own. */
export interface MarkHit {
  readonly kind: 'mark';
  readonly row: TrackRow;
  readonly count: number;
  /** The number of kinds, and the most frequent ones. */
  readonly different: number;
  readonly kinds: ReadonlyArray<{ readonly event: number; readonly times: number }>;
  readonly begin: Nanos;
  readonly end: Nanos;
}

/** A counter's value, or values that are too close to each other to distinguish. */
export interface CounterHit {
  readonly kind: 'counter';
  readonly row: TrackRow;
  readonly counter: Counter;
  readonly value: CurveValue | undefined;
  /** Since when; undefined if it began before what is known here. */
  readonly since: Nanos | undefined;
}

/** The number of live threads of a crowd at a time. */
export interface CrowdHit {
  readonly kind: 'crowd';
  readonly row: CrowdRow;
  readonly alive: number;
  /** The maximum over the whole recording. */
  readonly most: number;
  readonly time: Nanos;
}

export interface RowHit {
  readonly kind: 'row';
  readonly row: Row;
}

export type Hit = SliceHit | GapHit | CountsHit | StepsHit | ArrowHit | MarkHit | CounterHit | CrowdHit | RowHit;

/** Slices narrower than a pixel are hit up to this many pixels beside them. */
const TOLERANCE = 1.5;

/** What is drawn at a point; `y` counts from the top of the first row. */
export function hitAt(scene: Scene, x: number, y: number): Hit | undefined {
  const arrow = arrowHit(scene, x, y - scene.scrollTop);
  if (arrow) return arrow;
  const row = scene.layout.rows[rowIndexAt(scene.layout.rows, y)];
  if (!row || y >= row.top + row.height) return undefined;
  if (row.kind === 'track') return hitInTrack(scene, row, x, y - row.top);
  if (row.kind === 'crowd') return { kind: 'crowd', row, ...aliveAt(scene, row, x) };
  const steps = row.kind === 'steps' ? stepsAt(scene, row, x) : [];
  return row.kind === 'steps' && steps.length > 0 ? { kind: 'steps', row, steps } : { kind: 'row', row };
}

function arrowHit(scene: Scene, x: number, y: number): ArrowHit | undefined {
  if (scene.arrows.length === 0) return undefined;
  const place = arrowAt(drawnOf(arrowPlaces(scene), [scene.selected]), x, y);
  if (!place) return undefined;
  const atHead = Math.hypot(x - place.x, y - place.head) < Math.hypot(x - place.beginX, y - place.begin);
  return { kind: 'arrow', arrow: place.arrow, row: atHead ? place.to : place.from, leads: atHead ? 'from' : 'to' };
}

/** What is drawn in a thread's row; `y` counts from its top. */
function hitInTrack(scene: Scene, row: TrackRow, x: number, y: number): Hit {
  const lanes = lanesOf(row, scene.scrollTop, scene.scrollTop + scene.height);
  const within = (band: Band | undefined) => band !== undefined && y >= band.top && y < band.top + band.height;
  const own = ownAt(scene, row, x, within);
  if (own) return own;
  const inStrip = stripsOf(row).find(({ band }) => within(band));
  for (const lane of lanes) {
    const piece = bestPiece(scene, lane);
    const states = stripOf(row, lane.track);
    if (!piece || states?.band !== inStrip?.band) continue;
    const gap = gapAt(scene, row, piece, x);
    if (gap && (states || y >= row.callsTop)) return gap;
    const counts = within(row.countsBand) ? countsAt(scene, row, piece, x) : undefined;
    if (counts) return counts;
    // In one band inner states are painted over outer ones.
    for (const [depth, band] of [...bandsOf(row, lane)].reverse()) {
      const slice = within(band) ? sliceAt(scene, row, lane.track, piece, depth, x) : undefined;
      if (slice) return slice;
    }
  }
  return { kind: 'row', row };
}

/** The event of the program's own at a place of a row. */
function ownAt(
  scene: Scene,
  row: TrackRow,
  x: number,
  within: (band: Band | undefined) => boolean,
): MarkHit | CounterHit | undefined {
  const strip = row.counters.find(({ band }) => within(band));
  if (!strip && !within(row.marksBand)) return undefined;
  const piece = ownPiece(scene, strip?.track ?? row.track.id);
  if (!piece) return undefined;
  if (!strip) return markAt(scene, row, piece, x);
  const value = valueUnder(scene, piece, strip.counter.event, x);
  const since = value?.time === undefined ? undefined : piece.from + BigInt(value.time);
  return { kind: 'counter', row, counter: strip.counter, value, since };
}

function markAt(scene: Scene, row: TrackRow, piece: OwnPiece, x: number): MarkHit | undefined {
  let nearest = -1;
  let distance = TOLERANCE;
  for (const i of marksInSight(scene, piece, x - TOLERANCE, x + TOLERANCE)) {
    const [left, right] = markEdges(scene, piece, i);
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away < distance) [nearest, distance] = [i, away];
  }
  if (nearest < 0) return undefined;
  const { begin, end, count, different } = piece.marks;
  return {
    kind: 'mark',
    row,
    count: count[nearest]!,
    different: different[nearest]!,
    kinds: piece.kindsOf(nearest),
    begin: piece.from + BigInt(begin[nearest]!),
    end: piece.from + BigInt(end[nearest]!),
  };
}

function countsAt(scene: Scene, row: TrackRow, piece: Piece, x: number): CountsHit | undefined {
  const { counts } = piece.slices;
  for (let i = 0; i < counts.calls.length; i++) {
    const [left, right] = countsEdges(scene, piece, i);
    if (x < left || x > right || counts.calls[i] === 0) continue;
    const begin = piece.from + BigInt(counts.from[i]!);
    const end = piece.from + BigInt(counts.to[i]!);
    return { kind: 'counts', row, calls: counts.calls[i]!, begin, end };
  }
  return undefined;
}

function gapAt(scene: Scene, row: TrackRow, piece: Piece, x: number): GapHit | undefined {
  const { gaps } = piece.slices;
  for (let i = 0; i < gaps.lost.length; i++) {
    const [left, right] = gapEdges(scene, piece, i);
    if (x >= left && x <= right) {
      const begin = piece.from + BigInt(gaps.from[i]!);
      const end = piece.from + BigInt(gaps.to[i]!);
      return { kind: 'gap', row, lost: gaps.lost[i]!, unknown: gaps.unknown[i]!, begin, end };
    }
  }
  return undefined;
}

function sliceAt(
  scene: Scene,
  row: TrackRow,
  track: number,
  piece: Piece,
  depth: number,
  x: number,
): SliceHit | undefined {
  const { slices } = piece;
  const scale = scene.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const last = piece.range(depth)[1];
  const first = piece.firstEndingAt(depth, (x - TOLERANCE) / scale - shift);
  let nearest = -1;
  let distance = TOLERANCE;
  for (let i = first; i < last; i++) {
    const left = (slices.begin[i]! + shift) * scale;
    const right = (slices.end[i]! + shift) * scale;
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away < distance) {
      distance = away;
      nearest = i;
    }
    if (away === 0 || left > x + TOLERANCE) break;
  }
  if (nearest < 0) return undefined;
  const begin = piece.from + BigInt(slices.begin[nearest]!);
  const end = piece.from + BigInt(slices.end[nearest]!);
  const calls = slices.calls[nearest]!;
  const pointer = timeAt(scene.window, x / scene.width);
  const inside = pointer < begin ? begin : pointer > end ? end : pointer;
  return {
    kind: 'slice',
    row,
    track,
    depth,
    method: slices.method[nearest]!,
    calls,
    flags: slices.flags[nearest]!,
    begin,
    end,
    time: calls === 1 ? begin : inside,
  };
}
