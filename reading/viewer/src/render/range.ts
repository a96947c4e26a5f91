import type { Nanos } from '../base/time';
import { rowsBetween } from './layout';
import { type Scene, xOf } from './scene';
import type { Pen } from './pen';

export interface ShownRange {
  readonly from: Nanos;
  readonly to: Nanos;
}

/** Shades the selected time over the selected threads, or over all. */
export function paintRange(
  context: Pen,
  scene: Scene,
  range: ShownRange | undefined,
  tracks: ReadonlySet<number>,
): void {
  const { width, height, palette, scrollTop } = scene;
  const left = range ? Math.max(-2, Math.min(width + 2, xOf(scene, range.from))) : -2;
  const right = range ? Math.max(-2, Math.min(width + 2, xOf(scene, range.to))) : width + 2;
  if (!range && tracks.size === 0) return;
  context.fillStyle = palette.cursor;
  context.globalAlpha = 0.14;
  for (const row of rowsBetween(scene.layout.rows, scrollTop, scrollTop + height)) {
    if (tracks.size > 0 && !(row.kind === 'track' && tracks.has(row.track.id))) continue;
    context.fillRect(left, row.top - scrollTop, right - left, row.height);
  }
  context.globalAlpha = 1;
  if (!range) return;
  for (const x of [left, right]) context.fillRect(Math.round(x) - 0.5, 0, 1.5, height);
}
