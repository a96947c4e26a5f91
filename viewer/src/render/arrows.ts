import { stateColour } from '../base/states';
import { css } from '../base/colours';
import type { Nanos } from '../base/time';
import { stripOf, type TrackRow } from './layout';
import { type Scene, xOf } from './scene';

/** From the thread that released to the one that went on. */
export interface Arrow {
  readonly time: Nanos;
  /** Tracks of states. */
  readonly from: number;
  readonly to: number;
  /** The state that ended. */
  readonly method: number;
  /** How long it took, nanoseconds. */
  readonly waited: number;
}

/** Where an arrow is drawn: upright, for it takes no time. */
export interface ArrowPlace {
  readonly arrow: Arrow;
  readonly from: TrackRow;
  readonly to: TrackRow;
  readonly x: number;
  /** Of its begin and its head, from the top of what is in sight. */
  readonly begin: number;
  readonly head: number;
}

const HEAD = 4;
/** Arrows between the same rows that are nearer to each other are drawn once. */
const APART = 3;
/** So near an arrow is met; its ends are easier to meet than the line between them. */
const NEAR = 2;
const NEAR_END = 5;

/** The arrows that can be seen: both threads have a row, and part of the way is in sight. */
export function arrowPlaces(scene: Scene): ArrowPlace[] {
  const { layout, scrollTop, height, width } = scene;
  const places: ArrowPlace[] = [];
  const last = new Map<string, number>();
  for (const arrow of scene.arrows) {
    const from = layout.byTrack.get(arrow.from);
    const to = layout.byTrack.get(arrow.to);
    if (!from || !to || from === to) continue;
    const x = xOf(scene, arrow.time);
    const ways = `${arrow.from} ${arrow.to}`;
    if (x < 0 || x > width || x < (last.get(ways) ?? -Infinity) + APART) continue;
    const down = to.top > from.top;
    const begin = edgeOf(from, arrow.from, !down) - scrollTop;
    const head = edgeOf(to, arrow.to, down) - scrollTop;
    if (Math.max(begin, head) < 0 || Math.min(begin, head) > height) continue;
    last.set(ways, x);
    places.push({ arrow, from, to, x, begin, head });
  }
  return places;
}

/** The upper or lower edge of where a track's states are in its row. */
function edgeOf(row: TrackRow, track: number, upper: boolean): number {
  const band = stripOf(row, track)?.band ?? row.statesBand ?? { top: 0, height: row.height };
  return row.top + band.top + (upper ? 0 : band.height);
}

/** The arrow at a point of what is in sight. */
export function arrowAt(places: readonly ArrowPlace[], x: number, y: number): ArrowPlace | undefined {
  let best: ArrowPlace | undefined;
  let nearest = Infinity;
  for (const place of places) {
    const [top, bottom] = place.begin < place.head ? [place.begin, place.head] : [place.head, place.begin];
    const aside = Math.abs(place.x - x);
    const end = Math.min(Math.abs(y - place.begin), Math.abs(y - place.head));
    const met = (y >= top && y <= bottom && aside <= NEAR) || (end <= NEAR_END && aside <= NEAR_END);
    if (met && aside < nearest) {
      nearest = aside;
      best = place;
    }
  }
  return best;
}

/** Paints the arrows; the one that is pointed at last, with both its threads. */
export function paintArrows(
  context: CanvasRenderingContext2D,
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

function paintArrow(context: CanvasRenderingContext2D, scene: Scene, place: ArrowPlace, strong: boolean): void {
  const { palette, methods } = scene;
  const { x, begin, head } = place;
  const state = methods.get(place.arrow.method)?.state;
  const colour = state ? css(stateColour(state, palette.theme)) : palette.faint;
  const sign = head > begin ? 1 : -1;
  const size = strong ? HEAD + 2 : HEAD;
  // A seam of the ground's colour keeps it apart from the calls it crosses.
  for (const [style, width] of [[palette.groundStyle, strong ? 5 : 3], [strong ? palette.select : colour, strong ? 2 : 1.25]] as const) {
    context.strokeStyle = context.fillStyle = style;
    context.lineWidth = width;
    const seam = style === palette.groundStyle ? 1 : 0;
    context.beginPath();
    context.moveTo(x, begin);
    context.lineTo(x, head - sign * size);
    context.stroke();
    context.beginPath();
    context.arc(x, begin, (strong ? 3.5 : 2.2) + seam, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    context.moveTo(x - size - seam, head - sign * (size + 2 + seam));
    context.lineTo(x + size + seam, head - sign * (size + 2 + seam));
    context.lineTo(x, head + sign * seam);
    context.fill();
  }
}
