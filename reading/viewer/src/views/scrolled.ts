import type { ViewerMessage } from '../base/viewer-message';
import type { Model } from '../state/model';
import { scrollerOf } from '../state/scroller';

/** A scroll this long after the reader's doing is the reader's. */
const DOING_MS = 400;
const KEYS: ReadonlySet<string> = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);

/**
 * Tells the page around which thread is at the upper edge when the reader has scrolled: not when the page did, and not
 * when a call was brought into sight, because the page has shown its partner then.
 */
export class ReportedScroll {
  private top = 0;
  private held = false;
  private done = -Infinity;

  constructor(
    private readonly model: Model,
    private readonly tell: (message: ViewerMessage) => void,
  ) {
    const did = () => (this.done = performance.now());
    addEventListener('wheel', did, { passive: true, capture: true });
    addEventListener('keydown', ({ key }) => KEYS.has(key) && did(), { capture: true });
    addEventListener('pointerdown', () => (this.held = true), { capture: true });
    addEventListener('pointerup', () => (this.held = false), { capture: true });
    addEventListener('pointercancel', () => (this.held = false), { capture: true });
  }

  /** The page has scrolled the other viewer. */
  follow(track: number, pixels: number): void {
    if (this.model.scrolling.toRow(track, pixels)) this.top = scrollerOf()?.scrollTop ?? 0;
  }

  changed(): void {
    const top = scrollerOf()?.scrollTop ?? 0;
    if (top === this.top) return;
    this.top = top;
    if (!this.held && performance.now() - this.done > DOING_MS) return;
    const place = this.model.scrolling.address().top ?? this.first();
    if (place) this.tell({ kymo: 'scrolled', ...place });
  }

  /** All the way up there is no place in the address. */
  private first(): { track: number; pixels: number } | undefined {
    const row = this.model.layout.rows.find(({ kind }) => kind === 'track');
    return row?.kind === 'track' ? { track: row.track.id, pixels: 0 } : undefined;
  }
}
