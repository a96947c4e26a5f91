import type { Model } from './model';
import { shownTabs, TAB_NAMES } from './tabs';

/** The tables, for the palette. */
export function tables(model: Model) {
  return shownTabs(model).map((tab) => ({ kind: 'table', text: `Table: ${TAB_NAMES[tab]}`, note: '', act: () => model.panel.show(tab) }));
}
