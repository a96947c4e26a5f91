/** An action. */
export interface Item {
  readonly text: string;
  /** The key that does the same with what is selected. */
  readonly key?: string;
  readonly act: () => void;
}

/** Items that stand together. */
export interface Section {
  readonly about: string;
  readonly items: readonly Item[];
}

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

/** The menu of actions for something in the picture. */
export class MenuState {
  shown: OpenMenu | undefined;
  /** The menu for the place of the keyboard; the timeline sets this. */
  atKeyboard: (() => { sections: readonly Section[]; anchor: Anchor } | undefined) | undefined;

  constructor(private readonly changedNow: () => void) {}

  /** Opens a menu; false if it would be empty. */
  open(sections: readonly Section[], { x, y }: Anchor): boolean {
    if (sections.length === 0) return false;
    const focused = document.activeElement;
    const before = focused instanceof HTMLElement && focused !== document.body ? focused : undefined;
    this.shown = { x, y, sections, before };
    this.changedNow();
    return true;
  }

  /** Opens the menu at the place of the keyboard. */
  openAtKeyboard(): void {
    const found = this.atKeyboard?.();
    if (found) this.open(found.sections, found.anchor);
  }

  close(): void {
    const { shown } = this;
    if (!shown) return;
    this.shown = undefined;
    this.changedNow();
    if (shown.before?.isConnected) shown.before.focus();
  }
}
