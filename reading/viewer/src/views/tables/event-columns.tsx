import type { ComponentChildren } from 'preact';
import {
  ENTER,
  EVENT,
  KERNEL,
  LEAVE,
  LOST,
  RECEIVED,
  SENT,
  STATE,
  UNWIND,
  WOKEN,
  COUNTER,
} from '../../base/event-groups';
import { lossInWords } from '../../base/flags';
import { grouped, moment } from '../../base/time';
import { RUNNABLE, type TrackKind } from '../../base/words';
import { EVENT_DEPTH } from '../../data/client';
import type { Event, EventList } from '../../data/event-list';
import type { Model } from '../../state/model';
import { nameOf } from '../parts/thread-name';
import { exactNs, fullName, methodColumn, ns } from './cells';
import type { Column } from './grid';

interface Look {
  readonly words: string;
  readonly mark: string;
  readonly style: string;
}

const CALLS: Readonly<Record<number, Look>> = {
  [ENTER]: { words: 'enter', mark: '→', style: 'enter' },
  [LEAVE]: { words: 'leave', mark: '←', style: 'leave' },
  [UNWIND]: { words: 'leave by an exception', mark: '←', style: 'thrown' },
  [WOKEN]: { words: 'woken', mark: '↑', style: 'woken' },
  [EVENT]: { words: 'event', mark: '•', style: '' },
  [COUNTER]: { words: 'counter', mark: '#', style: '' },
  [SENT]: { words: 'sent', mark: '↗', style: '' },
  [RECEIVED]: { words: 'received', mark: '↘', style: '' },
  [KERNEL]: { words: 'kernel', mark: '◦', style: '' },
  [LOST]: { words: 'lost', mark: '!', style: 'thrown' },
};

/** The word for the begin of a call on each kind of track. */
const STATES: Record<TrackKind, string> = {
  calls: 'call',
  states: 'waits',
  scheduled: 'state',
  cpu: 'runs',
  jvm: 'does',
};

function lookOf(model: Model, { kind, track }: Event): Look {
  if (kind === STATE) return { words: STATES[model.recording?.tracks[track]?.kind ?? 'calls'], mark: '▪', style: '' };
  return CALLS[kind] ?? { words: '', mark: '', style: '' };
}

/** The data of an event, and the other thread that was involved. */
function tells(model: Model, { kind, track, method, object, other, text }: Event): string {
  const name = other < 0 ? '' : nameOf(model, other);
  const parts: string[] = [];
  if (kind === LOST) return lossInWords(Number(text), false);
  if (text !== '') parts.push(text);
  if (object !== 0) parts.push(`@${object.toString(16)}`);
  if (other >= 0) {
    const runnable = kind === STATE && model.methods.get(method)?.state === RUNNABLE;
    const machine = model.recording?.tracks[track]?.kind === 'jvm';
    parts.push(
      `${kind === SENT ? 'to' : kind === RECEIVED ? 'from' : machine ? 'for' : runnable ? 'after' : 'by'} ${name}`,
    );
  }
  return parts.join(' ');
}

/** The columns of the list of events. */
export function columnsOf(model: Model, events: EventList | undefined): Column[] {
  const event = (row: number): Event => events!.at(row)!;
  const thread = (row: number) => nameOf(model, event(row).track);
  const kind = (row: number) => lookOf(model, event(row)).words;
  const data = (row: number) => tells(model, event(row));
  const method = methodColumn(model, (row) => event(row).method, 'minmax(160px, 1.6fr)');
  const alone = (row: number) => (event(row).kind === LOST ? 'events lost' : event(row).name);
  const named = (row: number) => (event(row).method < 0 ? alone(row) : fullName(model, event(row).method));
  // Events of the program's own take no time and have no depth.
  const lasts = (row: number) => event(row).duration !== 0 || event(row).depth !== EVENT_DEPTH;
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
      value: kind,
      text: kind,
      cell: (row) => <Kind look={lookOf(model, event(row))} />,
    },
    {
      ...method,
      title: 'What',
      head: 'what',
      fixed: true,
      value: named,
      text: named,
      cell: (row) =>
        event(row).method < 0 ? (
          <span class="method-name">{alone(row)}</span>
        ) : (
          <Indented event={event(row)}>
            {method.cell!(row)}
            <Subsystem model={model} method={event(row).method} />
          </Indented>
        ),
    },
    {
      id: 'duration',
      title: 'Duration',
      hint: 'Of the call or state; of a message, its time in transit',
      head: 'duration (ns)',
      number: true,
      width: '84px',
      value: (row) => (lasts(row) ? event(row).duration : ''),
      text: (row) => (lasts(row) ? ns(event(row).duration) : ''),
      exact: (row) => (lasts(row) ? exactNs(event(row).duration) : ''),
    },
    {
      id: 'tells',
      title: 'Data',
      hint: 'Its data; the object waited for, and the other thread',
      head: 'tells',
      width: 'minmax(90px, 1.4fr)',
      value: data,
      text: data,
    },
    {
      id: 'depth',
      title: 'Depth',
      head: 'depth',
      number: true,
      width: '56px',
      value: (row) => (event(row).depth === EVENT_DEPTH ? '' : event(row).depth),
      text: (row) => (event(row).depth === EVENT_DEPTH ? '' : grouped(event(row).depth)),
    },
    { id: 'thread', title: 'Thread', head: 'thread', width: 'minmax(80px, 0.5fr)', value: thread, text: thread },
  ];
}

function Kind({ look: { words, mark, style } }: { look: Look }) {
  return (
    <span class={style}>
      {mark} {words === 'leave by an exception' ? 'thrown' : words}
    </span>
  );
}

/** Of an event of the program's own. */
function Subsystem({ model, method }: { model: Model; method: number }) {
  const known = model.methods.get(method);
  return known?.event && known.type !== '' ? <small class="package">{known.type}</small> : null;
}

function Indented({ event: { depth, kind }, children }: { event: Event; children: ComponentChildren }) {
  const levels = kind <= UNWIND ? Math.min(depth, 20) : 0;
  return (
    <>
      <span style={{ flex: 'none', width: `${levels * 10}px` }} />
      {children}
    </>
  );
}
