import { prepare } from './paint';
import type { Palette } from './palette';

/** The data of the minimap, which only needs times as shares of the recording. */
export interface MinimapScene {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  /** The recording's length in buckets; the last one may be incomplete. */
  readonly buckets: number;
  readonly events: readonly number[];
  readonly lost: readonly number[];
  /** Calls that were counted, not recorded; empty if there are none. */
  readonly counted: readonly number[];
  /** Calls found, in buckets of the same width; empty without a search. */
  readonly marks: readonly number[];
}

const MARKS_HEIGHT = 7;
/** There may be a thousand times as many counted calls as events: they have a scale of their own and are lower. */
const COUNTED_SHARE = 0.5;
const COUNTED_ALPHA = 0.4;

/** The largest of the buckets that a column of pixels shows. */
export function largest(values: readonly number[], buckets: number, width: number, x: number): number {
  const first = Math.floor((x / width) * buckets);
  const end = Math.max(first + 1, Math.ceil(((x + 1) / width) * buckets));
  let most = 0;
  for (let i = first; i < end && i < values.length; i++) most = Math.max(most, values[i]!);
  return most;
}

/** The root of the largest value, as the scale that fills the height. */
function peak(values: readonly number[]): number {
  return Math.sqrt(values.reduce((a, b) => Math.max(a, b), 1));
}

/** Paints the activity over time as square roots, so that a little beside a lot is still visible. */
export function paintMinimap(canvas: HTMLCanvasElement, scene: MinimapScene): void {
  const { width, height, palette, buckets, events, lost, counted, marks } = scene;
  const context = prepare(canvas, width, height);
  const top = MARKS_HEIGHT + 1;
  const [most, mostCounted] = [peak(events), peak(counted)];
  const barOf = (values: readonly number[], highest: number, x: number) =>
    Math.ceil((Math.sqrt(largest(values, buckets, width, x)) / highest) * (height - top - 1));
  for (let x = 0; x < width; x++) {
    const bar = barOf(events, most, x);
    const behind = Math.ceil(COUNTED_SHARE * barOf(counted, mostCounted, x));
    context.fillStyle = palette.activity;
    context.globalAlpha = COUNTED_ALPHA;
    if (behind > bar) context.fillRect(x, height - behind, 1, behind - bar);
    context.globalAlpha = 1;
    context.fillRect(x, height - bar, 1, bar);
    if (largest(lost, buckets, width, x) > 0) paintLoss(context, palette, x, top, height);
    if (largest(marks, buckets, width, x) > 0) {
      context.fillStyle = palette.hit;
      context.fillRect(x, 0, 1, MARKS_HEIGHT);
    }
  }
}

/** A column of the hatching that always means lost events. */
function paintLoss(context: CanvasRenderingContext2D, palette: Palette, x: number, top: number, height: number): void {
  context.fillStyle = palette.lossGround;
  context.fillRect(x, top, 1, height - top);
  context.fillStyle = palette.loss;
  for (let y = top + ((8 - (x % 8)) % 8) - 8; y < height; y += 8) {
    const from = Math.max(y, top);
    if (y + 3 > from) context.fillRect(x, from, 1, y + 3 - from);
  }
}
