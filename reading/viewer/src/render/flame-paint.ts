import type { Methods } from '../data/methods';
import type { Flame } from './flame';
import { prepare } from './paint';
import type { Palette } from './palette';
import { TextFitter } from './fit';

export const BOX_HEIGHT = 19;
const TEXT_ROOM = 24;
/** How strongly unmarked boxes are coloured. */
const DIMMED = 0.3;

export interface FlameScene {
  readonly flame: Flame;
  readonly methods: Methods;
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly current: number | undefined;
  /** Methods to highlight; all others are dimmed. */
  readonly lit: ReadonlySet<number> | undefined;
}

let fitter: TextFitter | undefined;

/** Paints the boxes in sight, outermost calls at the top, as in the timeline. */
export function paintFlame(canvas: HTMLCanvasElement, scene: FlameScene): void {
  const { flame, width, height, scrollTop } = scene;
  const context = prepare(canvas, width, height);
  fitter ??= new TextFitter(context);
  const first = Math.max(0, Math.floor(scrollTop / BOX_HEIGHT));
  const last = Math.min(flame.rows.length, Math.ceil((scrollTop + height) / BOX_HEIGHT));
  for (let depth = first; depth < last; depth++) paintRow(context, scene, depth);
}

function paintRow(context: CanvasRenderingContext2D, scene: FlameScene, depth: number): void {
  const { flame, methods, palette, width, current, lit } = scene;
  const { method } = flame.tree.answer;
  const top = depth * BOX_HEIGHT - scene.scrollTop;
  const zoomedDepth = flame.zoomed === undefined ? 0 : flame.tree.depth[flame.zoomed]!;
  for (const { node, left, right } of flame.rows[depth] ?? []) {
    const x0 = Math.round(left * width);
    const room = Math.max(1, Math.round(right * width) - x0);
    const id = method[node]!;
    const dimmed = depth < zoomedDepth || (lit !== undefined && !lit.has(id));
    context.globalAlpha = dimmed ? DIMMED : 1;
    context.fillStyle = methods.style(id, palette.theme);
    context.fillRect(x0, top, room - (room >= 4 ? 1 : 0), BOX_HEIGHT - 1);
    context.globalAlpha = 1;
    if (room >= TEXT_ROOM) paintName(context, scene, id, x0, room, top, dimmed);
    if (node === current) {
      context.strokeStyle = palette.select;
      context.lineWidth = 2;
      context.strokeRect(x0 + 1, top + 1, Math.max(1, room - 3), BOX_HEIGHT - 3);
    }
  }
}

function paintName(
  context: CanvasRenderingContext2D,
  scene: FlameScene,
  id: number,
  x: number,
  room: number,
  top: number,
  dimmed: boolean,
): void {
  const known = scene.methods.get(id);
  if (!known) return;
  const fits = fitter!.measure(known.label) <= room - 9 ? known.label : fitter!.fit(known.name, room - 9);
  context.fillStyle = dimmed ? scene.palette.text : scene.palette.onCall;
  context.fillText(fits, x + 5, top + (BOX_HEIGHT - 1) / 2 + 0.5);
}
