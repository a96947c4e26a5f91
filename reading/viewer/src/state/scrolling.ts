import type { Address } from '../base/address';
import { type Row, rowIndexAt } from '../render/layout';
import type { Model } from './model';
import { scrollToCall } from './reveal';

/** How far one has scrolled through the threads, as a link says it: by what is at the upper edge. */
export class Scrolling {
  /** CSS pixels of the rows above the upper edge. */
  private top = 0;

  constructor(private readonly model: Model) {}

  moved(top: number): void {
    this.top = top;
    this.model.remember();
  }

  /** Scrolls so far that a row is seen, if it is not. */
  bring({ top, height }: Row): void {
    whenDrawn(() => {
      const scroller = document.querySelector('.scroller');
      if (!scroller) return;
      const { scrollTop, clientHeight } = scroller;
      if (top < scrollTop || top + Math.min(height, clientHeight) > scrollTop + clientHeight) scroller.scrollTop = top;
    });
  }

  address(): Pick<Address, 'top'> {
    const { rows } = this.model.layout;
    if (this.top <= 0) return {};
    for (let i = rowIndexAt(rows, this.top); i >= 0; i--) {
      const row = rows[i];
      if (row?.kind === 'track') return { top: { track: row.track.id, pixels: Math.round(this.top - row.top) } };
    }
    return {};
  }

  /** Scrolls to where an address says; without a place, to the selected call, or to the begin. */
  apply({ top, selected, first }: Address): void {
    // The first picture brings its busiest thread into sight.
    if (first) return;
    whenDrawn(() => {
      const { model } = this;
      const scroller = document.querySelector('.scroller');
      const row = top && model.layout.byTrack.get(top.track);
      if (!scroller) return;
      scroller.scrollTop = row ? row.top + top.pixels : 0;
      if (!row && selected) scrollToCall(model, selected.track, selected.depth);
    });
  }
}

/** The next frame tells the views, the one after it has drawn them. */
export function whenDrawn(what: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(what));
}
