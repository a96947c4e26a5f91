import type { Nanos } from '../base/time';
import { offsetIn, windowOf } from '../base/window';
import type { Recording } from '../data/contract';
import { mainTrack } from '../render/groups';
import type { Core } from './core';
import { placeOf, scrollToCall, whenDrawn } from './scroller';

/** A call narrower than this share of the window is hard to see. */
const VISIBLE_SHARE = 0.02;

/**
 * Selects a call and makes it visible: unfolds its thread, unless it is a state, and brings its row and time into
 * sight.
 */
export function reveal(core: Core, track: number, depth: number, begin: Nanos, duration: Nanos): void {
  if (!core.recording) return;
  selectIn(core, core.recording, track, depth, begin);
  const { window } = core;
  const left = offsetIn(window, begin) / window.span;
  const share = Number(duration) / window.span;
  const inSight = left >= 0 && left + Math.min(share, VISIBLE_SHARE) <= 1 && share >= VISIBLE_SHARE && share <= 2;
  if (!inSight) {
    const margin = duration * 2n + 20n;
    core.glide(() => windowOf(begin - margin, begin + duration + margin));
  }
  // The row is laid out by now, but the page scrolls only once it is drawn.
  whenDrawn(() => scrollToCall(core.layout, track, depth));
}

function selectIn(core: Core, recording: Recording, track: number, depth: number, begin: Nanos): void {
  const main = mainTrack(recording, track);
  if (main === track && !core.open.has(track)) core.toggle(track);
  core.depths.forget(main);
  core.select({ track, depth, time: begin });
}

/** Selects a call and brings its row into sight, also if its thread is hidden; the time stays as it is. */
export function revealRow(core: Core, track: number, depth: number, begin: Nanos): void {
  const { recording } = core;
  if (!recording?.tracks[track]) return;
  core.showTrack(track);
  selectIn(core, recording, track, depth, begin);
  whenDrawn(() => scrollToCall(core.layout, track, depth));
}

/** Brings the row of a call into sight, also if its thread is hidden or filtered out. */
export function bringRowIntoSight(core: Core, track: number, depth: number): void {
  if (!core.recording) return;
  core.showTrack(mainTrack(core.recording, track));
  core.depths.forget(mainTrack(core.recording, track));
  whenDrawn(() => scrollToCall(core.layout, track, depth));
}

/** Keeps the selection in sight when the timeline becomes lower because details or tables have opened. */
export function keepSelected(scroller: HTMLElement, core: Core, before: number): void {
  const { selected, events } = core;
  const track = selected?.track ?? events.place?.track;
  const row = track === undefined ? undefined : core.layout.byTrack.get(track);
  if (!row) return;
  const { top, bottom } = placeOf(row, track!, selected?.depth ?? 0);
  const { scrollTop, clientHeight } = scroller;
  const seen = bottom > scrollTop && top < scrollTop + before;
  if (seen && bottom > scrollTop + clientHeight) scroller.scrollTop = Math.min(top, bottom - clientHeight);
}
