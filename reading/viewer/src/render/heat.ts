import type { Nanos } from '../base/time';
import { timeAt } from '../base/window';
import type { Track } from '../data/contract';
import type { CrowdRow } from './layout';
import { ink, rgbOf } from './pixels';
import type { Scene } from './scene';
import type { Brush } from './slices';

/** Times of the first and last events of a crowd's threads, each in ascending order. */
interface Lives {
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  /** The largest number of threads at once. */
  readonly most: number;
}

const LIVES = new WeakMap<CrowdRow, Lives>();
/** Pixels above and below the bars. */
const MARGIN = 3;

function livesOf(row: CrowdRow): Lives {
  let lives = LIVES.get(row);
  if (!lives) LIVES.set(row, (lives = livesOfTracks(row.members)));
  return lives;
}

function livesOfTracks(tracks: readonly Track[]): Lives {
  const begins = Float64Array.from(tracks, (track) => Number(track.begin)).sort();
  const ends = Float64Array.from(tracks, (track) => Number(track.end)).sort();
  let most = 0;
  for (let i = 0, ended = 0; i < begins.length; i++) {
    while (ends[ended]! < begins[i]!) ended++;
    most = Math.max(most, i + 1 - ended);
  }
  return { begins, ends, most };
}

/** The number of values less than a limit. */
function below(values: Float64Array, limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of threads that had begun and not ended at some time between two; times are nanoseconds. */
function aliveBetween({ begins, ends }: Lives, from: number, to: number): number {
  return Math.max(0, below(begins, to) - below(ends, from));
}

/** How many threads of a crowd were alive at a place of the picture, and the maximum. */
export function aliveAt(
  scene: Scene,
  row: CrowdRow,
  x: number,
): { readonly alive: number; readonly most: number; readonly time: Nanos } {
  const lives = livesOf(row);
  const time = timeAt(scene.window, x / scene.width);
  const pixel = scene.window.span / scene.width;
  return { alive: aliveBetween(lives, Number(time), Number(time) + Math.max(1, pixel)), most: lives.most, time };
}

/**
 * Paints the number of live threads of a crowd over time: more threads are higher and stronger. All in device pixels.
 */
export function paintHeat(brush: Brush, row: CrowdRow, top: number, bottom: number): void {
  const { scene, pixels, ratio } = brush;
  const { window, palette } = scene;
  const lives = livesOf(row);
  if (lives.most === 0) return;
  const colour = ink(rgbOf(palette.activity));
  const perPixel = window.span / pixels.width;
  const start = Number(window.start) + window.part;
  const room = bottom - top - 2 * MARGIN * ratio;
  for (let x = 0; x < pixels.width; x++) {
    const from = start + x * perPixel;
    const alive = aliveBetween(lives, from, from + Math.max(1, perPixel));
    if (alive === 0) continue;
    const height = Math.max(Math.round(ratio), Math.round((room * Math.min(alive, lives.most)) / lives.most));
    const foot = bottom - Math.round(MARGIN * ratio);
    pixels.fill(x, foot - height, x + 1, foot, colour);
  }
}
