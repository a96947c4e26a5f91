import type { Nanos } from '../base/time';
import { offsetIn, windowOf } from '../base/window';
import { mainTrack } from '../render/groups';
import { CALL_HEIGHT, stripOf, type TrackRow } from '../render/layout';
import type { Model } from './model';

/** A call narrower than this share of the window is hard to see. */
const VISIBLE_SHARE = 0.02;

/** Selects a call and makes sure that it is seen: its thread unfolded unless it is a state, its row and its time in sight. */
export function reveal(model: Model, track: number, depth: number, begin: Nanos, duration: Nanos): void {
  const { recording } = model;
  if (!recording) return;
  const main = mainTrack(recording, track);
  if (main === track && !model.open.has(track)) model.toggle(track);
  model.depths.forget(main);
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
  requestAnimationFrame(() => requestAnimationFrame(() => scrollToCall(model, track, depth)));
}

/** Brings the row of a call into sight, and a thread back that is hidden or filtered away. */
export function bringRowIntoSight(model: Model, track: number, depth: number): void {
  if (!model.recording) return;
  model.showTrack(mainTrack(model.recording, track));
  model.depths.forget(mainTrack(model.recording, track));
  requestAnimationFrame(() => requestAnimationFrame(() => scrollToCall(model, track, depth)));
}

/** Where a call is within all rows, in pixels; in a folded thread, the row. */
function placeOf(row: TrackRow, track: number, depth: number): { top: number; bottom: number } {
  const strip = stripOf(row, track)?.band;
  if (strip) return { top: row.top + strip.top, bottom: row.top + strip.top + strip.height };
  if (!row.open) return { top: row.top, bottom: row.top + row.height };
  const top = row.top + row.callsTop + depth * CALL_HEIGHT;
  return { top, bottom: top + 2 * CALL_HEIGHT };
}

/** Keeps what is selected in sight while the timeline becomes lower, because details or tables have opened. */
export function keepSelected(scroller: HTMLElement, model: Model, before: number): void {
  const { selected, events } = model;
  const track = selected?.track ?? events.place?.track;
  const row = track === undefined ? undefined : model.layout.byTrack.get(track);
  if (!row) return;
  const { top, bottom } = placeOf(row, track!, selected?.depth ?? 0);
  const { scrollTop, clientHeight } = scroller;
  const seen = bottom > scrollTop && top < scrollTop + before;
  if (seen && bottom > scrollTop + clientHeight) scroller.scrollTop = Math.min(top, bottom - clientHeight);
}

/** Scrolls no further than needed for a call to be seen. */
export function scrollToCall(model: Model, track: number, depth: number): void {
  const scroller = document.querySelector('.scroller');
  const row = model.layout.byTrack.get(track);
  if (!scroller || !row) return;
  const { top, bottom } = placeOf(row, track, depth);
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop || bottom > scrollTop + clientHeight) {
    scroller.scrollTop = Math.max(row.top, top - clientHeight / 2);
  }
}
