import { niceStep, ruler, type Ruler } from '../base/time';
import { timeAt } from '../base/window';
import { paintGaps } from './gaps';
import { bandsOf, lanesOf, rowsBetween, type TrackRow } from './layout';
import { bestPiece, range, type Scene, xOf } from './scene';
import { paintBand } from './slices';
import { TextFitter } from './text';

export const FONT = '11.5px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';
/** Pixels between two ticks, at least: a label must fit. */
const TICK_ROOM = 110;

export function rulerOf(scene: Scene): Ruler {
  const { window, width } = scene;
  const step = niceStep((window.span * TICK_ROOM) / Math.max(width, 1));
  return ruler(range(scene).from, timeAt(window, 1), step);
}

/** Fits a canvas to its place on the screen and clears it; coordinates are CSS pixels then. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  context.textBaseline = 'middle';
  return context;
}

let fitter: TextFitter | undefined;

/** Paints all rows in sight. */
export function paintRows(canvas: HTMLCanvasElement, scene: Scene): void {
  const { width, height, palette, scrollTop } = scene;
  const context = prepare(canvas, width, height);
  fitter ??= new TextFitter(context);
  const bottom = scrollTop + height;
  const rows = rowsBetween(scene.layout.rows, scrollTop, bottom);
  for (const row of rows) {
    const top = row.top - scrollTop;
    if (row.kind === 'process') {
      context.fillStyle = palette.processRow;
      context.fillRect(0, top, width, row.height);
    } else {
      paintLife(context, scene, row, top);
    }
  }
  paintGrid(context, scene);
  for (const row of rows) {
    if (row.kind === 'track') paintTrack(context, scene, row, scrollTop, bottom);
  }
}

/** The time in which a thread had events, as a tinted ground. */
function paintLife(context: CanvasRenderingContext2D, scene: Scene, row: TrackRow, top: number): void {
  const { palette, width } = scene;
  const left = Math.max(0, xOf(scene, row.track.begin));
  const right = Math.min(width, xOf(scene, row.track.end));
  if (right >= left) {
    context.fillStyle = palette.alive;
    context.fillRect(left, top + 2, Math.max(1, right - left), row.height - 4);
  }
  context.fillStyle = palette.line;
  context.fillRect(0, top + row.height - 1, width, 1);
}

function paintGrid(context: CanvasRenderingContext2D, scene: Scene): void {
  context.fillStyle = scene.palette.grid;
  for (const tick of rulerOf(scene).ticks) {
    context.fillRect(Math.round(xOf(scene, tick.time)), 0, 1, scene.height);
  }
}

function paintTrack(
  context: CanvasRenderingContext2D,
  scene: Scene,
  row: TrackRow,
  top: number,
  bottom: number,
): void {
  const y = row.top - scene.scrollTop;
  const lanes = lanesOf(row, top, bottom);
  for (const lane of lanes) {
    const piece = bestPiece(scene, lane);
    if (!piece) continue;
    for (const [depth, band] of bandsOf(row, lane)) {
      const at = y + band.top;
      if (at + band.height < 0 || at > scene.height) continue;
      paintBand(context, scene, fitter!, piece, depth, at, band.height);
    }
  }
  const piece = lanes[0] && bestPiece(scene, lanes[0]);
  if (piece) paintGaps(context, scene, piece, y, row.height);
}

/** Paints the ruler above the rows. */
export function paintRuler(canvas: HTMLCanvasElement, scene: Scene, height: number): void {
  const { palette, width } = scene;
  const context = prepare(canvas, width, height);
  context.fillStyle = palette.line;
  context.fillRect(0, height - 1, width, 1);
  const { ticks } = rulerOf(scene);
  for (const tick of ticks) {
    const x = Math.round(xOf(scene, tick.time));
    context.fillStyle = palette.line;
    context.fillRect(x, height - 6, 1, 6);
    context.fillStyle = palette.faint;
    const room = context.measureText(tick.label).width;
    // The first label would be cut by the edge, the last one by the other.
    const at = Math.min(Math.max(x - room / 2, 3), width - room - 3);
    if (Math.abs(at + room / 2 - x) < room / 2 + 2) context.fillText(tick.label, at, height - 14);
  }
}
