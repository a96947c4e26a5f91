import type { Recording } from '../data/contract';
import type { Ink, Pixels } from './pixels';

/** Wider edges than this say no more. */
const WIDEST = 400;

/**
 * By how much the ends of what a process did are blurred, in device pixels: its times were put on another recording's
 * clock, and may be wrong by so much. 0: they are sharp.
 */
export function blurOf(recording: Recording, process: number, perPixel: number): number {
  const error = recording.processes.find((each) => each.process === process)?.clockError ?? 0;
  const pixels = Math.round(error / perPixel);
  return pixels < 1 ? 0 : Math.min(pixels, WIDEST);
}

/** Blurs both ends of a painted slice, outwards over what is beside it and inwards up to its middle. */
export function paintBlur(
  pixels: Pixels,
  left: number,
  right: number,
  top: number,
  bottom: number,
  blur: number,
  colour: Ink,
  ground: Ink,
): void {
  const middle = (left + right) / 2;
  for (let away = 0; away < blur; away++) {
    // Half of either colour at the edge itself.
    const share = Math.round(127 * (1 - (away + 0.5) / blur));
    column(pixels, left - 1 - away, top, bottom, colour, share);
    column(pixels, right + away, top, bottom, colour, share);
    if (left + away < middle) column(pixels, left + away, top, bottom, ground, share);
    if (right - 1 - away >= middle) column(pixels, right - 1 - away, top, bottom, ground, share);
  }
}

function column(pixels: Pixels, x: number, top: number, bottom: number, colour: Ink, share: number): void {
  if (x < 0 || x >= pixels.width) return;
  const end = Math.min(bottom, pixels.height);
  for (let y = Math.max(0, top); y < end; y++) {
    const at = y * pixels.width + x;
    // Where a thread does not live yet, or no more, nothing is painted.
    if (pixels.data[at]! >>> 24 !== 0) pixels.blend(at, colour, share);
  }
}
