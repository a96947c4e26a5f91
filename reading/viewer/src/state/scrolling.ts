import type { Address } from '../base/address';
import { rowIndexAt } from '../render/layout';
import type { Core } from './core';
import { scrollerOf, scrollToCall, whenDrawn } from './scroller';

/** The scroll position within the threads; a link stores it as the row at the upper edge. */
export class Scrolling {
  /** CSS pixels of the rows above the upper edge. */
  private top = 0;

  constructor(private readonly core: Core) {}

  moved(top: number): void {
    this.top = top;
    this.core.remember();
  }

  address(): Pick<Address, 'top'> {
    const { rows } = this.core.layout;
    if (this.top <= 0) return {};
    for (let i = rowIndexAt(rows, this.top); i >= 0; i--) {
      const row = rows[i];
      if (row?.kind === 'track') return { top: { track: row.track.id, pixels: Math.round(this.top - row.top) } };
    }
    return {};
  }

  /** Scrolls at once to a row, if it is there; returns whether it is. */
  toRow(track: number, pixels: number): boolean {
    const row = this.core.layout.byTrack.get(track);
    const scroller = scrollerOf();
    if (!row || !scroller) return false;
    scroller.scrollTop = row.top + Math.min(pixels, Math.max(0, row.height - 1));
    return true;
  }

  /** Scrolls to the place in an address; without one, to the selected call, or to the begin. */
  apply({ top, selected, first }: Address): void {
    // The first picture brings its busiest thread into sight.
    if (first) return;
    whenDrawn(() => {
      const { core } = this;
      const scroller = scrollerOf();
      const row = top && core.layout.byTrack.get(top.track);
      if (!scroller) return;
      scroller.scrollTop = row ? row.top + top.pixels : 0;
      if (!row && selected) scrollToCall(core.layout, selected.track, selected.depth);
    });
  }
}
