import type { CountedAnswer, SummaryAnswer } from '../contract';
import type { Counted, Spent } from './counts';
import type { LocalSelection } from './selection';
import type { LocalRecording } from './unpack';

const LEFT_OUT = 0;
const EVENTS = 1;
const SAMPLED = 3;

/** All that was counted in a selection, track by track. */
function countedIn({ from, to, tracks }: LocalSelection): Counted[] {
  return tracks.flatMap((track) => track.counts.between(from, to));
}

const MOST = 1000;

/** Calls that are missing from trees, lists and pictures, because they were counted. */
export function counted(selection: LocalSelection): CountedAnswer {
  const modes = new Map<number, number>();
  for (const { method, mode } of countedIn(selection)) modes.set(method, Math.max(modes.get(method) ?? 0, mode));
  const found = [...countedTotals(selection)]
    .filter(([, { calls }]) => calls > 0)
    .sort(([m, a], [n, b]) => b.calls - a.calls || m - n);
  const most = found.slice(0, MOST);
  return {
    calls: found.reduce((sum, [, { calls }]) => sum + calls, 0),
    time: found.reduce((sum, [, { self }]) => sum + self, 0),
    method: most.map(([method]) => method),
    counted: most.map(([, { calls }]) => calls),
    mode: most.map(([method]) => modes.get(method)!),
    self: most.map(([, { self }]) => self),
    estimated: most.map(([, { estimated }]) => (estimated ? 1 : 0)),
    atLeast: most.map(([, { untold, unfinished }]) => (untold || unfinished ? 1 : 0)),
  };
}

/** What was counted of one method, by the same rules as on the server. */
export class CountedTotals {
  calls = 0;
  timed = 0;
  total = 0;
  self = 0;
  /** Time of counted calls that the method's recorded calls made. */
  below = 0;
  /** Whether the times of some calls are missing. */
  untold = false;
  /** Whether some calls had not ended when counting did. */
  unfinished = false;
  durations = 0;
  max = 0;
  estimated = false;
  private readonly histogram = new Map<number, number>();

  add(one: Counted): void {
    if (one.mode === EVENTS) {
      this.below += one.spent?.total ?? 0;
      return;
    }
    const sampled = one.mode === SAMPLED;
    const stands = sampled && one.timed > 0 ? one.calls / one.timed : 1;
    this.calls += one.calls;
    this.unfinished ||= !sampled && one.calls > one.timed;
    this.timed += one.timed * stands;
    this.addTime(one, sampled);
    this.durations += one.durations * stands;
    this.max = Math.max(this.max, one.max);
    this.estimated ||= sampled;
    for (const [bucket, calls] of one.histogram)
      this.histogram.set(bucket, (this.histogram.get(bucket) ?? 0) + calls * stands);
  }

  private addTime({ calls, total, spent }: Counted, sampled: boolean): void {
    if (!spent) {
      this.total += sampled ? 0 : total;
      this.self += sampled ? 0 : total;
      this.untold ||= sampled && calls > 0;
      return;
    }
    const known = sampled ? spent.total : Math.min(total, spent.total + errorOf(spent));
    this.estimated ||= known < total && !sampled;
    this.total += known;
    this.self += Math.min(spent.self, known);
    this.untold ||= spent.unplaced > 0;
  }

  /** Durations, each with its number of calls. */
  weighted(buckets: readonly number[]): Array<readonly [duration: number, calls: number]> {
    return [...this.histogram].map(([bucket, calls]) => {
      const begin = buckets[bucket]!;
      return [begin + Math.floor(((buckets[bucket + 1] ?? begin) - begin) / 2), calls] as const;
    });
  }
}

function errorOf({ squares, interval }: Spent): number {
  return Math.floor(2 * Math.sqrt(squares + interval * interval)) + interval;
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

/** Times that this page does not know: it has neither the cost of probes nor the states of threads. */
export const UNCORRECTED: Pick<SummaryAnswer, 'selfTime' | 'correctedTotal' | 'correctedSelf' | 'error'> = {
  selfTime: null,
  correctedTotal: null,
  correctedSelf: null,
  error: null,
};
