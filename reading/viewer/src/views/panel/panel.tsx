import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Scope } from '../../data/contract';
import { About, MarkedMethod } from '../toolbar/about';
import { Icon } from '../parts/icons';
import type { Model } from '../../state/model';
import { Butterfly } from '../tables/butterfly';
import { CallTree } from '../tables/call-tree';
import { Categories } from '../tables/categories';
import { Counters } from '../tables/counters';
import { Durations } from '../tables/durations';
import { Events } from '../tables/events';
import { FlameGraph } from '../tables/flame-graph';
import { Hits } from '../tables/hits';
import { CriticalPath } from '../tables/path';
import { Points } from '../tables/points';
import { Query } from '../query/query';
import { Recorder } from '../tables/recorder';
import { Locks } from '../tables/locks';
import { Matrix } from '../tables/matrix';
import { Shares } from '../tables/shares';
import { Statistics } from '../tables/statistics';
import { Summary } from '../tables/summary';
import { Threads } from '../tables/threads';
import { shownTabs, TAB_NAMES } from './tabs';
import { useModel } from '../parts/use';

/** The tabs, and a line with the selection that they are about. */
export function PanelBar({ model, scope }: { model: Model; scope: Scope }) {
  const tab = useModel(model, (m) => m.panel.tab);
  const tabs = useModel(model, (m) => shownTabs(m).join(' ')).split(' ') as ReturnType<typeof shownTabs>;
  const bar = useRef<HTMLDivElement>(null);
  // In a narrow window not all tabs are in sight.
  useEffect(() => {
    const list = bar.current!.querySelector('[role=tablist]')!;
    const sizes = new ResizeObserver(() =>
      list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [tab, tabs.length]);
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
            {TAB_NAMES[each]}
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
      {tab === 'butterfly' && <Butterfly model={model} scope={scope} />}
      {tab === 'durations' && <Durations model={model} scope={scope} />}
      {tab === 'events' && <Events model={model} scope={scope} />}
      {tab === 'points' && <Points model={model} scope={scope} />}
      {tab === 'path' && <CriticalPath model={model} />}
      {tab === 'threads' && <Threads model={model} scope={scope} />}
      {tab === 'locks' && <Locks model={model} scope={scope} />}
      {tab === 'counters' && <Counters model={model} scope={scope} />}
      {tab === 'statistics' && <Statistics model={model} scope={scope} />}
      {tab === 'matrix' && <Matrix model={model} scope={scope} />}
      {tab === 'shares' && <Shares model={model} scope={scope} />}
      {tab === 'recorder' && <Recorder model={model} />}
      {tab === 'query' && <Query model={model} scope={scope} />}
      {tab === 'hits' && <Hits model={model} />}
    </section>
  );
}
