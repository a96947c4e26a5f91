import { offsetIn } from '../base/window';
import type { Lane } from '../data/piece';
import type { OwnPiece } from '../data/own-piece';
import { DIMMED, RUN } from './inks';
import type { TrackRow } from './layout';
import { range, resolution, type Scene } from './scene';
import type { Brush } from './slices';

/** Width of a mark in CSS pixels; the server merges what is closer than that. */
const WIDTH = 3;
/** A mark of this many events fills the strip. */
const MOST = 1e5;

/** The lanes needed to paint the events of a row's thread, and those of the virtual machine for it. */
export function ownLanes(row: TrackRow): Lane[] {
  const tracks = new Set(row.counters.map((strip) => strip.track));
  if (row.marksBand) tracks.add(row.track.id);
  return [...tracks].map((track) => ({ track, depths: 'own' }));
}

/** The events of a track, if they are here. */
export function ownPiece(scene: Scene, track: number): OwnPiece | undefined {
  const { from, to } = range(scene);
  return scene.own.best({ track, depths: 'own' }, from, to, resolution(scene));
}

/** The height of a mark, 0 to 1: one event fills the strip; for many, the logarithm counts. */
export function markHeight(count: number): number {
  return count <= 1 ? 1 : 0.4 + 0.6 * Math.min(1, Math.log(count) / Math.log(MOST));
}

/** Where a mark begins and ends, in CSS pixels. */
export function markEdges(scene: Scene, piece: OwnPiece, i: number): readonly [left: number, right: number] {
  const scale = scene.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const left = (piece.marks.begin[i]! + shift) * scale;
  const right = (piece.marks.end[i]! + shift) * scale;
  const missing = Math.max(0, WIDTH - (right - left)) / 2;
  return [left - missing, right + missing];
}

/** Indices of the marks in sight. */
export function* marksInSight(scene: Scene, piece: OwnPiece, left: number, right: number): Generator<number> {
  const scale = scene.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const { begin } = piece.marks;
  const last = (right + WIDTH) / scale - shift;
  for (let i = piece.firstMarkAt((left - WIDTH) / scale - shift); i < begin.length && begin[i]! <= last; i++) yield i;
}

/** Paints the events of a row's thread: each by itself, or bars where there are many. All in device pixels. */
export function paintMarks(brush: Brush, piece: OwnPiece, top: number, bottom: number): void {
  const { scene, pixels, inks, ratio } = brush;
  const { highlighted, shown } = scene;
  for (const i of marksInSight(scene, piece, 0, scene.width)) {
    const edges = markEdges(scene, piece, i);
    const left = Math.round(edges[0] * ratio);
    const right = Math.max(left + Math.round(2 * ratio), Math.round(edges[1] * ratio));
    const count = piece.marks.count[i]!;
    const sought = !highlighted || piece.kindsOf(i).some(({ event }) => highlighted.has(event));
    const pale = shown && !piece.kindsOf(i).some(({ event }) => shown.event(event));
    const dimmed = sought && !pale ? 0 : DIMMED;
    const most = piece.mostOf(i);
    const height = Math.max(2, Math.round((bottom - top) * markHeight(count)));
    // Many events have a full background, so that they are visible from afar.
    if (count > 1) pixels.fill(left, top, right, bottom, inks.slice(most, DIMMED | RUN));
    pixels.fill(left, bottom - height, right, bottom, inks.slice(most, dimmed));
  }
}
