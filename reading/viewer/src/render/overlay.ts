import { moment, type Nanos } from '../base/time';
import { prepare } from './paint';
import type { Arrow, ArrowEnd } from './arrow';
import { arrowPlaces, drawnOf, paintArrows } from './arrows';
import { bandsOf, lanesOf, type TrackRow } from './layout';
import { paintPath } from './path';
import { paintRange, type ShownRange } from './range';
import { type Scene, xOf } from './scene';
import type { Pen } from './pen';

/** A call's frame. */
export interface Frame {
  readonly row: TrackRow;
  /** The track of the row's calls, or that of its states. */
  readonly track: number;
  readonly depth: number;
  readonly begin: Nanos;
  readonly end: Nanos;
}

/**
 * Paints what follows the pointer, on a canvas of its own, so that moving the mouse does not paint
 * the calls again.
 */
export function paintOverlay(
  canvas: HTMLCanvasElement,
  scene: Scene,
  hovered: Frame | undefined,
  selected: Frame | undefined,
  cursor: number | undefined,
  pointed: { readonly arrow: Arrow | undefined; readonly end: ArrowEnd | undefined },
  shown: { readonly range: ShownRange | undefined; readonly tracks: ReadonlySet<number> },
  events: { readonly track: number; readonly from: Nanos; readonly to: Nanos } | undefined,
): void {
  const context = prepare(canvas, scene.width, scene.height);
  paintSelected(context, scene, pointed, shown);
  if (cursor !== undefined) {
    context.fillStyle = scene.palette.cursor;
    context.globalAlpha = 0.55;
    context.fillRect(Math.round(cursor), 0, 1, scene.height);
    context.globalAlpha = 1;
  }
  if (hovered) paintFrame(context, scene, hovered, scene.palette.cursor, 1);
  paintFrames(context, scene, selected, events);
}

/** The critical path, the selected time and threads, and the arrows. */
export function paintSelected(
  pen: Pen,
  scene: Scene,
  pointed: { readonly arrow: Arrow | undefined; readonly end: ArrowEnd | undefined },
  shown: { readonly range: ShownRange | undefined; readonly tracks: ReadonlySet<number> },
): void {
  paintPath(pen, scene);
  paintRange(pen, scene, shown.range, shown.tracks);
  paintArrows(pen, scene, drawnOf(arrowPlaces(scene), [pointed.end, scene.selected]), pointed.arrow);
}

/** Frames around the selected call, or the selected events. */
export function paintFrames(
  pen: Pen,
  scene: Scene,
  selected: Frame | undefined,
  events: { readonly track: number; readonly from: Nanos; readonly to: Nanos } | undefined,
): void {
  if (selected) paintFrame(pen, scene, selected, scene.palette.select, 2);
  if (events) paintMarked(pen, scene, events);
}

/** A frame around the marks of events. */
function paintMarked(context: Pen, scene: Scene, events: { track: number; from: Nanos; to: Nanos }): void {
  const row = scene.layout.byTrack.get(events.track);
  if (!row?.marksBand) return;
  const left = Math.round(Math.max(xOf(scene, events.from), -10)) - 3;
  const right = Math.round(Math.min(xOf(scene, events.to), scene.width + 10)) + 3;
  context.strokeStyle = scene.palette.select;
  context.lineWidth = 2;
  context.strokeRect(left, row.top - scene.scrollTop + row.marksBand.top - 1, right - left, row.marksBand.height + 2);
}

function paintFrame(context: Pen, scene: Scene, frame: Frame, style: string, thickness: number): void {
  const { row } = frame;
  for (const lane of lanesOf(row, scene.scrollTop, scene.scrollTop + scene.height)) {
    const band = bandsOf(row, lane).find(([depth]) => depth === frame.depth)?.[1];
    if (!band || lane.track !== frame.track) continue;
    const left = Math.round(Math.max(xOf(scene, frame.begin), -10));
    const right = Math.round(Math.min(xOf(scene, frame.end), scene.width + 10));
    const top = row.top - scene.scrollTop + band.top;
    context.strokeStyle = style;
    context.lineWidth = thickness;
    const out = thickness / 2;
    const width = Math.max(right - left - 1, 2);
    context.strokeRect(left - out, top - out, width + thickness, band.height + thickness);
  }
}

/** The cursor's time, in the ruler. */
export function paintCursorTime(canvas: HTMLCanvasElement, scene: Scene, cursor: number, time: Nanos): void {
  const context = canvas.getContext('2d')!;
  const text = moment(time);
  const width = context.measureText(text).width + 12;
  const left = Math.min(Math.max(cursor - width / 2, 1), scene.width - width - 1);
  context.fillStyle = scene.palette.cursor;
  context.beginPath();
  context.roundRect(left, 1, width, 17, 4);
  context.fill();
  context.fillStyle = scene.palette.theme === 'light' ? '#ffffff' : '#0c1016';
  context.fillText(text, left + 6, 10);
}
