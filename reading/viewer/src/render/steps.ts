import { isDown } from '../base/modes';
import type { Nanos } from '../base/time';
import type { StepsRow } from './layout';
import { type Scene, type Step, xOf } from './scene';
import type { Pen } from './pen';

const SIZE = 5;
/** Of marks of the same direction that are closer than this, only one is drawn. */
const APART = 4;

/** Index of the first step at a time or later. */
function firstAt(steps: readonly Step[], time: Nanos): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (steps[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The steps of a row that lie between two places on the screen. */
export function stepsBetween(scene: Scene, row: StepsRow, left: number, right: number): Step[] {
  const { steps, window, width } = scene;
  const perPixel = window.span / width;
  const from = window.start + BigInt(Math.floor(window.part + left * perPixel));
  const to = window.start + BigInt(Math.ceil(window.part + right * perPixel));
  const found: Step[] = [];
  for (let i = firstAt(steps, from); i < steps.length && steps[i]!.time <= to; i++) {
    if (steps[i]!.process === row.process.process) found.push(steps[i]!);
  }
  return found;
}

/** The steps under the pointer, if there are any. */
export function stepsAt(scene: Scene, row: StepsRow, x: number): Step[] {
  return stepsBetween(scene, row, x - SIZE, x + SIZE);
}

/**
 * Paints each step as an arrow head: downwards if a method is recorded in less detail from here on; upwards if in more.
 */
export function paintSteps(context: Pen, scene: Scene, row: StepsRow): void {
  const middle = row.top - scene.scrollTop + row.height / 2;
  const painted = { down: -Infinity, up: -Infinity };
  for (const step of stepsBetween(scene, row, -SIZE, scene.width + SIZE)) {
    const way = isDown(step.before, step.mode) ? 'down' : 'up';
    const x = Math.round(xOf(scene, step.time));
    if (x < painted[way] + APART) continue;
    painted[way] = x;
    const sign = way === 'down' ? 1 : -1;
    // Each direction has half of the row, so that neither hides the other.
    const y = middle + sign * (SIZE / 2 + 0.5);
    context.fillStyle = way === 'down' ? scene.palette.stepDown : scene.palette.stepUp;
    context.beginPath();
    context.moveTo(x - SIZE, y - (sign * SIZE) / 2);
    context.lineTo(x + SIZE, y - (sign * SIZE) / 2);
    context.lineTo(x, y + (sign * SIZE) / 2 + sign);
    context.fill();
  }
}
