import type { Model } from './model';
import { type Tab, TABS } from './panel-state';

export const TAB_NAMES: Record<Tab, string> = {
  summary: 'Summary',
  categories: 'Categories',
  tree: 'Call tree',
  callers: 'Callers',
  flame: 'Flame graph',
  butterfly: 'Butterfly',
  durations: 'Durations',
  events: 'Events',
  path: 'Critical path',
  threads: 'Threads',
  locks: 'Locks',
  counters: 'Counters',
  recorder: 'Recorder',
  hits: 'Hits',
};

/** The tables there is something in; that which is shown anyway. */
export function shownTabs(model: Model): Tab[] {
  // Of recordings that were made without a budget there is nothing to say.
  const steered = model.steps.list.length > 0 || (model.recording?.processes.some((p) => p.budget > 0) ?? false);
  const tracks = model.recording?.tracks ?? [];
  const there: Partial<Record<Tab, boolean>> = {
    recorder: steered,
    locks: tracks.some((track) => track.kind === 'states'),
    counters: tracks.some((track) => track.counters?.length),
    hits: model.search.pattern !== '',
  };
  return TABS.filter((tab) => tab === model.panel.tab || (there[tab] ?? true));
}
