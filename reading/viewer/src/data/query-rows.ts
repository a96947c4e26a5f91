import type { Nanos } from '../base/time';
import type { QueryAnswer, Track } from './contract';

/** Columns that are times since the recording's begin, in nanoseconds. */
const TIMES = ['begin', 'time', 'finish', 'sent', 'received', 'since', 'call_begin'];
/** Columns that are how long something took, in nanoseconds. */
const DURATIONS = [
  'duration',
  'self',
  'corrected',
  'corrected_self',
  'corrected_within',
  'spent',
  'waited',
  'longest',
  'mean',
  'p50',
  'p90',
  'p99',
  'call_duration',
];

export type Meaning = 'time' | 'duration' | 'number' | 'other';

/** What the values of a column are, by its name and type. */
export function meaningOf({ name, type }: QueryAnswer['columns'][number]): Meaning {
  if (/^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/.test(type)) {
    if (TIMES.includes(name)) return 'time';
    return DURATIONS.includes(name) ? 'duration' : 'number';
  }
  return /^(DOUBLE|FLOAT|DECIMAL)/.test(type) ? 'number' : 'other';
}

/** A row's place in the picture. */
export interface RowPlace {
  readonly begin: Nanos;
  readonly end: Nanos;
  /** Undefined: it is of no thread, or of one that is not shown. */
  readonly track: number | undefined;
}

/** Finds the places of an answer's rows; undefined if it has no column with a time. */
export function placesOf(
  answer: QueryAnswer,
  tracks: readonly Track[],
): ((row: number) => RowPlace | undefined) | undefined {
  const column = (...names: string[]) =>
    names.map((name) => answer.columns.findIndex((each) => each.name === name)).find((at) => at >= 0);
  const begin = column('begin', 'time', 'received', 'sent');
  if (begin === undefined || meaningOf(answer.columns[begin]!) !== 'time') return undefined;
  const [finish, duration, process, thread] = [
    column('finish'),
    column('duration'),
    column('process', 'to_process'),
    column('thread', 'to_thread'),
  ];
  const known = new Map<string, number>();
  for (const track of tracks) {
    const key = `${track.process} ${track.thread}`;
    if (track.kind === 'calls') known.set(key, track.id);
    else if (!known.has(key)) known.set(key, track.of < 0 ? track.id : track.of);
  }
  return (row) => {
    const values = answer.rows[row]!;
    const number = (at: number | undefined) => (at === undefined ? undefined : wholeOf(values[at]));
    const from = number(begin);
    if (from === undefined) return undefined;
    const end = number(finish) ?? from + (number(duration) ?? 0n);
    const track =
      process === undefined || thread === undefined ? undefined : known.get(`${values[process]} ${values[thread]}`);
    return { begin: from, end: end < from ? from : end, track };
  };
}

function wholeOf(value: QueryAnswer['rows'][number][number] | undefined): bigint | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** The rows of a column as a histogram: four buckets a power of two, without empty ones at the ends. */
export function histogramOf(values: readonly number[]): { bound: number[]; count: number[] } {
  const counts = new Map<number, number>();
  for (const value of values) {
    const bucket = value < 1 ? -1 : Math.floor(Math.log2(value) * 4);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  if (counts.size === 0) return { bound: [], count: [] };
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  const bound: number[] = [];
  const count: number[] = [];
  for (let bucket = first; bucket <= last + 1; bucket++) {
    bound.push(bucket < 0 ? 0 : Math.round(2 ** (bucket / 4)));
    if (bucket <= last) count.push(counts.get(bucket) ?? 0);
  }
  return { bound, count };
}

/** Numbers of a column; what is missing is NaN. */
export function numbersOf(answer: QueryAnswer, column: number): number[] {
  return answer.rows.map((row) => {
    const value = row[column];
    return typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : NaN;
  });
}
