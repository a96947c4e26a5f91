import type { Nanos } from '../base/time';
import { mainTrack } from './groups';
import type { TrackRow } from './layout';
import { type Scene, xOf } from './scene';

/** A piece of a critical path. */
export interface PathStep {
  readonly track: number;
  readonly kind: 'did' | 'waited' | 'message' | 'not begun';
  readonly begin: Nanos;
  readonly end: Nanos;
}

const THICK = 3;
/** Ways from row to row that are nearer to each other are drawn once. */
const APART = 2;

/** Paints a critical path: a line along the rows that it is on, broken where its thread waited. */
export function paintPath(context: CanvasRenderingContext2D, scene: Scene, steps: readonly PathStep[]): void {
  context.save();
  context.strokeStyle = scene.palette.path;
  context.lineWidth = THICK;
  let last: { x: number; y: number } | undefined;
  let drawn: { x: number; from: number; to: number } | undefined;
  for (const step of steps) {
    const row = rowOf(scene, step.track);
    const begin = xOf(scene, step.begin);
    const end = xOf(scene, step.end);
    if (!row || end < 0 || begin > scene.width) {
      last = row && { x: end, y: lineOf(scene, row) };
      continue;
    }
    const y = lineOf(scene, row);
    const way = last && last.y !== y ? { x: begin, from: last.y, to: y } : undefined;
    if (way && !(drawn && drawn.from === way.from && drawn.to === way.to && way.x - drawn.x < APART)) {
      line(context, last!.x, way.from, way.x, way.to);
      drawn = way;
    }
    // What was sent is under way between two rows: the line to the next one is its way.
    if (step.kind === 'message') {
      last = { x: begin, y };
      continue;
    }
    context.setLineDash(step.kind === 'did' ? [] : [2, 4]);
    line(context, Math.max(begin, -10), y, Math.min(Math.max(end, begin + 1), scene.width + 10), y);
    context.setLineDash([]);
    last = { x: end, y };
  }
  context.restore();
}

function line(context: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}

function rowOf(scene: Scene, track: number): TrackRow | undefined {
  return scene.layout.byTrack.get(track) ?? scene.layout.byTrack.get(mainTrack(scene.recording, track));
}

/** The path runs along the upper edge of a row. */
function lineOf(scene: Scene, row: TrackRow): number {
  return row.top - scene.scrollTop + THICK / 2 + 1;
}
