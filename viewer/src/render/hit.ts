import { offsetIn, timeAt } from '../base/window';
import type { Nanos } from '../base/time';
import type { Piece } from '../data/piece';
import { gapEdges } from './gaps';
import { bandsOf, lanesOf, rowIndexAt, type Row, type TrackRow } from './layout';
import { bestPiece, type Scene } from './scene';

/** A slice under the pointer. */
export interface SliceHit {
  readonly kind: 'slice';
  readonly row: TrackRow;
  readonly depth: number;
  readonly method: number;
  readonly calls: number;
  readonly flags: number;
  readonly begin: Nanos;
  readonly end: Nanos;
  /** A time within the slice: its begin, or the pointer's in a run. */
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

export interface RowHit {
  readonly kind: 'row';
  readonly row: Row;
}

export type Hit = SliceHit | GapHit | RowHit;

/** Slices narrower than a pixel can be met this many pixels beside them. */
const TOLERANCE = 1.5;

/** What is drawn at a point; `y` counts from the top of the first row. */
export function hitAt(scene: Scene, x: number, y: number): Hit | undefined {
  const row = scene.layout.rows[rowIndexAt(scene.layout.rows, y)];
  if (!row || y >= row.top + row.height) return undefined;
  if (row.kind === 'process') return { kind: 'row', row };
  const lanes = lanesOf(row, scene.scrollTop, scene.scrollTop + scene.height);
  const pieces = lanes.map((lane) => bestPiece(scene, lane));
  if (pieces[0]) {
    const gap = gapAt(scene, row, pieces[0], x);
    if (gap) return gap;
  }
  for (let i = 0; i < lanes.length; i++) {
    const piece = pieces[i];
    if (!piece) continue;
    for (const [depth, band] of bandsOf(row, lanes[i]!)) {
      const top = row.top + band.top;
      if (y < top || y >= top + band.height) continue;
      const slice = sliceAt(scene, row, piece, depth, x);
      if (slice) return slice;
    }
  }
  return { kind: 'row', row };
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

function sliceAt(scene: Scene, row: TrackRow, piece: Piece, depth: number, x: number): SliceHit | undefined {
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
    depth,
    method: slices.method[nearest]!,
    calls,
    flags: slices.flags[nearest]!,
    begin,
    end,
    time: calls === 1 ? begin : inside,
  };
}
