import type { CountersAnswer, MethodAnswer, Track } from '../contract';
import { isCounter, type OwnData, valueOf } from './own';
import type { LocalSelection } from './selection';

const MAX_ROWS = 10_000;

interface Row {
  readonly track: number;
  readonly method: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly last: number;
}

/** Statistics of the program's own counters in a selection, by the same rules as on the server. */
export function counters(
  data: OwnData,
  tracks: readonly Track[],
  methods: readonly MethodAnswer[],
  selection: LocalSelection,
  duration: number,
): CountersAnswer {
  const { from } = selection;
  const end = Math.min(Math.max(from, duration), selection.to);
  const all = selection.tracks.flatMap(({ id }): Row[] => {
    const found = new Map((tracks[id]!.counters ?? []).map(({ event }) => [event, new Sums(from)]));
    const { time, event, text } = data.tracks[id]!;
    for (let i = 0; i < time.length && time[i]! <= selection.to; i++) {
      const sums = isCounter(methods, event[i]!) ? found.get(event[i]!) : undefined;
      sums?.add(time[i]!, valueOf(data.texts[text[i]!]!));
    }
    return [...found]
      .filter(([, sums]) => sums.known)
      .sort(([a], [b]) => a - b)
      .map(([method, sums]) => ({ track: id, method, ...sums.finish(end) }));
  });
  const rows = all.slice(0, MAX_ROWS);
  return {
    cut: all.length - rows.length,
    track: rows.map((row) => row.track),
    method: rows.map((row) => row.method),
    count: rows.map((row) => row.count),
    min: rows.map((row) => row.min),
    max: rows.map((row) => row.max),
    mean: rows.map((row) => row.mean),
    last: rows.map((row) => row.last),
  };
}

class Sums {
  known = false;
  private before = false;
  private count = 0;
  private min = Infinity;
  private max = -Infinity;
  private area = 0;
  private value = 0;
  private since = 0;
  private first = 0;

  constructor(private readonly from: number) {}

  add(time: number, value: number): void {
    if (Number.isNaN(value)) return;
    if (time < this.from) {
      // Only the last of these counts: from the selection's begin on, if it holds inside for any time.
      [this.known, this.before] = [true, true];
      [this.value, this.since, this.first] = [value, this.from, this.from];
      return;
    }
    if (this.before && time > this.since) this.include(this.value);
    this.before = false;
    this.count++;
    if (this.known) this.area += this.value * (time - this.since);
    else this.first = time;
    this.known = true;
    this.value = value;
    this.since = time;
    this.include(value);
  }

  private include(value: number): void {
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  finish(end: number): Omit<Row, 'track' | 'method'> {
    if (this.before) this.include(this.value);
    const whole = this.area + this.value * Math.max(0, end - this.since);
    const mean = end > this.first ? whole / (end - this.first) : this.value;
    return { count: this.count, min: this.min, max: this.max, mean, last: this.value };
  }
}
