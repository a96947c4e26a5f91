import { lossInWords } from '../base/flags';
import { grouped } from '../base/time';
import { offsetIn } from '../base/window';
import type { Piece } from '../data/piece';
import type { Palette } from './palette';
import type { Scene } from './scene';
import type { Pen } from './pen';

/** Narrower gaps could not be seen. */
const MIN_WIDTH = 4;
/** Lower ones have no room for words. */
const MIN_TEXT_HEIGHT = 16;

const patterns = new Map<string, CanvasPattern>();

/** Diagonal stripes, because a loss must not look like idle time. */
function hatch(context: Pen, palette: Palette): CanvasPattern | string {
  if (context.hatch) return context.hatch(palette);
  let pattern = patterns.get(palette.theme);
  if (!pattern) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 8;
    const paint = tile.getContext('2d')!;
    paint.fillStyle = palette.lossGround;
    paint.fillRect(0, 0, 8, 8);
    paint.strokeStyle = palette.loss;
    paint.lineWidth = 1.6;
    for (const x of [-8, 0, 8]) {
      paint.moveTo(x - 1, 9);
      paint.lineTo(x + 9, -1);
    }
    paint.stroke();
    const made = context.createPattern?.(tile, 'repeat');
    if (!made) return palette.loss;
    patterns.set(palette.theme, made);
    pattern = made;
  }
  return pattern;
}

export function gapEdges(scene: Scene, piece: Piece, i: number): readonly [left: number, right: number] {
  const scale = scene.width / scene.window.span;
  const shift = offsetIn(scene.window, piece.from);
  const left = (piece.slices.gaps.from[i]! + shift) * scale;
  const right = (piece.slices.gaps.to[i]! + shift) * scale;
  return right - left >= MIN_WIDTH ? [left, right] : [left, left + MIN_WIDTH];
}

/** Paints a gap with the number of lost events over a part of a thread's row. */
export function paintGaps(context: Pen, scene: Scene, piece: Piece, top: number, height: number): void {
  const { lost, unknown } = piece.slices.gaps;
  for (let i = 0; i < lost.length; i++) {
    const edges = gapEdges(scene, piece, i);
    const left = Math.max(edges[0], -10);
    const right = Math.min(edges[1], scene.width + 10);
    if (right < 0 || left > scene.width) continue;
    context.fillStyle = hatch(context, scene.palette);
    context.fillRect(left, top, right - left, height);
    if (height < MIN_TEXT_HEIGHT) continue;
    paintCount(context, scene, lossTexts(lost[i]!, unknown[i]!), left, right, top, Math.min(height, 28));
  }
}

/** Possible texts for a gap, the longest first. */
function lossTexts(lost: number, unknown: boolean): readonly string[] {
  const words = lossInWords(lost, unknown);
  return lost > 0 ? [words, (unknown ? '≥' : '') + grouped(lost)] : [words];
}

function paintCount(
  context: Pen,
  scene: Scene,
  texts: readonly string[],
  left: number,
  right: number,
  top: number,
  height: number,
): void {
  const from = Math.max(left, 0);
  const room = Math.min(right, scene.width) - from;
  const text = texts.find((t) => context.measureText(t).width + 14 <= room);
  if (text === undefined) return;
  const width = context.measureText(text).width + 10;
  const x = from + (room - width) / 2;
  context.fillStyle = scene.palette.groundStyle;
  context.beginPath();
  context.roundRect(x, top + height / 2 - 8, width, 16, 4);
  context.fill();
  context.fillStyle = scene.palette.loss;
  context.fillText(text, x + 5, top + height / 2 + 0.5);
}
