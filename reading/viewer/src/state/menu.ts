import type { Model } from '../model';
import { itemsOf, type Section } from './items';
import type { Spot } from './spot';

/** Where a menu opens, in CSS pixels of the page. */
export interface Anchor {
  readonly x: number;
  readonly y: number;
}

export interface OpenMenu extends Anchor {
  readonly sections: readonly Section[];
  /** What had the focus, and gets it back. */
  readonly before: HTMLElement | undefined;
}

/** The menu of what can be done with something in the picture. */
export class MenuState {
  shown: OpenMenu | undefined;
  /** Where the keyboard is in the picture; the timeline knows. */
  atKeyboard: (() => { spot: Spot; anchor: Anchor } | undefined) | undefined;

  constructor(private readonly model: Model) {}

  /** Opens the menu of a spot; false if nothing can be done there. */
  open(spot: Spot, { x, y }: Anchor): boolean {
    const sections = itemsOf(this.model, spot);
    if (sections.length === 0) return false;
    const focused = document.activeElement;
    const before = focused instanceof HTMLElement && focused !== document.body ? focused : undefined;
    this.shown = { x, y, sections, before };
    this.model.changedNow();
    return true;
  }

  /** Opens the menu of what the keyboard is at. */
  openAtKeyboard(): void {
    const found = this.atKeyboard?.();
    if (found) this.open(found.spot, found.anchor);
  }

  close(): void {
    const { shown } = this;
    if (!shown) return;
    this.shown = undefined;
    this.model.changedNow();
    if (shown.before?.isConnected) shown.before.focus();
  }
}
