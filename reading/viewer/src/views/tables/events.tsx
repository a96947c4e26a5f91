import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { KERNEL, LOST } from '../../base/event-groups';
import type { Nanos } from '../../base/time';
import { windowEnd } from '../../base/window';
import { EVENT_DEPTH } from '../../data/client';
import type { Recording, Scope } from '../../data/contract';
import { beginOf, type EventList } from '../../data/event-list';
import { scopeKey } from '../../data/questions';
import { filterOf } from '../../render/arrange';
import { mainTrack } from '../../render/groups';
import type { Model } from '../../state/model';
import { goToRow, isRowInSight, showEvent } from './show-event';
import { RETRY_MS, useStillWindow } from '../parts/scope';
import { useModel } from '../parts/use';
import { CountedNote } from './counted';
import { columnsOf } from './event-columns';
import { EventKinds } from './event-kinds';
import { Grid } from './grid';
import { Status } from './status';
import { Tools, useCopy } from './tools';
import { useEventList } from './use-events';

/** Rows before the list's end at which the next page is fetched. */
const EARLY = 60;
/** Pause before a request, because typing may continue. */
const PAUSE_MS = 160;

/** Everything that happened, in the order of time, around the current place of the timeline. */
export function Events({ model, scope: about }: { model: Model; scope: Scope }) {
  const scope = useEventScope(model, about);
  const choice = useModel(model, (m) => JSON.stringify(m.eventFilter.choice));
  const list = useEventList(model, scope);
  const { events, busy, failed } = list;
  const focus = useFocus(model);
  const theme = useModel(model, (m) => m.theme);
  const marked = useModel(model, (m) => m.selection.method);
  const text = useModel(model, (m) => m.eventFilter.text);
  const calls = useModel(model, (m) => m.eventFilter.groups?.has('calls') ?? true);
  const [current, setCurrent] = useState<number>();
  const own = useRef('');
  /** The filter has changed: the first event must come into sight. */
  const narrowed = useRef(false);

  useEffect(() => {
    // An event that was selected here is already in sight.
    if (own.current !== '' && own.current === focus.key) return;
    own.current = '';
    if (!events || !events.covers(inScope(focus.time, scope))) list.load(inScope(focus.time, scope));
    else setCurrent(events.find(focus.time, focus.track, focus.depth));
  }, [focus.key, events === undefined]);
  useEffect(() => {
    setCurrent(undefined);
    list.load(inScope(focus.time, scope));
  }, [scopeKey(scope)]);
  const first = useRef(choice);
  useEffect(() => {
    if (first.current === choice) return undefined;
    first.current = choice;
    const timer = setTimeout(() => {
      narrowed.current = model.eventFilter.on;
      setCurrent(undefined);
      list.load(inScope(focus.time, scope));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [choice]);
  useEffect(() => {
    if (!events || list.loads === 0) return;
    const at = inScope(focus.time, scope);
    // The reader may have moved the timeline in the meantime.
    if (events.length > 0 && !events.covers(at)) {
      list.load(at);
      return;
    }
    setCurrent(events.find(focus.time, focus.track, focus.depth));
    if (narrowed.current) bringFirst(model, events, focus.time);
    narrowed.current = false;
  }, [list.loads]);

  useEffect(() => {
    if (!list.lost) return undefined;
    const timer = setTimeout(() => list.load(inScope(focus.time, scope)), RETRY_MS);
    return () => clearTimeout(timer);
  }, [list.lost]);

  const columns = useMemo(() => columnsOf(model, events), [events, theme]);
  const rows = useMemo(() => events?.rows() ?? [], [events]);
  const [said, copy] = useCopy(columns, rows);
  const show = (row: number | undefined) => {
    const event = row === undefined ? undefined : events?.at(row);
    if (!event) return;
    own.current = event.kind === LOST || event.kind === KERNEL ? '' : keyOf(event.track, event.depth, beginOf(event));
    showEvent(model, event);
  };
  return (
    <section class="table">
      <EventKinds model={model} />
      <Tools
        columns={columns}
        rows={rows}
        all={rows.length}
        filter={text}
        wrong={model.eventFilter.wrong}
        onFilter={(typed) => model.eventFilter.setText(typed)}
        file={`${model.recording?.name ?? 'recording'}-events`}
        said={said}
        onCopy={copy}
      >
        {calls && <CountedNote model={model} scope={scope} missing="not in this list" />}
        <Status asked={{ answer: undefined, busy, failed, progress: list.progress }}>
          {events && (events.moreBefore || events.moreAfter) && (
            <small title="Scrolling fetches more; copy and download use the rows fetched so far.">fetched so far</small>
          )}
        </Status>
      </Tools>
      <Grid
        label="Events"
        columns={columns}
        rows={rows}
        current={current}
        restarted={list.loads}
        onCurrent={setCurrent}
        marked={(row) => events?.at(row)?.method === marked}
        onAction={(action, row) => {
          if (action === 'copy') copy();
          if (action === 'act') show(row);
        }}
        prepended={-(events?.first ?? 0)}
        onRange={(top, last) => {
          if (top < EARLY) list.extend(true);
          if (last > rows.length - EARLY) list.extend(false);
        }}
        empty={
          events && !busy
            ? model.eventFilter.on
              ? 'Nothing in this selection passes the filter.'
              : 'No event in this selection.'
            : ''
        }
      />
    </section>
  );
}

/** All tracks of the selected threads that pass the timeline's filter. */
function useEventScope(model: Model, { from, to }: Scope): Scope {
  const recording = useModel(model, (m) => m.recording);
  const threads = useModel(model, (m) => m.selection.tracks);
  const filter = useModel(model, (m) => m.filter);
  return useMemo(() => {
    const part = from === undefined || to === undefined ? {} : { from, to };
    return recording && (threads.size > 0 || filter.trim() !== '')
      ? { ...part, tracks: tracksOf(recording, threads, filter) }
      : part;
  }, [from, to, recording, threads, filter]);
}

function tracksOf(recording: Recording, threads: ReadonlySet<number>, filter: string): readonly number[] {
  const passes = filterOf(filter, recording.processes);
  const mains = recording.tracks.map(({ id }) => mainTrack(recording, id));
  return recording.tracks
    .filter(({ id }) => (threads.size === 0 || threads.has(mains[id]!)) && passes(recording.tracks[mains[id]!]!))
    .map(({ id }) => id);
}

/** The row to bring into sight: an event in the window, or the next one; undefined if one is in sight already. */
function bringFirst(model: Model, events: EventList, time: Nanos): void {
  const all = events.rows().map((row) => events.at(row)!);
  const { window } = model;
  const end = windowEnd(window);
  const inWindow = all.filter((each) => each.time >= window.start && each.time <= end);
  const event = inWindow[0] ?? all.find((each) => each.time >= time) ?? all.at(-1);
  if (!event || inWindow.some(({ track }) => isRowInSight(model, track))) return;
  model.bringIntoSight(event.time);
  goToRow(model, event.track);
}

interface Focus {
  readonly key: string;
  readonly time: Nanos;
  readonly track?: number;
  readonly depth?: number;
}

function keyOf(track: number, depth: number, begin: Nanos): string {
  return `${depth === EVENT_DEPTH ? 'event' : 'call'} ${track} ${depth} ${begin}`;
}

/** The current place of the timeline: the selected call or event, or else the middle of the window. */
function useFocus(model: Model): Focus {
  const call = useModel(model, (m) => m.call);
  const place = useModel(model, (m) => m.events.place);
  const asking = useModel(model, (m) => m.selected !== undefined && m.call === undefined);
  const still = useStillWindow(model);
  const last = useRef<Focus | undefined>(undefined);
  // The list stays where it is until the selected call is known.
  if (asking && last.current) return last.current;
  if (call) {
    const { track, depth, begin } = call;
    last.current = { key: keyOf(track, depth, begin), time: begin, track, depth };
  } else if (place) {
    const { track, from } = place;
    last.current = { key: keyOf(track, EVENT_DEPTH, from), time: from, track, depth: EVENT_DEPTH };
  } else {
    const time = (still.from + still.to) / 2n;
    last.current = { key: `time ${time}`, time };
  }
  return last.current;
}

function inScope(time: Nanos, { from, to }: Scope): Nanos {
  if (from !== undefined && time < from) return from;
  return to !== undefined && time > to ? to : time;
}
