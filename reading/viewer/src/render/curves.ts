import { offsetIn } from '../base/window';
import type { Counter, CurveColumns } from '../data/contract';
import { firstAt, type OwnPiece } from '../data/own-piece';
import { DIMMED, RUN } from './inks';
import type { Scene } from './scene';
import type { Brush } from './slices';

/** A counter's value at a place of the picture. */
export interface CurveValue {
  /** Offset of the values from the piece's begin; undefined if they are from before it. */
  readonly time: number | undefined;
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

/** Pixels kept free above and below a curve, so that its extremes are visible. */
const MARGIN = 2;

/** The height of a value in its strip, 0 to 1; a counter that never changes is in the middle. */
export function levelOf({ min, max }: Counter, value: number): number {
  return max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0.5;
}

/** The value at an offset of a piece; undefined before the first one. */
export function valueAt(curve: CurveColumns, offset: number): CurveValue | undefined {
  const next = firstAt(curve.time, offset);
  const i = curve.time[next] === offset ? next : next - 1;
  if (i >= 0) return { time: curve.time[i]!, min: curve.min[i]!, max: curve.max[i]!, last: curve.last[i]! };
  const { before } = curve;
  return before === null ? undefined : { time: undefined, min: before, max: before, last: before };
}

/** The value under the pointer, or all values that are too close to each other to distinguish. */
export function valueUnder(scene: Scene, piece: OwnPiece, event: number, x: number): CurveValue | undefined {
  const curve = piece.curve(event);
  const scale = scene.width / scene.window.span;
  return curve && valueAt(curve, (x + 1) / scale - offsetIn(scene.window, piece.from));
}

/** Paints a counter as a curve of steps. All in device pixels. */
export function paintCurve(
  brush: Brush,
  piece: OwnPiece,
  counter: Counter,
  top: number,
  bottom: number,
  end: number,
): void {
  const curve = piece.curve(counter.event);
  if (!curve) return;
  const { scene, pixels, inks, ratio } = brush;
  const scale = pixels.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const unit = Math.max(1, Math.round(ratio));
  const margin = Math.round(MARGIN * ratio);
  const y = (value: number) =>
    Math.round(bottom - margin - unit - levelOf(counter, value) * (bottom - top - 2 * margin - unit));
  const pale = scene.shown && !scene.shown.event(counter.event);
  const dimmed = pale || (scene.highlighted !== undefined && !scene.highlighted.has(counter.event));
  const line = inks.curve(counter.event, dimmed ? DIMMED : 0);
  const area = inks.slice(counter.event, dimmed ? DIMMED | RUN : DIMMED);
  const step = (from: number, to: number, value: number) => {
    if (to <= from) return;
    pixels.fill(from, y(value), to, bottom, area);
    pixels.fill(from, y(value), to, y(value) + unit, line);
  };
  const first = Math.max(0, firstAt(curve.time, -shift) - 1);
  let value = first === 0 ? curve.before : curve.last[first - 1]!;
  let at = first === 0 ? Math.round(shift * scale) : 0;
  for (let i = first; i < curve.time.length; i++) {
    const x = Math.round((curve.time[i]! + shift) * scale);
    if (value !== null) step(at, x, value);
    if (x > pixels.width) return;
    const [low, high] = [
      Math.min(value ?? curve.min[i]!, curve.min[i]!),
      Math.max(value ?? curve.max[i]!, curve.max[i]!),
    ];
    pixels.fill(x, y(curve.max[i]!), x + unit, bottom, area);
    pixels.fill(x, y(high), x + unit, y(low) + unit, line);
    value = curve.last[i]!;
    at = x + unit;
  }
  if (value !== null) step(Math.max(0, at), end, value);
}
