import type { Box } from '../base/viewer-message';
import { offsetIn } from '../base/window';
import type { Core } from './core';
import { placeOf, scrollerOf } from './scroller';

/** Where the selected call is drawn in this window; null if it is out of sight or nothing is selected. */
export function drawnAt(core: Core): Box | null {
  const { call, selected, window } = core;
  const row = selected && core.layout.byTrack.get(selected.track);
  const axis = document.querySelector('.axis')?.getBoundingClientRect();
  const scroller = scrollerOf();
  if (!call || !row || !axis || !scroller) return null;
  const seen = scroller.getBoundingClientRect();
  const x = (share: number) => axis.left + Math.min(1, Math.max(0, share)) * axis.width;
  const begin = offsetIn(window, call.begin) / window.span;
  const end = offsetIn(window, call.end) / window.span;
  const { top, bottom } = placeOf(row, selected.track, selected.depth);
  const y = (place: number) => Math.min(seen.bottom, Math.max(seen.top, seen.top + place - scroller.scrollTop));
  if (end < 0 || begin > 1 || seen.top + bottom - scroller.scrollTop < seen.top) return null;
  if (seen.top + top - scroller.scrollTop > seen.bottom) return null;
  return { left: x(begin), right: x(end), top: y(top), bottom: y(Math.min(bottom, top + ONE_CALL)) };
}

/** A place in an open thread has room for the call below. */
const ONE_CALL = 19;
