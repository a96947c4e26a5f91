import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { grouped, moment, type Nanos } from '../../base/time';
import type { Scope } from '../../data/contract';
import { beginOf, type Event, type EventList } from '../../data/event-list';
import { scopeKey } from '../../data/questions';
import { matcher } from '../../data/table';
import type { Model } from '../model';
import { reveal } from '../reveal';
import { RETRY_MS, useStillWindow } from '../scope';
import { useModel } from '../use';
import { exactNs, fullName, methodColumn, ns } from './cells';
import { CountedNote } from './counted';
import { type Column, Grid } from './grid';
import { Status } from './status';
import { Tools, useCopy } from './tools';
import { useEventList } from './use-events';

/** Rows before the list's end at which the next page is fetched. */
const EARLY = 60;
const KINDS = ['enter', 'leave', 'leave by an exception'];

/** Enters and leaves in the order of time, around what one looks at in the timeline. */
export function Events({ model, scope }: { model: Model; scope: Scope }) {
  const list = useEventList(model, scope);
  const { events, busy, failed } = list;
  const focus = useFocus(model);
  const theme = useModel(model, (m) => m.theme);
  const marked = useModel(model, (m) => m.selection.method);
  const [current, setCurrent] = useState<number>();
  const [filter, setFilter] = useState('');
  const own = useRef('');

  useEffect(() => {
    // A call that was selected here is in sight already.
    if (own.current !== '' && own.current === focus.key) return;
    own.current = '';
    if (!events || !events.covers(inScope(focus.time, scope))) list.load(inScope(focus.time, scope));
    else setCurrent(events.find(focus.time, focus.track, focus.depth));
  }, [focus.key, events === undefined]);
  useEffect(() => {
    setCurrent(undefined);
    list.load(inScope(focus.time, scope));
  }, [scopeKey(scope)]);
  useEffect(() => {
    if (events && list.loads > 0) setCurrent(events.find(focus.time, focus.track, focus.depth));
  }, [list.loads]);

  useEffect(() => {
    if (!list.lost) return undefined;
    const timer = setTimeout(() => list.load(inScope(focus.time, scope)), RETRY_MS);
    return () => clearTimeout(timer);
  }, [list.lost]);

  const columns = useMemo(() => columnsOf(model, events), [events, theme]);
  const matches = useMemo(() => matcher(filter), [filter]);
  const rows = useMemo(() => {
    const all = events?.rows() ?? [];
    return filter && matches ? all.filter((row) => matches(fullName(model, events!.at(row)!.method))) : all;
  }, [events, matches]);
  const [said, copy] = useCopy(columns, rows);
  const show = (row: number | undefined) => {
    const event = row === undefined ? undefined : events?.at(row);
    if (!event) return;
    const begin = beginOf(event);
    own.current = callKey(event.track, event.depth, begin);
    reveal(model, event.track, event.depth, begin, BigInt(event.duration));
  };
  return (
    <section class="table">
      <Tools
        columns={columns}
        rows={rows}
        all={events?.length ?? 0}
        filter={filter}
        wrong={!matches}
        onFilter={setFilter}
        file={`${model.recording?.name ?? 'recording'}-events`}
        said={said}
        onCopy={copy}
      >
        <CountedNote model={model} scope={scope} missing="not in this list" />
        <Status asked={{ answer: undefined, busy, failed, progress: list.progress }}>
          {events && (events.moreBefore || events.moreAfter) && (
            <small title="Scrolling fetches more; filter, copy and download are about those here.">fetched so far</small>
          )}
        </Status>
      </Tools>
      <Grid
        label="Events"
        columns={columns}
        rows={rows}
        current={current}
        onCurrent={setCurrent}
        marked={(row) => events?.at(row)?.method === marked}
        onAction={(action, row) => {
          if (action === 'copy') copy();
          if (action === 'act') show(row);
        }}
        prepended={filter ? 0 : -(events?.first ?? 0)}
        onRange={(first, last) => {
          if (first < EARLY) list.extend(true);
          if (last > rows.length - EARLY) list.extend(false);
        }}
        empty={events && !busy ? (filter ? 'Nothing fetched so far matches the filter.' : 'No event in this selection.') : ''}
      />
    </section>
  );
}

interface Focus {
  readonly key: string;
  readonly time: Nanos;
  readonly track?: number;
  readonly depth?: number;
}

function callKey(track: number, depth: number, begin: Nanos): string {
  return `call ${track} ${depth} ${begin}`;
}

/** What one looks at in the timeline: the selected call, else the middle of the window. */
function useFocus(model: Model): Focus {
  const call = useModel(model, (m) => m.call);
  const asking = useModel(model, (m) => m.selected !== undefined && m.call === undefined);
  const still = useStillWindow(model);
  const last = useRef<Focus | undefined>(undefined);
  // Until it is known which call was selected, one stays where one was.
  if (asking && last.current) return last.current;
  if (call) {
    const { track, depth, begin } = call;
    last.current = { key: callKey(track, depth, begin), time: begin, track, depth };
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

function columnsOf(model: Model, events: EventList | undefined): Column[] {
  const event = (row: number): Event => events!.at(row)!;
  const thread = (row: number) => model.recording?.tracks[event(row).track]?.name ?? '';
  const method = methodColumn(model, (row) => event(row).method);
  return [
    {
      id: 'time',
      title: 'Time',
      head: 'time (ns)',
      number: true,
      width: '168px',
      value: (row) => event(row).time,
      text: (row) => moment(event(row).time),
    },
    {
      id: 'kind',
      title: 'Event',
      head: 'event',
      width: '88px',
      value: (row) => KINDS[event(row).kind] ?? '',
      text: (row) => KINDS[event(row).kind] ?? '',
      cell: (row) => <Kind kind={event(row).kind} />,
    },
    { ...method, fixed: true, cell: (row) => <Indented depth={event(row).depth}>{method.cell!(row)}</Indented> },
    {
      id: 'duration',
      title: 'Duration',
      hint: 'Of the call that begins or ends here',
      head: 'duration (ns)',
      number: true,
      width: '84px',
      value: (row) => event(row).duration,
      text: (row) => ns(event(row).duration),
      exact: (row) => exactNs(event(row).duration),
    },
    { id: 'depth', title: 'Depth', head: 'depth', number: true, width: '56px', value: (row) => event(row).depth, text: (row) => grouped(event(row).depth) },
    { id: 'thread', title: 'Thread', head: 'thread', width: 'minmax(90px, 0.5fr)', value: thread, text: thread },
  ];
}

function Kind({ kind }: { kind: number }) {
  const words = kind === 0 ? '→ enter' : kind === 1 ? '← leave' : '← thrown';
  return <span class={kind === 2 ? 'thrown' : kind === 0 ? 'enter' : 'leave'}>{words}</span>;
}

function Indented({ depth, children }: { depth: number; children: ComponentChildren }) {
  return (
    <>
      <span style={{ flex: 'none', width: `${Math.min(depth, 20) * 10}px` }} />
      {children}
    </>
  );
}
