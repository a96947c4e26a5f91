import type { Nanos } from './time';

/**
 * The visible part of the time: a begin and a length. The begin is a whole nanosecond and a part of one (0 to
 * 1), because at the deepest zoom a nanosecond is a hundred pixels wide; offsets within the window
 * are numbers, which are exact enough for a screen.
 */
export interface TimeWindow {
  readonly start: Nanos;
  readonly part: number;
  /** Nanoseconds shown. */
  readonly span: number;
}

/** A shorter window would show nothing more. */
export const MIN_SPAN = 10;

export function windowOf(from: Nanos, to: Nanos): TimeWindow {
  return { start: from, part: 0, span: Math.max(MIN_SPAN, Number(to - from)) };
}

/** The last visible time, rounded up to a whole nanosecond. */
export function windowEnd(window: TimeWindow): Nanos {
  return window.start + BigInt(Math.ceil(window.part + window.span));
}

/** Nanoseconds from the window's left edge; exact enough to be drawn if the time is near it. */
export function offsetIn(window: TimeWindow, time: Nanos): number {
  return Number(time - window.start) - window.part;
}

/** The nanosecond that has just begun at a share (0 to 1) of the window. */
export function timeAt(window: TimeWindow, share: number): Nanos {
  return window.start + BigInt(Math.floor(window.part + window.span * share));
}

function moved(window: TimeWindow, nanos: number, span: number): TimeWindow {
  const offset = window.part + nanos;
  const whole = Math.floor(offset);
  return { start: window.start + BigInt(whole), part: offset - whole, span };
}

export function panned(window: TimeWindow, share: number): TimeWindow {
  return moved(window, window.span * share, window.span);
}

/** Zooms so that what is at `share` of the width stays there. A factor below 1 zooms in. */
export function zoomed(window: TimeWindow, share: number, factor: number, duration: Nanos): TimeWindow {
  const longest = Math.max(MIN_SPAN, Number(duration));
  const span = Math.min(longest, Math.max(MIN_SPAN, window.span * factor));
  return moved(window, (window.span - span) * share, span);
}

/** Moves the begin of a window, its end, or both by some nanoseconds, inside the recording. */
export function moveEdge(window: TimeWindow, edge: 'from' | 'to' | 'both', nanos: number, duration: Nanos): TimeWindow {
  if (edge === 'both') return clamped(moved(window, nanos, window.span), duration);
  if (edge === 'to') {
    const room = Number(duration - window.start) - window.part;
    return { ...window, span: Math.min(room, Math.max(MIN_SPAN, window.span + nanos)) };
  }
  const first = -(Number(window.start) + window.part);
  const by = Math.min(window.span - MIN_SPAN, Math.max(first, nanos));
  return moved(window, by, window.span - by);
}

/** The window between two shares (0 to 1) of the recording, whichever comes first. */
export function spanOver(a: number, b: number, duration: Nanos): TimeWindow {
  const whole = Number(duration);
  const [left, right] = a < b ? [a, b] : [b, a];
  const span = Math.max(MIN_SPAN, (right - left) * whole);
  return clamped(moved({ start: 0n, part: 0, span }, left * whole, span), duration);
}

/** Keeps a window inside the recording. */
export function clamped(window: TimeWindow, duration: Nanos): TimeWindow {
  const span = Math.min(window.span, Math.max(MIN_SPAN, Number(duration)));
  if (window.start < 0n) return { start: 0n, part: 0, span };
  const room = Number(duration - window.start) - window.part;
  if (room >= span) return { ...window, span };
  const last = moved({ start: duration, part: 0, span }, -span, span);
  return last.start < 0n ? { start: 0n, part: 0, span } : last;
}

/** A way from one window to another, for a short animation. `progress` is 0 to 1. */
export function between(a: TimeWindow, b: TimeWindow, progress: number): TimeWindow {
  if (progress >= 1) return b;
  const span = a.span * Math.pow(b.span / a.span, progress);
  // The share of the zoom done, so that the begin moves in step with the length.
  const done = Math.abs(b.span - a.span) > a.span * 1e-9 ? (span - a.span) / (b.span - a.span) : progress;
  const shift = Number(b.start - a.start) + b.part - a.part;
  return moved(a, shift * done, span);
}
