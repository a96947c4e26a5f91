import { niceStep, type Ruler, rulerOfPart } from '../base/time';
import { timeAt } from '../base/window';
import type { Pen } from './pen';
import { range, type Scene, xOf } from './scene';

export const FONT = '11.5px system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif';
/** Pixels between two ticks, at least: a label must fit. */
const TICK_ROOM = 110;

export function rulerOf(scene: Scene): Ruler {
  const { window, width } = scene;
  const step = niceStep((window.span * TICK_ROOM) / Math.max(width, 1));
  return rulerOfPart(range(scene).from, timeAt(window, 1), step);
}

/** Fits a canvas to its place on the screen and clears it; afterwards, coordinates are CSS pixels. */
export function prepare(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio = window.devicePixelRatio || 1,
): CanvasRenderingContext2D {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  context.textBaseline = 'middle';
  return context;
}

/** Paints the ruler above the rows. */
export function paintRuler(canvas: HTMLCanvasElement, scene: Scene, height: number): void {
  drawRuler(prepare(canvas, scene.width, height), scene, height);
}

export function drawRuler(context: Pen, scene: Scene, height: number): void {
  const { palette, width } = scene;
  context.fillStyle = palette.line;
  context.fillRect(0, height - 1, width, 1);
  const { ticks } = rulerOf(scene);
  for (const tick of ticks) {
    const x = Math.round(xOf(scene, tick.time));
    context.fillStyle = palette.line;
    context.fillRect(x, height - 6, 1, 6);
    context.fillStyle = palette.faint;
    const room = context.measureText(tick.label).width;
    // Labels at the edges would be cut off.
    const at = Math.min(Math.max(x - room / 2, 3), width - room - 3);
    if (Math.abs(at + room / 2 - x) < room / 2 + 2) context.fillText(tick.label, at, height - 14);
  }
}
