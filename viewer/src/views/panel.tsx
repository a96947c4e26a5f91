import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { css } from '../base/colours';
import { exact, grouped } from '../base/time';
import type { Scope } from '../data/contract';
import { Icon } from './icons';
import type { Model } from './model';
import { MIN_HEIGHT, type Tab, TABS } from './panel-state';
import { CallTree } from './tables/call-tree';
import { Categories } from './tables/categories';
import { Durations } from './tables/durations';
import { Events } from './tables/events';
import { FlameGraph } from './tables/flame-graph';
import { Summary } from './tables/summary';
import { useModel } from './use';

const NAMES: Record<Tab, string> = {
  summary: 'Summary',
  categories: 'Categories',
  tree: 'Call tree',
  callers: 'Callers',
  flame: 'Flame graph',
  durations: 'Durations',
  events: 'Events',
};

/** The line of tabs, with what they are about. */
export function PanelBar({ model, scope }: { model: Model; scope: Scope }) {
  const tab = useModel(model, (m) => m.panel.tab);
  const bar = useRef<HTMLDivElement>(null);
  const keyed = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (TABS.indexOf(tab) + by + TABS.length) % TABS.length;
    model.panel.show(TABS[next]!);
    bar.current!.querySelectorAll<HTMLElement>('[role=tab]')[next]!.focus();
  };
  return (
    <div class="panel-bar" ref={bar}>
      <div class="tabs" role="tablist" aria-label="Tables" onKeyDown={keyed}>
        {TABS.map((each) => (
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
    </section>
  );
}

/** What is asked about, and how to ask about something else. */
function About({ model, scope }: { model: Model; scope: Scope }) {
  const range = useModel(model, (m) => m.selection.range);
  const follow = useModel(model, (m) => m.selection.follow);
  const tracks = useModel(model, (m) => m.selection.tracks);
  const all = useModel(model, (m) => m.recording?.tracks.length ?? 0);
  const duration = useModel(model, (m) => m.duration);
  const from = scope.from ?? 0n;
  const to = scope.to ?? duration;
  const times = `${exact(from)} – ${exact(to)}`;
  return (
    <div class="about">
      <span class="about-time" title={times}>
        {range ? <b>{exact(to - from)}</b> : <b>{follow ? 'Window' : 'Whole recording'}</b>} <span>{times}</span>
      </span>
      {range ? (
        <button class="chip-close" title="Clear the time range (Esc)" aria-label="Clear the time range" onClick={() => model.selection.clearRange()}>
          <Icon name="close" />
        </button>
      ) : (
        <label class="follow" title="About what the timeline shows, as soon as it stands still">
          <input type="checkbox" checked={follow} onChange={(event) => model.selection.setFollow(event.currentTarget.checked)} />
          follow the window
        </label>
      )}
      <span class="about-threads">
        {tracks.size > 0 ? `${grouped(tracks.size)} of ${grouped(all)}` : grouped(all)} {all === 1 ? 'thread' : 'threads'}
      </span>
      {tracks.size > 0 && (
        <button class="chip-close" title="All threads again (Esc)" aria-label="Clear the selected threads" onClick={() => model.selection.clearTracks()}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** The method that is marked everywhere; the rest of the timeline is dimmed, so this says why. */
export function MarkedMethod({ model }: { model: Model }) {
  const method = useModel(model, (m) => m.selection.method);
  const theme = useModel(model, (m) => m.theme);
  // A link may mark a method whose name is not known yet.
  useEffect(() => {
    if (method !== undefined) void model.methods.need([method]).then(() => model.changed(), () => undefined);
  }, [method]);
  const known = useModel(model, (m) => (method === undefined ? undefined : m.methods.get(method)));
  if (method === undefined) return null;
  return (
    <span class="marked-method" title={`Marked everywhere: ${known?.full ?? ''}`}>
      <i class="swatch" style={{ background: css(model.methods.colour(method, theme)) }} />
      <span>{known?.label ?? '…'}</span>
      <button class="chip-close" title="Unmark it (Esc)" aria-label="Unmark the method" onClick={() => model.selection.mark(undefined)}>
        <Icon name="close" />
      </button>
    </span>
  );
}

const STEP = 32;

/** The panel's upper edge: drag it, or move it by keys. */
export function PanelEdge({ model }: { model: Model }) {
  const height = useModel(model, (m) => m.panel.height);
  const { panel } = model;
  const drag = (event: PointerEvent) => {
    const edge = event.currentTarget as HTMLElement;
    const start = height + event.clientY;
    edge.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => panel.resize(start - moved.clientY);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  return (
    <div
      class="panel-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the tables"
      aria-valuenow={height}
      aria-valuemin={MIN_HEIGHT}
      aria-valuemax={panel.maxHeight}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        panel.resize(panel.height + by);
      }}
    />
  );
}
