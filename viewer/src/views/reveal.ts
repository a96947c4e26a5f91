import type { Nanos } from '../base/time';
import { offsetIn, windowOf } from '../base/window';
import { mainTrack } from '../render/groups';
import { CALL_HEIGHT, stripOf } from '../render/layout';
import type { Model } from './model';

/** A call narrower than this share of the window is hard to see. */
const VISIBLE_SHARE = 0.02;

/** Selects a call and makes sure that it is seen: its thread unfolded unless it is a state, its row and its time in sight. */
export function reveal(model: Model, track: number, depth: number, begin: Nanos, duration: Nanos): void {
  const { recording } = model;
  if (!recording) return;
  const main = mainTrack(recording, track);
  if (main === track && !model.open.has(track)) model.toggle(track);
  model.select({ track, depth, time: begin });
  const { window } = model;
  const left = offsetIn(window, begin) / window.span;
  const share = Number(duration) / window.span;
  const inSight = left >= 0 && left + Math.min(share, VISIBLE_SHARE) <= 1 && share >= VISIBLE_SHARE && share <= 2;
  if (!inSight) {
    const margin = duration * 2n + 20n;
    model.glide(() => windowOf(begin - margin, begin + duration + margin));
  }
  // The row is laid out by now, but the page scrolls only once it is drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => scrollToCall(model, { track, depth })));
}

/** Scrolls no further than needed for a call to be seen. */
export function scrollToCall(model: Model, { track, depth }: { readonly track: number; readonly depth: number }): void {
  const scroller = document.querySelector('.scroller');
  const row = model.layout.byTrack.get(track);
  if (!scroller || !row) return;
  const strip = stripOf(row, track)?.band;
  const inRow = strip ? strip.top : row.open ? row.callsTop + depth * CALL_HEIGHT : 0;
  const top = row.top + inRow;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop || top + 2 * CALL_HEIGHT > scrollTop + clientHeight) {
    scroller.scrollTop = Math.max(row.top, top - clientHeight / 2);
  }
}
