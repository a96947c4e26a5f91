import type { SummaryAnswer } from '../contract';
import { Buckets } from './buckets';
import { type CountedTotals, countedTotals, leftOutIn, UNCORRECTED } from './counted';
import { longestFirst, type Place, placeOf, timeText } from './place';
import { type LocalSelection, lossyProcesses, ofCalls, visitCalls } from './selection';
import { NESTED } from './track';
import type { LocalRecording } from './unpack';

interface Cost {
  readonly method: number;
  calls: number;
  total: number;
  self: number;
  sum: number;
  readonly insides: number[];
  longest: Place | undefined;
  counted: CountedTotals | undefined;
}

/** What each method cost, the largest total first. */
export function summary(data: LocalRecording, all: LocalSelection): SummaryAnswer {
  const selection = ofCalls(data, all);
  const costs = costsOf(selection);
  const leftOut = leftOutIn(data, selection);
  const lossy = lossyProcesses(data, all);
  costs.sort((a, b) => totalOf(b) - totalOf(a) || a.method - b.method);
  costs.forEach((cost) => cost.insides.sort((a, b) => a - b));
  return {
    atLeast: lossy.size > 0,
    method: costs.map((cost) => cost.method),
    calls: costs.map((cost) => cost.calls + (cost.counted?.calls ?? 0)),
    total: costs.map(totalOf),
    self: costs.map(selfOf),
    average: costs.map(averageOf),
    p50: costs.map((cost) => percentile(cost, 0.5, data.buckets)),
    p99: costs.map((cost) => percentile(cost, 0.99, data.buckets)),
    max: costs.map(maxOf),
    maxTrack: costs.map((cost) => cost.longest?.track ?? -1),
    maxDepth: costs.map((cost) => cost.longest?.depth ?? -1),
    maxBegin: costs.map((cost) => timeText(cost.longest?.begin ?? 0)),
    counted: costs.map((cost) => cost.counted?.calls ?? 0),
    estimated: costs.map((cost) => (cost.counted?.estimated ? 1 : 0)),
    missing: costs.map(({ method, counted }) =>
      leftOut.has(method) ? 1 : lossy.has(data.methods[method]!.process) ? 3 : counted?.untold ? 2 : 0,
    ),
    ...UNCORRECTED,
  };
}

function costsOf(selection: LocalSelection): Cost[] {
  const costs = new Map<number, Cost>();
  const costOf = (method: number): Cost => {
    let cost = costs.get(method);
    if (!cost) {
      cost = { method, calls: 0, total: 0, self: 0, sum: 0, insides: [], longest: undefined, counted: undefined };
      costs.set(method, cost);
    }
    return cost;
  };
  visitCalls(selection, (track, call, inside, self) => {
    const cost = costOf(track.method[call]!);
    cost.calls++;
    cost.self += self;
    cost.sum += inside;
    cost.insides.push(inside);
    if ((track.flags[call]! & NESTED) === 0) cost.total += inside;
    if (!cost.longest || track.end[call]! - track.begin[call]! >= cost.longest.duration) {
      const place = placeOf(track, call);
      if (!cost.longest || longestFirst(place, cost.longest) < 0) cost.longest = place;
    }
  });
  for (const [method, totals] of countedTotals(selection)) costOf(method).counted = totals;
  return [...costs.values()];
}

function totalOf({ total, counted }: Cost): number {
  return total + (counted?.total ?? 0);
}

function selfOf({ self, counted }: Cost): number {
  return counted ? Math.max(0, self - counted.below) + counted.self : self;
}

function maxOf({ longest, counted }: Cost): number {
  return Math.max(longest?.duration ?? 0, counted?.max ?? 0);
}

function averageOf({ calls, sum, counted }: Cost): number {
  const timed = calls + (counted?.timed ?? 0);
  return timed === 0 ? 0 : Math.floor((sum + (counted?.durations ?? 0)) / timed);
}

/** Exact for few calls; for many, the middle of a bucket, as on the server: within 1.6 %. */
const FEW = 64;
const BUCKETS = new Buckets(5);

function percentile(cost: Cost, share: number, buckets: readonly number[]): number {
  if (cost.counted) return Math.min(maxOf(cost), percentileOfBoth(cost, cost.counted, share, buckets));
  const { insides } = cost;
  const rank = Math.max(1, Math.ceil(share * insides.length));
  const value = insides[rank - 1]!;
  return insides.length <= FEW ? value : Math.min(insides.at(-1)!, BUCKETS.middle(BUCKETS.of(value)));
}

/** Of recorded and of counted calls; counted ones are known only by their buckets. */
function percentileOfBoth(
  { insides }: Cost,
  counted: CountedTotals,
  share: number,
  buckets: readonly number[],
): number {
  const single = (duration: number) => (insides.length <= FEW ? duration : BUCKETS.middle(BUCKETS.of(duration)));
  const all = [...insides.map((duration) => [single(duration), 1] as const), ...counted.weighted(buckets)];
  all.sort((a, b) => a[0] - b[0]);
  let left = share * all.reduce((sum, [, calls]) => sum + calls, 0);
  let found = 0;
  for (const [duration, calls] of all) {
    if (left <= 0) break;
    found = duration;
    left -= calls;
  }
  return found;
}
