import type { Model } from '../../state/model';
import type { Tab } from '../../state/panel';
import { shownTabs, TAB_NAMES } from '../panel/tabs';

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
  const all = shownTabs(model).map((tab) => ({
    kind: 'table',
    text: `Table: ${TAB_NAMES[tab]}`,
    note: '',
    act: () => outside(tab),
  }));
  return [...all, inside];
}
