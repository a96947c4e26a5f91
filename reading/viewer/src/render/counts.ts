import { offsetIn } from '../base/window';
import type { Piece } from '../data/piece';
import type { Brush } from './slices';
import { rgbOf, ink } from './pixels';
import type { Scene } from './scene';

/** Calls per nanosecond that fill the strip, and that are just visible: a probe takes at least a nanosecond. */
const MOST = 1;
const LEAST = 1e-7;
/** Two pixels in four: nothing else in the picture has vertical stripes. */
const STRIPE = 2;

/** The height of a bar, 0 to 1: by the logarithm of calls per time. */
export function densityHeight(calls: number, nanos: number): number {
  if (calls <= 0) return 0;
  const density = Math.min(MOST, Math.max(LEAST, calls / Math.max(1, nanos)));
  return 0.2 + 0.8 * (Math.log(density / LEAST) / Math.log(MOST / LEAST));
}

/** Where counted calls of a piece begin and end, in CSS pixels. */
export function countsEdges(scene: Scene, piece: Piece, i: number): readonly [left: number, right: number] {
  const { from, to } = piece.slices.counts;
  const scale = scene.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const left = (from[i]! + shift) * scale;
  return [left, Math.max(left + 1, (to[i]! + shift) * scale)];
}

/** Paints counted calls over time as striped bars. All in device pixels. */
export function paintCounts(brush: Brush, piece: Piece, top: number, bottom: number): void {
  const { scene, pixels, ratio } = brush;
  const { calls, from, to } = piece.slices.counts;
  const bar = ink(rgbOf(scene.palette.counted));
  const ground = ink(rgbOf(scene.palette.countedGround));
  const stripe = Math.round(STRIPE * ratio);
  for (let i = 0; i < calls.length; i++) {
    if (calls[i] === 0) continue;
    const edges = countsEdges(scene, piece, i);
    const left = Math.max(0, Math.round(edges[0] * ratio));
    const right = Math.min(pixels.width, Math.max(left + 1, Math.round(edges[1] * ratio)));
    if (right <= 0 || left >= pixels.width) continue;
    pixels.fill(left, top, right, bottom, ground);
    const height = Math.max(2, Math.round((bottom - top) * densityHeight(calls[i]!, to[i]! - from[i]!)));
    for (let x = left - (left % (2 * stripe)); x < right; x += 2 * stripe) {
      pixels.fill(Math.max(left, x), bottom - height, Math.min(right, x + stripe), bottom, bar);
    }
  }
}
