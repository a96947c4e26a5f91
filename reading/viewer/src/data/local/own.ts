import type { OwnListQuestion, OwnQuestion } from '../client';
import type { CurveColumns, MarkColumns, MethodAnswer, OwnAnswer, OwnListAnswer, Track } from '../contract';
import { firstAt } from '../own-piece';
import type { NumberColumn } from './columns';
import { timeText } from './place';

/** Closer marks are merged, up to the end of their cell. Both in units of the resolution, as on the server. */
const APART = 4;
const CELL = 8;
const KINDS = 3;
/** Marks and points of curves in all. */
const MOST = 200_000;
const BEGIN = 1;
const COUNTER = 3;

/** The events of a program's own on one track, one column per fact. */
export interface LocalEvents {
  readonly time: readonly number[];
  readonly event: readonly number[];
  /** Places in the list of texts. */
  readonly text: readonly number[];
}

/** The events of the program's own that a page holds. */
export interface OwnData {
  readonly tracks: readonly LocalEvents[];
  readonly texts: readonly string[];
}

/** Reads `count` events of one track. */
export function readEvents(count: number, times: NumberColumn, events: NumberColumn, texts: NumberColumn): LocalEvents {
  let now = 0;
  const time = Array.from({ length: count }, () => (now += times.next()));
  const event = time.map(() => events.next());
  return { time, event, text: time.map(() => texts.next()) };
}

/** The value in a counter's text: `jobs=5`, `open=true`, or bits without a name. */
export function valueOf(text: string): number {
  const value = text.slice(text.indexOf('=') + 1);
  return value === 'true' ? 1 : value === 'false' || value === '' ? 0 : Number(value);
}

/** Whether a kind of events holds a counter's value. */
export function isCounter(methods: readonly MethodAnswer[], event: number): boolean {
  const kind = methods[event]?.event;
  return kind?.kind === COUNTER && /^\s*((?!str|bytes)\w+\s+\w+\s*;?\s*)?$/.test(kind.fields);
}

/** The events of tracks as they are drawn. */
export function own(
  data: OwnData,
  tracks: readonly Track[],
  methods: readonly MethodAnswer[],
  question: OwnQuestion,
): OwnAnswer {
  const [from, to] = [Number(question.from), Number(question.to)];
  const lines = question.tracks.reduce((sum, track) => sum + 1 + (tracks[track]!.counters?.length ?? 0), 0);
  const coarsest = Math.floor((to - from) / Math.max(1, Math.floor(MOST / Math.max(1, lines))));
  const resolution = Math.max(Number(question.resolution), coarsest);
  return {
    tracks: question.tracks.map((track) => {
      const events = data.tracks[track]!;
      const marks = new Marks(from, resolution);
      const curves = new Map(
        (tracks[track]!.counters ?? []).map(({ event }) => [event, new Curve(event, from, resolution)]),
      );
      for (let i = 0; i < events.time.length && events.time[i]! <= to; i++) {
        const [time, event] = [events.time[i]!, events.event[i]!];
        if (isCounter(methods, event)) curves.get(event)?.add(time, valueOf(data.texts[events.text[i]!]!));
        else if (time >= from) marks.add(time, event);
      }
      return { track, marks: marks.done(), curves: [...curves.values()].map((curve) => curve.columns) };
    }),
  };
}

class Marks {
  private readonly columns = {
    begin: [] as number[],
    end: [] as number[],
    count: [] as number[],
    different: [] as number[],
    event: [] as number[],
    times: [] as number[],
  };
  private readonly kinds = new Map<number, number>();
  private begin = 0;
  private end = 0;
  private count = 0;

  constructor(
    private readonly from: number,
    private readonly resolution: number,
  ) {}

  add(time: number, event: number): void {
    const cell = Math.max(1, this.resolution * CELL);
    const near =
      time - this.end < Math.max(1, this.resolution * APART) &&
      Math.floor(time / cell) === Math.floor(this.begin / cell);
    if (!near) this.finish();
    if (this.count === 0) this.begin = time;
    this.end = time;
    this.count++;
    this.kinds.set(event, (this.kinds.get(event) ?? 0) + 1);
  }

  private finish(): void {
    if (this.count === 0) return;
    const { begin, end, count, different, event, times } = this.columns;
    begin.push(this.begin - this.from);
    end.push(this.end - this.from);
    count.push(this.count);
    different.push(this.kinds.size);
    const most = [...this.kinds].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, KINDS);
    event.push(...most.map(([kind]) => kind));
    times.push(...most.map(([, often]) => often));
    this.kinds.clear();
    this.count = 0;
  }

  done(): MarkColumns {
    this.finish();
    return this.columns;
  }
}

class Curve {
  readonly columns;
  private cell = -1;

  constructor(
    event: number,
    private readonly from: number,
    private readonly resolution: number,
  ) {
    this.columns = {
      event,
      before: null as number | null,
      time: [] as number[],
      min: [] as number[],
      max: [] as number[],
      last: [] as number[],
    } satisfies CurveColumns;
  }

  add(at: number, value: number): void {
    const { time, min, max, last } = this.columns;
    if (Number.isNaN(value)) return;
    if (at < this.from) {
      this.columns.before = value;
      return;
    }
    const cell = Math.floor(at / Math.max(1, this.resolution));
    const i = time.length - 1;
    if (cell === this.cell) {
      min[i] = Math.min(min[i]!, value);
      max[i] = Math.max(max[i]!, value);
      last[i] = value;
      return;
    }
    this.cell = cell;
    time.push(at - this.from);
    for (const column of [min, max, last]) column.push(value);
  }
}

/** The first events between two times, with their data. */
export function ownList(
  data: OwnData,
  methods: readonly MethodAnswer[],
  { track, from, to, max }: OwnListQuestion,
): OwnListAnswer {
  const { time, event, text } = data.tracks[track]!;
  const first = firstAt(time, Number(from));
  let end = first;
  while (end < time.length && time[end]! <= Number(to) && end - first < max) end++;
  const found = event.slice(first, end);
  return {
    more: end < time.length && time[end]! <= Number(to),
    time: time.slice(first, end).map(timeText),
    event: found,
    name: found.map((number) => nameOf(methods[number]!)),
    text: text.slice(first, end).map((number) => data.texts[number]!),
    stack: found.map(() => []),
  };
}

function nameOf({ type, name, event }: MethodAnswer): string {
  if (!event) return name.replace(/^method /, 'event ');
  return type ? `${type}.${name}` : name;
}

/** Those methods that are kinds of events and do not begin a call. */
export function eventKinds(
  data: { readonly methods: readonly MethodAnswer[] },
  methods: ReadonlySet<number>,
): Set<number> {
  return new Set([...methods].filter((id) => data.methods[id]!.event && data.methods[id]!.event!.kind !== BEGIN));
}
