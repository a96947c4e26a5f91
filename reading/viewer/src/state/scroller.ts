import { CALL_HEIGHT, type Layout, type Row, stripOf, type TrackRow } from '../render/layout';

/** The next frame notifies the views; by the one after it they are drawn. */
export function whenDrawn(what: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(what));
}

/** The element in which the rows scroll. */
export function scrollerOf(): Element | null {
  return document.querySelector('.scroller');
}

/** Scrolls to a row, unless it is in sight. */
export function bringRow({ top, height }: Row): void {
  whenDrawn(() => {
    const scroller = scrollerOf();
    if (!scroller) return;
    const { scrollTop, clientHeight } = scroller;
    if (top < scrollTop || top + Math.min(height, clientHeight) > scrollTop + clientHeight) scroller.scrollTop = top;
  });
}

/** Where a call is within all rows, in pixels; in a folded thread, the row. */
export function placeOf(row: TrackRow, track: number, depth: number): { top: number; bottom: number } {
  const strip = stripOf(row, track)?.band;
  if (strip) return { top: row.top + strip.top, bottom: row.top + strip.top + strip.height };
  if (!row.open) return { top: row.top, bottom: row.top + row.height };
  const top = row.top + row.callsTop + depth * CALL_HEIGHT;
  return { top, bottom: top + 2 * CALL_HEIGHT };
}

/** Scrolls only as far as needed to show a call. */
export function scrollToCall(layout: Layout, track: number, depth: number): void {
  const scroller = scrollerOf();
  const row = layout.byTrack.get(track);
  if (!scroller || !row) return;
  const { top, bottom } = placeOf(row, track, depth);
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop || bottom > scrollTop + clientHeight) {
    scroller.scrollTop = Math.max(row.top, top - clientHeight / 2);
  }
}
