import type { CountedAnswer, SummaryAnswer } from '../contract';
import type { Counted } from './counts';
import type { LocalSelection } from './selection';
import type { LocalRecording } from './unpack';

const LEFT_OUT = 0;
const SAMPLED = 3;

/** All that was counted in a selection, track by track. */
function countedIn({ from, to, tracks }: LocalSelection): Counted[] {
  return tracks.flatMap((track) => track.counts.between(from, to));
}

const MOST = 1000;

/** Calls that are in no tree, list or picture, because they were counted. */
export function counted(selection: LocalSelection): CountedAnswer {
  const methods = new Map<number, { method: number; calls: number; mode: number }>();
  for (const { method, calls, mode } of countedIn(selection)) {
    const known = methods.get(method) ?? { method, calls: 0, mode: 0 };
    methods.set(method, { method, calls: known.calls + calls, mode: Math.max(known.mode, mode) });
  }
  const found = [...methods.values()].filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls || a.method - b.method);
  const most = found.slice(0, MOST);
  return {
    calls: found.reduce((sum, { calls }) => sum + calls, 0),
    method: most.map(({ method }) => method),
    counted: most.map(({ calls }) => calls),
    mode: most.map(({ mode }) => mode),
  };
}

/** What was counted of one method; where calls were timed by sample, the others are taken to be like those that were. */
export class CountedTotals {
  calls = 0;
  timed = 0;
  total = 0;
  durations = 0;
  max = 0;
  estimated = false;
  private readonly histogram = new Map<number, number>();

  add(one: Counted): void {
    const sampled = one.mode === SAMPLED;
    const stands = sampled && one.timed > 0 ? one.calls / one.timed : 1;
    this.calls += one.calls;
    this.timed += one.timed * stands;
    this.total += one.total * stands;
    this.durations += one.durations * stands;
    this.max = Math.max(this.max, one.max);
    this.estimated ||= sampled;
    for (const [bucket, calls] of one.histogram) this.histogram.set(bucket, (this.histogram.get(bucket) ?? 0) + calls * stands);
  }

  /** Durations, each with how many calls took so long. */
  weighted(buckets: readonly number[]): Array<readonly [duration: number, calls: number]> {
    return [...this.histogram].map(([bucket, calls]) => {
      const begin = buckets[bucket]!;
      return [begin + Math.floor(((buckets[bucket + 1] ?? begin) - begin) / 2), calls] as const;
    });
  }
}

/** What was counted in a selection, by method. */
export function countedTotals(selection: LocalSelection): Map<number, CountedTotals> {
  const totals = new Map<number, CountedTotals>();
  for (const one of countedIn(selection)) {
    let sum = totals.get(one.method);
    if (!sum) totals.set(one.method, (sum = new CountedTotals()));
    sum.add(one);
  }
  return totals;
}

/** Methods of which nothing was recorded for part of a selection. */
export function leftOutIn({ steps }: LocalRecording, { from, to }: LocalSelection): ReadonlySet<number> {
  const found = new Set<number>();
  const since = new Map<number, number>();
  steps.time.forEach((text, i) => {
    const time = Number(text);
    const method = steps.method[i]!;
    if (steps.before[i] === LEFT_OUT) {
      const begin = since.get(method);
      since.delete(method);
      if (time >= from && (begin === undefined || begin <= to)) found.add(method);
    }
    if (steps.mode[i] === LEFT_OUT) since.set(method, time);
  });
  for (const [method, begin] of since) if (begin <= to) found.add(method);
  return found;
}

/** Which times this page does not know: it has no prices of probes. */
export const UNCORRECTED: Pick<SummaryAnswer, 'correctedTotal' | 'correctedSelf' | 'error'> = {
  correctedTotal: null,
  correctedSelf: null,
  error: null,
};
