import type { SummaryAnswer } from '../contract';
import { Buckets } from './buckets';
import { longestFirst, type Place, placeOf, timeText } from './place';
import { lossy, type LocalSelection, visitCalls } from './selection';
import { NESTED } from './track';
import type { LocalRecording } from './unpack';

interface Cost {
  readonly method: number;
  calls: number;
  total: number;
  self: number;
  sum: number;
  readonly insides: number[];
  longest: Place;
}

/** What each method cost, the largest total first. */
export function summary(data: LocalRecording, selection: LocalSelection): SummaryAnswer {
  const costs = [...costsOf(selection).values()];
  costs.sort((a, b) => b.total - a.total || a.method - b.method);
  costs.forEach((cost) => cost.insides.sort((a, b) => a - b));
  return {
    atLeast: lossy(data, selection),
    method: costs.map((cost) => cost.method),
    calls: costs.map((cost) => cost.calls),
    total: costs.map((cost) => cost.total),
    self: costs.map((cost) => cost.self),
    average: costs.map((cost) => Math.floor(cost.sum / cost.calls)),
    p50: costs.map((cost) => percentile(cost.insides, 0.5)),
    p99: costs.map((cost) => percentile(cost.insides, 0.99)),
    max: costs.map((cost) => cost.longest.duration),
    maxTrack: costs.map((cost) => cost.longest.track),
    maxDepth: costs.map((cost) => cost.longest.depth),
    maxBegin: costs.map((cost) => timeText(cost.longest.begin)),
  };
}

function costsOf(selection: LocalSelection): Map<number, Cost> {
  const costs = new Map<number, Cost>();
  visitCalls(selection, (track, call, inside, self) => {
    const method = track.method[call]!;
    let cost = costs.get(method);
    if (!cost) {
      cost = { method, calls: 0, total: 0, self: 0, sum: 0, insides: [], longest: placeOf(track, call) };
      costs.set(method, cost);
    }
    cost.calls++;
    cost.self += self;
    cost.sum += inside;
    cost.insides.push(inside);
    if ((track.flags[call]! & NESTED) === 0) cost.total += inside;
    if (track.end[call]! - track.begin[call]! >= cost.longest.duration) {
      const place = placeOf(track, call);
      if (longestFirst(place, cost.longest) < 0) cost.longest = place;
    }
  });
  return costs;
}

/** A few are told exactly; of many the middle of a bucket, as the server does: within 1.6 %. */
const FEW = 64;
const BUCKETS = new Buckets(5);

function percentile(sorted: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  const value = sorted[rank - 1]!;
  return sorted.length <= FEW ? value : Math.min(sorted.at(-1)!, BUCKETS.middle(BUCKETS.of(value)));
}
