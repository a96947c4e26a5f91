import { stateColour } from '../base/states';
import { css } from '../base/colours';
import type { Nanos } from '../base/time';
import { type Arrow, type ArrowEnd, beginOf } from './arrow';
import { stripOf, type TrackRow } from './layout';
import { type Scene, xOf } from './scene';
import type { Pen } from './pen';

/** Where an arrow is drawn; it is vertical if it takes no time. */
export interface ArrowPlace {
  readonly arrow: Arrow;
  readonly from: TrackRow;
  readonly to: TrackRow;
  /** Where it begins, and where its head is. */
  readonly beginX: number;
  readonly x: number;
  /** Heights of its begin and its head, from the top of the visible part. */
  readonly begin: number;
  readonly head: number;
}

const HEAD = 4;
/** Of arrows between the same rows that are closer than this, only one is drawn. */
const APART = 3;
/** Distance in pixels at which an arrow is hit; its ends are easier to hit than the line between them. */
const NEAR = 2;
const NEAR_END = 5;

/** The visible arrows: both threads have a row, and part of the line is in sight. */
export function arrowPlaces(scene: Scene): ArrowPlace[] {
  const { layout, scrollTop, height, width } = scene;
  const places: ArrowPlace[] = [];
  const last = new Map<string, ArrowPlace>();
  for (const arrow of scene.arrows) {
    const from = layout.byTrack.get(arrow.from);
    const to = layout.byTrack.get(arrow.to);
    if (!from || !to || (from === to && !arrow.message) || scene.shown?.arrow(arrow) === false) continue;
    const x = xOf(scene, arrow.time);
    const beginX = arrow.takesTime ? xOf(scene, beginOf(arrow)) : x;
    if (Math.max(x, beginX) < 0 || Math.min(x, beginX) > width) continue;
    const ways = `${arrow.from} ${arrow.to} ${arrow.message}`;
    const before = last.get(ways);
    if (before && Math.abs(x - before.x) < APART && Math.abs(beginX - before.beginX) < APART) continue;
    const down = to.top > from.top;
    const begin = endOf(from, arrow, arrow.from, !down) - scrollTop;
    const head = endOf(to, arrow, arrow.to, down) - scrollTop;
    if (Math.max(begin, head) < 0 || Math.min(begin, head) > height) continue;
    const place = { arrow, from, to, beginX, x, begin, head };
    last.set(ways, place);
    places.push(place);
  }
  return places;
}

/** More arrows than this hide what they cross. */
const MANY = 30;

export function tooMany(places: readonly ArrowPlace[]): boolean {
  return places.length > MANY;
}

/** The arrows to draw: all, or, if there are very many, those that lead to or from one of these ends. */
export function drawnOf(
  places: readonly ArrowPlace[],
  ends: ReadonlyArray<ArrowEnd | undefined>,
): readonly ArrowPlace[] {
  if (!tooMany(places)) return places;
  return places.filter((place) => ends.some((end) => end && touches(place, end)));
}

function touches({ arrow, from, to }: ArrowPlace, { row, begin, end }: ArrowEnd): boolean {
  const within = (time: Nanos) => begin <= time && time <= end;
  return (to.track === row.track && within(arrow.time)) || (from.track === row.track && within(beginOf(arrow)));
}

/** Where in a row an arrow ends: at the edge of a track's states, or at the marks of its own events. */
function endOf(row: TrackRow, arrow: Arrow, track: number, upper: boolean): number {
  if (arrow.message && row.marksBand) return row.top + row.marksBand.top + row.marksBand.height / 2;
  const band = stripOf(row, track)?.band ?? row.statesBand ?? { top: 0, height: row.height };
  return row.top + band.top + (upper ? 0 : band.height);
}

/** The arrow at a point of the visible part. */
export function arrowAt(places: readonly ArrowPlace[], x: number, y: number): ArrowPlace | undefined {
  let best: ArrowPlace | undefined;
  let nearest = Infinity;
  for (const place of places) {
    const aside = asideOf(place, x, y);
    const near = (px: number, py: number) => Math.abs(y - py) <= NEAR_END && Math.abs(x - px) <= NEAR_END;
    const met = aside <= NEAR || near(place.beginX, place.begin) || near(place.x, place.head);
    if (met && aside < nearest) {
      nearest = aside;
      best = place;
    }
  }
  return best;
}

/** How far a point is from an arrow's line. */
function asideOf({ beginX, begin, x: headX, head }: ArrowPlace, x: number, y: number): number {
  const [dx, dy] = [headX - beginX, head - begin];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - beginX) * dx + (y - begin) * dy) / length));
  return Math.hypot(beginX + share * dx - x, begin + share * dy - y);
}

/** Paints the arrows; the one under the pointer comes last, with both of its threads. */
export function paintArrows(
  context: Pen,
  scene: Scene,
  places: readonly ArrowPlace[],
  hovered: Arrow | undefined,
): void {
  for (const place of places) paintArrow(context, scene, place, false);
  const strong = hovered && places.find((place) => place.arrow === hovered);
  if (!strong) return;
  context.fillStyle = scene.palette.cursor;
  context.globalAlpha = 0.16;
  for (const row of [strong.from, strong.to]) context.fillRect(0, row.top - scene.scrollTop, scene.width, row.height);
  context.globalAlpha = 1;
  paintArrow(context, scene, strong, true);
}

function paintArrow(context: Pen, scene: Scene, place: ArrowPlace, strong: boolean): void {
  const { palette, methods } = scene;
  const { beginX, x, begin, head, arrow } = place;
  const state = methods.get(arrow.method)?.state;
  const colour = state
    ? css(stateColour(state, palette.theme))
    : arrow.message
      ? methods.style(arrow.method, palette.theme)
      : palette.faint;
  const length = Math.max(1, Math.hypot(x - beginX, head - begin));
  // Along the arrow, and across it.
  const [ax, ay] = length > 1 ? [(x - beginX) / length, (head - begin) / length] : [1, 0];
  const [cx, cy] = [-ay, ax];
  const size = strong ? HEAD + 2 : HEAD;
  // A border in the ground's colour separates it from the calls that it crosses.
  for (const [style, width] of [
    [palette.groundStyle, strong ? 5 : 3],
    [strong ? palette.select : colour, strong ? 2 : 1.25],
  ] as const) {
    context.strokeStyle = context.fillStyle = style;
    context.lineWidth = width;
    const seam = style === palette.groundStyle ? 1 : 0;
    context.beginPath();
    context.moveTo(beginX, begin);
    context.lineTo(x - ax * size, head - ay * size);
    context.stroke();
    context.beginPath();
    context.arc(beginX, begin, (strong ? 3.5 : 2.2) + seam, 0, 2 * Math.PI);
    context.fill();
    const [back, wide] = [size + 2 + seam, size + seam];
    context.beginPath();
    context.moveTo(x - ax * back + cx * wide, head - ay * back + cy * wide);
    context.lineTo(x - ax * back - cx * wide, head - ay * back - cy * wide);
    context.lineTo(x + ax * seam, head + ay * seam);
    context.fill();
  }
}
