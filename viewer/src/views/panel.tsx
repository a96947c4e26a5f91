import type { TargetedKeyboardEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Scope } from '../data/contract';
import { About, MarkedMethod } from './about';
import { Icon } from './icons';
import type { Model } from './model';
import { type Tab, TABS } from './panel-state';
import { CallTree } from './tables/call-tree';
import { Categories } from './tables/categories';
import { Durations } from './tables/durations';
import { Events } from './tables/events';
import { FlameGraph } from './tables/flame-graph';
import { CriticalPath } from './tables/path';
import { Recorder } from './tables/recorder';
import { Locks } from './tables/locks';
import { Summary } from './tables/summary';
import { Threads } from './tables/threads';
import { useModel } from './use';

const NAMES: Record<Tab, string> = {
  summary: 'Summary',
  categories: 'Categories',
  tree: 'Call tree',
  callers: 'Callers',
  flame: 'Flame graph',
  durations: 'Durations',
  events: 'Events',
  path: 'Critical path',
  threads: 'Threads',
  locks: 'Locks',
  recorder: 'Recorder',
};

/** The line of tabs, with what they are about. */
export function PanelBar({ model, scope }: { model: Model; scope: Scope }) {
  const tab = useModel(model, (m) => m.panel.tab);
  // Of recordings that were made without a budget there is nothing to say.
  const steered = useModel(model, (m) => m.steps.list.length > 0 || (m.recording?.processes.some((p) => p.budget > 0) ?? false));
  const waits = useModel(model, (m) => m.recording?.tracks.some((track) => track.kind === 'states') ?? false);
  const hidden: ReadonlySet<Tab> = new Set([...(steered ? [] : ['recorder' as const]), ...(waits ? [] : ['locks' as const])]);
  const tabs = TABS.filter((each) => !hidden.has(each) || tab === each);
  const bar = useRef<HTMLDivElement>(null);
  const keyed = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (tabs.indexOf(tab) + by + tabs.length) % tabs.length;
    model.panel.show(tabs[next]!);
    bar.current!.querySelectorAll<HTMLElement>('[role=tab]')[next]!.focus();
  };
  return (
    <div class="panel-bar" ref={bar}>
      <div class="tabs" role="tablist" aria-label="Tables" onKeyDown={keyed}>
        {tabs.map((each) => (
          <button
            key={each}
            id={`tab-${each}`}
            role="tab"
            aria-selected={each === tab}
            aria-controls="panel-body"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => model.panel.show(each)}
          >
            {NAMES[each]}
          </button>
        ))}
      </div>
      <span class="space" />
      <MarkedMethod model={model} />
      <About model={model} scope={scope} />
      <button class="plain" title="Close (P)" aria-label="Close the tables" onClick={() => model.panel.toggle()}>
        <Icon name="close" />
      </button>
    </div>
  );
}

export function PanelBody({ model, scope }: { model: Model; scope: Scope }) {
  const tab = useModel(model, (m) => m.panel.tab);
  return (
    <section class="panel-body" id="panel-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
      {tab === 'summary' && <Summary model={model} scope={scope} />}
      {tab === 'categories' && <Categories model={model} scope={scope} />}
      {tab === 'tree' && <CallTree key="down" model={model} scope={scope} up={false} />}
      {tab === 'callers' && <CallTree key="up" model={model} scope={scope} up={true} />}
      {tab === 'flame' && <FlameGraph model={model} scope={scope} />}
      {tab === 'durations' && <Durations model={model} scope={scope} />}
      {tab === 'events' && <Events model={model} scope={scope} />}
      {tab === 'path' && <CriticalPath model={model} />}
      {tab === 'threads' && <Threads model={model} scope={scope} />}
      {tab === 'locks' && <Locks model={model} scope={scope} />}
      {tab === 'recorder' && <Recorder model={model} />}
    </section>
  );
}
