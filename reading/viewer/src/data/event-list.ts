import type { Nanos } from '../base/time';
import { LEAVE, UNWIND, WOKEN } from '../base/event-groups';
import type { EventsAnswer } from './contract';

/** One thing that happened. */
export interface Event {
  readonly time: Nanos;
  readonly track: number;
  readonly depth: number;
  readonly method: number;
  readonly kind: number;
  readonly duration: number;
  readonly other: number;
  readonly object: number;
  readonly name: string;
  readonly text: string;
}

/** Whether it is the end of a call or state. */
function isEnd({ kind }: Event): boolean {
  return kind === LEAVE || kind === UNWIND || kind === WOKEN;
}

/** Begin of the event's call or state. */
export function beginOf(event: Event): Nanos {
  return isEnd(event) ? event.time - BigInt(event.duration) : event.time;
}

/** Rows are numbered from here, so that pages can be put before others without renumbering. */
const MIDDLE = 1_000_000_000;
/** Number of events kept; more are dropped at the far end. */
const MOST = 6000;

/** Part of the events in the order of time, which grows at both ends. */
export class EventList {
  private constructor(
    private readonly events: readonly Event[],
    /** Number of the first one. */
    readonly first: number,
    readonly moreBefore: boolean,
    readonly moreAfter: boolean,
  ) {}

  /** Makes a list of the pages before and after a time. */
  static around(before: EventsAnswer, after: EventsAnswer): EventList {
    const events = [...unpacked(before), ...unpacked(after)];
    return new EventList(events, MIDDLE - before.time.length, before.more, after.more);
  }

  get length(): number {
    return this.events.length;
  }

  rows(): number[] {
    return this.events.map((_, i) => this.first + i);
  }

  at(row: number): Event | undefined {
    return this.events[row - this.first];
  }

  /** Where the next page begins; events of the same time come on the same page. */
  get end(): Nanos {
    return this.events.at(-1)!.time + 1n;
  }

  get begin(): Nanos {
    return this.events[0]!.time;
  }

  before(page: EventsAnswer): EventList {
    const events = [...unpacked(page), ...this.events];
    const cut = events.length > MOST;
    const from = this.first - page.time.length;
    return new EventList(cut ? wholeTimes(events.slice(0, MOST)) : events, from, page.more, cut || this.moreAfter);
  }

  after(page: EventsAnswer): EventList {
    const events = [...this.events, ...unpacked(page)];
    if (events.length <= MOST) return new EventList(events, this.first, this.moreBefore, page.more);
    const kept = fromWholeTime(events, events.length - MOST);
    return new EventList(events.slice(kept), this.first + kept, true, page.more);
  }

  /** The row of the begin of a call or state, of an event at `EVENT_DEPTH`, or the first row at or after a time. */
  find(time: Nanos, track?: number, depth?: number): number | undefined {
    const { events, first } = this;
    const enter = events.findIndex((e) => !isEnd(e) && e.time === time && e.track === track && e.depth === depth);
    if (enter >= 0) return first + enter;
    const next = events.findIndex((e) => e.time >= time);
    return next >= 0 ? first + next : undefined;
  }

  /** Whether it holds everything around a time. */
  covers(time: Nanos): boolean {
    if (this.length === 0) return false;
    return (time >= this.begin || !this.moreBefore) && (time < this.end || !this.moreAfter);
  }
}

function unpacked(page: EventsAnswer): Event[] {
  return page.time.map((time, i) => ({
    time: BigInt(time),
    track: page.track[i]!,
    depth: page.depth[i]!,
    method: page.method[i]!,
    kind: page.kind[i]!,
    duration: page.duration[i]!,
    other: page.other[i]!,
    object: page.object[i]!,
    name: page.name[i]!,
    text: page.text[i]!,
  }));
}

/** Drops the events of the last time, because some of them may have been cut off. */
function wholeTimes(events: readonly Event[]): readonly Event[] {
  const last = events.at(-1)!.time;
  const whole = events.filter((event) => event.time !== last);
  return whole.length > 0 ? whole : events;
}

/** The first place at or after `at` where a time begins. */
function fromWholeTime(events: readonly Event[], at: number): number {
  let place = at;
  while (place < events.length - 1 && events[place]!.time === events[place - 1]!.time) place++;
  return place;
}
