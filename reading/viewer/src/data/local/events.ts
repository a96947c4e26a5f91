import {
  begins,
  ENTER,
  type EventGroup,
  groupOfRow,
  groupOfTrack,
  LEAVE,
  LOST,
  rowOfEvent,
  SENT,
  STATE,
  UNWIND,
  WOKEN,
  RECEIVED,
} from '../../base/event-groups';
import { INFERRED_END, OPEN_BEGIN, OPEN_END, UNWOUND } from '../../base/flags';
import { HANDED, RUNNABLE } from '../../base/words';
import { EVENT_DEPTH, type EventsQuestion } from '../client';
import type { EventsAnswer, Scope, Track } from '../contract';
import { firstAt } from '../own-piece';
import { matchingMethods } from './pattern';
import { timeText } from './place';
import { selected } from './selection';
import type { TrackCalls } from './track';
import type { LocalRecording } from './unpack';

/** A row of the answer. */
interface Found {
  readonly time: number;
  readonly track: number;
  readonly depth: number;
  readonly method: number;
  readonly kind: number;
  readonly duration: number;
  readonly other: number;
  readonly object: number;
  readonly text: string;
}

const MAX_TEXT = 300;

/** A source of rows in the order of time: the time of each place, and its row if that is wanted. */
interface Source {
  readonly count: number;
  time(place: number): number;
  row(place: number): Found | undefined;
}

type Wants = (group: EventGroup, method: number) => boolean;

/** What happened in a selection, in the order of time; events of the same time come on the same page. */
export function events(data: LocalRecording, scope: Scope, question: EventsQuestion): EventsAnswer {
  const { count, back, groups, pattern } = question;
  const { from, to, tracks } = selected(data, scope);
  const at = Number(question.at);
  const named = pattern === undefined ? undefined : matchingMethods(data, pattern);
  const wants: Wants = (group, method) => (groups?.includes(group) ?? true) && (named?.has(method) ?? true);
  const found = tracks.flatMap((calls) => {
    const track = data.recording.tracks[calls.id]!;
    const sources = [
      callSource(data, track, calls, wants),
      ownSource(data, track, wants),
      lossSource(track, calls, wants),
    ];
    return sources.flatMap((source) =>
      back ? before(source, Math.min(at, to + 1), from, count) : after(source, Math.max(at, from), to, count),
    );
  });
  found.sort((a, b) => a.time - b.time || a.track - b.track);
  const page = paired(data, back ? lastOf(found, count) : firstOf(found, count));
  return { ...columns(page), more: page.length < found.length };
}

/** One more than the page holds, and everything of the same time: the rest shows that there are more. */
function after(source: Source, at: number, to: number, count: number): Found[] {
  const found: Found[] = [];
  for (let i = placeAt(source, at); i < source.count; i++) {
    const time = source.time(i);
    if (time > to || (found.length > count && time > found.at(-1)!.time)) break;
    const row = source.row(i);
    if (row) found.push(row);
  }
  return found;
}

function before(source: Source, at: number, from: number, count: number): Found[] {
  const found: Found[] = [];
  for (let i = placeAt(source, at) - 1; i >= 0; i--) {
    const time = source.time(i);
    if (time < from || (found.length > count && time < found.at(-1)!.time)) break;
    const row = source.row(i);
    if (row) found.push(row);
  }
  return found.reverse();
}

