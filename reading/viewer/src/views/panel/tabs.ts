import type { Model } from '../../state/model';
import { type Tab, TABS } from '../../state/panel';

export const TAB_NAMES: Record<Tab, string> = {
  summary: 'Summary',
  categories: 'Categories',
  tree: 'Call tree',
  callers: 'Callers',
  flame: 'Flame graph',
  butterfly: 'Butterfly',
  durations: 'Durations',
  events: 'Events',
  points: 'Irregular points',
  path: 'Critical path',
  threads: 'Threads',
  locks: 'Locks',
  counters: 'Counters',
  statistics: 'Statistics',
  matrix: 'Matrix',
  shares: 'Shares of time',
  recorder: 'Recorder',
  query: 'SQL',
  hits: 'Hits',
};

/** The tables that are not empty, and the one that is open. */
export function shownTabs(model: Model): Tab[] {
  // Recordings that were made without a budget have no steps.
  const steered = model.steps.list.length > 0 || (model.recording?.processes.some((p) => p.budget > 0) ?? false);
  const tracks = model.recording?.tracks ?? [];
  const there: Partial<Record<Tab, boolean>> = {
    recorder: steered,
    points: model.recording?.instructions === true,
    locks: tracks.some((track) => track.kind === 'states'),
    counters: tracks.some((track) => track.counters?.length),
    hits: model.search.pattern !== '',
  };
  return TABS.filter((tab) => tab === model.panel.tab || (there[tab] ?? true));
}
