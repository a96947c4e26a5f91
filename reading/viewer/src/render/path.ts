import { mainTrack } from './groups';
import type { TrackRow } from './layout';
import type { Pen } from './pen';
import { type Scene, xOf } from './scene';

const THICK = 3;
/** The length of a dot where a thread waited, and the distance to the next one. */
const [DOT, NEXT_DOT] = [2, 6];
/** Of lines between the same rows that are closer than this, only one is drawn. */
const APART = 2;

/** Paints the critical path: a line along its rows, dotted where a thread waited. */
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
    // A message in transit is between two rows: the line to the next row shows it.
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
