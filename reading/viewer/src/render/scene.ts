import type { Nanos } from '../base/time';
import { offsetIn, type TimeWindow, windowEnd } from '../base/window';
import type { Cache } from '../data/cache';
import type { Recording } from '../data/contract';
import type { Methods } from '../data/methods';
import type { OwnPiece } from '../data/own-piece';
import type { Lane, Piece } from '../data/piece';
import type { Layout } from './layout';
import type { Palette } from './palette';
import type { Arrow, ArrowEnd } from './arrow';
import type { Shown } from './shown';

/** The recorder began to record a method in another way. */
export interface Step {
  readonly time: Nanos;
  readonly process: number;
  readonly method: number;
  readonly mode: number;
  readonly before: number;
  readonly reason: string;
}

/** A piece of a critical path. */
export interface PathStep {
  readonly track: number;
  readonly kind: 'did' | 'waited' | 'message' | 'not begun';
  readonly begin: Nanos;
  readonly end: Nanos;
}

/** Everything needed to paint a frame. */
export interface Scene {
  readonly recording: Recording;
  readonly layout: Layout;
  readonly window: TimeWindow;
  readonly scrollTop: number;
  /** CSS pixels of the time axis and of the rows in sight. */
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly cache: Cache<Piece>;
  /** The events of the program's own. */
  readonly own: Cache<OwnPiece>;
  readonly methods: Methods;
  /** Methods that stand out; all others are dimmed. */
  readonly highlighted: ReadonlySet<number> | undefined;
  /** What a filter keeps; undefined: everything. */
  readonly shown: Shown | undefined;
  /** In the order of time. */
  readonly steps: readonly Step[];
  readonly arrows: readonly Arrow[];
  /** The selected call: its arrows are drawn even where there are too many for all. */
  readonly selected: ArrowEnd | undefined;
  /** Steps of the critical path that is shown, in the order of time. */
  readonly path: readonly PathStep[];
}

/** Where a time is drawn, in CSS pixels from the left. */
export function xOf(scene: Scene, time: Nanos): number {
  return offsetIn(scene.window, time) * (scene.width / scene.window.span);
}

/** The part of the recording in the window. */
export function range(scene: Scene): { from: Nanos; to: Nanos } {
  const { window, recording } = scene;
  const end = windowEnd(window);
  return { from: window.start, to: end < recording.duration ? end : recording.duration };
}

/** Nanoseconds per pixel, rounded down to a power of two so that answers can be used again. */
export function resolution(scene: Scene): Nanos {
  const perPixel = scene.window.span / Math.max(1, scene.width);
  return perPixel < 1 ? 0n : 2n ** BigInt(Math.floor(Math.log2(perPixel)));
}

export function bestPiece(scene: Scene, lane: Lane): Piece | undefined {
  const { from, to } = range(scene);
  return scene.cache.best(lane, from, to, resolution(scene));
}
