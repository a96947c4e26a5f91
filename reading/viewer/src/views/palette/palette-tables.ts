import type { Model } from './model';
import type { Tab } from './panel-state';
import { shownTabs, TAB_NAMES } from './tabs';

/** The tables, for the palette. */
export function tables(model: Model) {
  const inside = {
    kind: 'table',
    text: 'Table: Flame graph, inverted (from the inside out)',
    note: '',
    act: () => {
      model.panel.show('flame');
      model.panel.setInverted(true);
    },
  };
  const outside = (tab: Tab) => {
    if (tab === 'flame') model.panel.setInverted(false);
    model.panel.show(tab);
  };
  const all = shownTabs(model).map((tab) => ({ kind: 'table', text: `Table: ${TAB_NAMES[tab]}`, note: '', act: () => outside(tab) }));
  return [...all, inside];
}
