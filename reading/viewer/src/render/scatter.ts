import type { LatenciesAnswer } from '../data/contract';
import { prepare } from './paint';

/** Even a single call among millions is visible. */
const LEAST = 0.5;

export interface ScatterScene {
  readonly answer: LatenciesAnswer;
  readonly columns: number;
  readonly colour: string;
  readonly select: string;
  readonly width: number;
  readonly height: number;
  readonly current: number | undefined;
}

/** Left, top, width and height of a cell; it is always large enough to be visible. */
export function cellBox(
  { answer, columns, width, height }: ScatterScene,
  cell: number,
): readonly [number, number, number, number] {
  const rows = Math.max(1, answer.bound.length - 1);
  const [w, h] = [Math.max(2, width / columns), Math.max(2, height / rows)];
  const x = (answer.column[cell]! / columns) * width;
  const y = height - ((answer.row[cell]! + 1) / rows) * height;
  return [Math.min(x, width - w), y, w, h];
}

/** Paints cells of calls; more calls are stronger. */
export function paintScatter(canvas: HTMLCanvasElement, scene: ScatterScene): void {
  const { answer, width, height, colour, select, current } = scene;
  const context = prepare(canvas, width, height);
  const most = Math.log1p(answer.count.reduce((a, b) => Math.max(a, b), 1));
  context.fillStyle = colour;
  answer.count.forEach((count, cell) => {
    context.globalAlpha = LEAST + (1 - LEAST) * (Math.log1p(count) / most);
    context.fillRect(...cellBox(scene, cell));
  });
  context.globalAlpha = 1;
  if (current === undefined || current >= answer.count.length) return;
  const [x, y, w, h] = cellBox(scene, current);
  context.strokeStyle = select;
  context.lineWidth = 2;
  context.strokeRect(x - 2, y - 2, w + 4, h + 4);
}

/** The cell at a point, or the one nearest to it within some pixels. */
export function cellAt(scene: ScatterScene, x: number, y: number, reach = 8): number | undefined {
  let best: number | undefined;
  let least = reach;
  scene.answer.count.forEach((_, cell) => {
    const [left, top, w, h] = cellBox(scene, cell);
    const away = Math.hypot(Math.max(left - x, 0, x - left - w), Math.max(top - y, 0, y - top - h));
    if (away < least) [best, least] = [cell, away];
  });
  return best;
}