function placeAt(source: Source, time: number): number {
  let low = 0;
  let high = source.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (source.time(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Begins and ends of calls and states. Unknown and inferred ones do not count as events. */
function callSource({ methods }: LocalRecording, { id, kind }: Track, track: TrackCalls, wants: Wants): Source {
  const all = track.events();
  return {
    count: all.length,
    time: (place) => track.eventTime(all[place]!),
    row: (place) => {
      const call = all[place]! >>> 1;
      const end = all[place]! % 2 === 1;
      const flags = track.flags[call]!;
      if ((flags & (end ? OPEN_END | INFERRED_END : OPEN_BEGIN)) !== 0) return undefined;
      const method = track.method[call]!;
      const span = begins(methods[method]!.event);
      const other = track.other(call) ?? -1;
      const kindOf =
        kind === 'calls' || span ? (end ? ((flags & UNWOUND) !== 0 ? UNWIND : LEAVE) : ENTER) : end ? WOKEN : STATE;
      const { type } = methods[method]!;
      const scheduled = kind === 'scheduled';
      if (kindOf === WOKEN && (other < 0 || kind === 'jvm' || (scheduled && type === RUNNABLE))) return undefined;
      // A hand-off takes no time: the thread that gave the processor away is reported only once.
      if (kindOf === STATE && scheduled && type === HANDED && other >= 0 && wants('wakes', method)) return undefined;
      if (!wants(kindOf === WOKEN ? 'wakes' : span ? 'own' : groupOfTrack(kind), method)) return undefined;
      const duration = track.end[call]! - track.begin[call]!;
      const object = track.details?.object[call] ?? 0;
      return {
        time: track.eventTime(all[place]!),
        track: id,
        depth: track.depth[call]!,
        method,
        kind: kindOf,
        duration,
        other,
        object,
        text: '',
      };
    },
  };
}

/** Events of the program's own. */
function ownSource({ own, methods }: LocalRecording, { id }: Track, wants: Wants): Source {
  const { time, event, text } = own.tracks[id]!;
  return {
    count: time.length,
    time: (place) => time[place]!,
    row: (place) => {
      const method = event[place]!;
      const kind = rowOfEvent(methods[method]!.event);
      if (!wants(groupOfRow(kind), method)) return undefined;
      const whole = own.texts[text[place]!]!;
      return {
        ...alone(time[place]!, id, method, kind),
        depth: EVENT_DEPTH,
        text: whole.length <= MAX_TEXT ? whole : whole.slice(0, MAX_TEXT) + '…',
      };
    },
  };
}

/** Where events are missing; such rows have no name. */
function lossSource({ id, begin, end }: Track, { gaps }: TrackCalls, wants: Wants): Source {
  const time = gaps.from.map((from) => Math.min(Number(end), Math.max(Number(begin), from)));
  return {
    count: time.length,
    time: (place) => time[place]!,
    row: (place) => {
      if (!wants('lost', -1)) return undefined;
      const lost = gaps.lost[place]!;
      return {
        ...alone(time[place]!, id, -1, LOST),
        duration: gaps.to[place]! - gaps.from[place]!,
        text: lost > 0 ? String(lost) : '',
      };
    },
  };
}

function alone(time: number, track: number, method: number, kind: number): Found {
  return { time, track, depth: 0, method, kind, duration: 0, other: -1, object: 0, text: '' };
}

/** Adds the other end to messages, unless two messages of the same time make it ambiguous. */
function paired(
  { messages: { time, waited, fromTrack, toTrack, method } }: LocalRecording,
  page: readonly Found[],
): readonly Found[] {
  if (!page.some(({ kind }) => kind === SENT || kind === RECEIVED)) return page;
  const ends = new Map<string, number>();
  const note = (key: string, message: number) => ends.set(key, ends.has(key) ? -1 : message);
  const first = firstAt(time, page[0]!.time);
  time.forEach((at, i) => {
    note(`${SENT} ${fromTrack[i]!} ${at - waited[i]!} ${method[i]!}`, i);
    if (i >= first) note(`${RECEIVED} ${toTrack[i]!} ${at}`, i);
  });
  return page.map((row) => {
    const { kind, track } = row;
    if (kind !== SENT && kind !== RECEIVED) return row;
    const message = ends.get(`${kind} ${track} ${row.time}${kind === SENT ? ` ${row.method}` : ''}`) ?? -1;
    return message < 0
      ? row
      : { ...row, duration: waited[message]!, other: (kind === SENT ? toTrack : fromTrack)[message]! };
  });
}

function firstOf(found: readonly Found[], count: number): readonly Found[] {
  let end = Math.min(count, found.length);
  while (end < found.length && found[end]!.time === found[end - 1]!.time) end++;
  return found.slice(0, end);
}

function lastOf(found: readonly Found[], count: number): readonly Found[] {
  let first = Math.max(0, found.length - count);
  while (first > 0 && found[first - 1]!.time === found[first]!.time) first--;
  return found.slice(first);
}

function columns(page: readonly Found[]): Omit<EventsAnswer, 'more'> {
  return {
    time: page.map((row) => timeText(row.time)),
    track: page.map((row) => row.track),
    depth: page.map((row) => row.depth),
    method: page.map((row) => row.method),
    kind: page.map((row) => row.kind),
    duration: page.map((row) => row.duration),
    other: page.map((row) => row.other),
    object: page.map((row) => row.object),
    // The kernel's events are not in the page.
    name: page.map(() => ''),
    text: page.map((row) => row.text),
  };
}
