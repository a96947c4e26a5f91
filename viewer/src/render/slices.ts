import { INFERRED_END, LOSSY, OPEN_BEGIN, OPEN_END, UNWOUND } from '../base/flags';
import { grouped } from '../base/time';
import { offsetIn } from '../base/window';
import type { Piece } from '../data/piece';
import type { Scene } from './scene';
import type { TextFitter } from './text';

/** How strongly a run of calls too short to be drawn apart is coloured. */
export const RUN_STRENGTH = 0.62;
/** How strongly calls of other methods are coloured while one is marked. */
export const DIMMED = 0.18;
const TEXT_ROOM = 26;
const TEXT_HEIGHT = 14;
/** Lower bands are stripes. */
const THIN = 8;

/** Paints the slices of one depth of a track into a band of the canvas. */
export function paintBand(
  context: CanvasRenderingContext2D,
  scene: Scene,
  fitter: TextFitter,
  piece: Piece,
  depth: number,
  top: number,
  height: number,
): void {
  const { window, width, palette, methods, highlighted } = scene;
  const { begin, end, method, calls, flags } = piece.slices;
  const scale = width / window.span;
  const shift = offsetIn(window, piece.from);
  const last = piece.range(depth)[1];
  // A finer piece may have many slices in one pixel; the first of them stands for all. Thin stripes
  // are told apart by two pixels only: there are many of them.
  const step = height < THIN ? 2 : 1;
  let painted = -Infinity;
  let style = '';
  let strength = 1;
  for (let i = piece.firstEndingAt(depth, -shift); i < last; i++) {
    const x0 = (begin[i]! + shift) * scale;
    const x1 = (end[i]! + shift) * scale;
    if (x0 > width) break;
    const left = Math.round(Math.max(x0, -20));
    const right = Math.max(left + 1, Math.round(Math.min(x1, width + 20)));
    if (right < painted + step) continue;
    painted = right;
    const room = right - left;
    const gap = room >= 4 ? 1 : 0;
    const dimmed = highlighted !== undefined && !highlighted.has(method[i]!);
    const nextStrength = dimmed ? DIMMED : calls[i]! > 1 ? RUN_STRENGTH : 1;
    if (nextStrength !== strength) context.globalAlpha = strength = nextStrength;
    const nextStyle = methods.style(method[i]!, palette.theme);
    if (nextStyle !== style) context.fillStyle = style = nextStyle;
    context.fillRect(left, top, room - gap, height);
    // The ends of a run are no call's ends.
    const marks = calls[i]! > 1 ? flags[i]! & LOSSY : flags[i]!;
    const named = room >= TEXT_ROOM && height >= TEXT_HEIGHT;
    if (marks === 0 && !named) continue;
    if (strength !== 1) context.globalAlpha = strength = 1;
    style = '';
    if (marks !== 0) paintMarks(context, scene, marks, left, right - gap, top, height);
    if (named) paintName(context, scene, fitter, method[i]!, calls[i]!, left, right, top, height);
  }
  context.globalAlpha = 1;
}

function paintName(
  context: CanvasRenderingContext2D,
  scene: Scene,
  fitter: TextFitter,
  id: number,
  calls: number,
  left: number,
  right: number,
  top: number,
  height: number,
): void {
  const method = scene.methods.get(id);
  if (!method) return;
  const from = Math.max(left, 0) + 5;
  const room = Math.min(right, scene.width) - from - 4;
  if (room < TEXT_ROOM - 8) return;
  const many = calls > 1 ? ` ×${grouped(calls)}` : '';
  let text = method.label + many;
  if (fitter.measure(text) > room) text = fitter.fit(method.name + many, room);
  if (!text) return;
  const dimmed = scene.highlighted !== undefined && !scene.highlighted.has(id);
  context.fillStyle = dimmed ? scene.palette.faint : scene.palette.onCall;
  context.fillText(text, from, top + height / 2 + 0.5);
}

/** What is odd about a slice's ends. */
function paintMarks(
  context: CanvasRenderingContext2D,
  scene: Scene,
  flags: number,
  left: number,
  right: number,
  top: number,
  height: number,
): void {
  const { palette } = scene;
  if (right - left < 5) return;
  if (flags & LOSSY && height >= 6) {
    context.fillStyle = palette.loss;
    for (let x = Math.max(left, 0); x < Math.min(right, scene.width) - 2; x += 5) {
      context.fillRect(x, top + height - 2, 3, 2);
    }
  }
  if (flags & UNWOUND) {
    context.fillStyle = palette.error;
    context.fillRect(right - 3, top, 3, height);
  }
  if (flags & OPEN_BEGIN) paintTear(context, palette.groundStyle, left, 1, top, height);
  if (flags & OPEN_END) paintTear(context, palette.groundStyle, right, -1, top, height);
  if (flags & INFERRED_END) {
    context.fillStyle = palette.onCall;
    for (let y = top + 1; y < top + height - 1; y += 4) context.fillRect(right - 2, y, 2, 2);
  }
}

/** A torn edge: there the call went on, but nobody saw it. */
function paintTear(
  context: CanvasRenderingContext2D,
  style: string,
  edge: number,
  inwards: 1 | -1,
  top: number,
  height: number,
): void {
  const teeth = Math.max(1, Math.round(height / 6));
  const tooth = height / teeth;
  context.fillStyle = style;
  context.beginPath();
  context.moveTo(edge, top);
  for (let i = 0; i < teeth; i++) {
    context.lineTo(edge + inwards * 4, top + tooth * (i + 0.5));
    context.lineTo(edge, top + tooth * (i + 1));
  }
  context.closePath();
  context.fill();
}
