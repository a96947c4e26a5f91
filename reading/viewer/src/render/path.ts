import type { Nanos } from '../base/time';
import { mainTrack } from './groups';
import type { TrackRow } from './layout';
import type { Pen } from './pen';
import { type Scene, xOf } from './scene';

/** A piece of a critical path. */
export interface PathStep {
  readonly track: number;
  readonly kind: 'did' | 'waited' | 'message' | 'not begun';
  readonly begin: Nanos;
  readonly end: Nanos;
}

const THICK = 3;
/** Where a thread waited: a dot, and where the next one begins. */
const [DOT, NEXT_DOT] = [2, 6];
/** Ways from row to row that are nearer to each other are drawn once. */
const APART = 2;

/** Paints the critical path: a line along the rows that it is on, dotted where its thread waited. */
export function paintPath(pen: Pen, scene: Scene): void {
  pen.strokeStyle = scene.palette.path;
  pen.fillStyle = scene.palette.path;
  pen.lineWidth = THICK;
  let last: { x: number; y: number } | undefined;
  let drawn: { x: number; from: number; to: number } | undefined;
  for (const step of scene.path) {
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
      pen.beginPath();
      pen.moveTo(last!.x, way.from);
      pen.lineTo(way.x, way.to);
      pen.stroke();
      drawn = way;
    }
    // What was sent is under way between two rows: the line to the next one is its way.
    if (step.kind === 'message') {
      last = { x: begin, y };
      continue;
    }
    paintLine(pen, Math.max(begin, 0), Math.min(Math.max(end, begin + 1), scene.width), y, step.kind === 'did');
    last = { x: end, y };
  }
}

function paintLine(pen: Pen, begin: number, end: number, y: number, solid: boolean): void {
  const top = y - THICK / 2;
  if (solid) {
    pen.fillRect(begin, top, end - begin, THICK);
    return;
  }
  for (let x = begin; x < end; x += NEXT_DOT) pen.fillRect(x, top, Math.min(DOT, end - x), THICK);
}

function rowOf(scene: Scene, track: number): TrackRow | undefined {
  return scene.layout.byTrack.get(track) ?? scene.layout.byTrack.get(mainTrack(scene.recording, track));
}

/** The path runs along the upper edge of a row. */
function lineOf(scene: Scene, row: TrackRow): number {
  return row.top - scene.scrollTop + THICK / 2 + 1;
}
