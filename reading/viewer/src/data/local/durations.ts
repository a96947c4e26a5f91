import type { DurationsAnswer } from '../contract';
import { Buckets } from './buckets';
import { longestFirst, type Place, placeOf, timeText } from './place';
import { type LocalSelection, visitCalls } from './selection';

const OUTLIERS = 100;
const BUCKETS = new Buckets(2);

/** How long the calls of one method took, and which ones are the longest. */
export function durations(selection: LocalSelection, method: number): DurationsAnswer {
  const places: Place[] = [];
  const counts: number[] = [];
  visitCalls(selection, (track, call) => {
    if (track.method[call] !== method) return;
    const place = placeOf(track, call);
    const bucket = BUCKETS.of(place.duration);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    places.push(place);
  });
  places.sort(longestFirst);
  const longest = places.slice(0, OUTLIERS);
  // A sparse array: unset elements are skipped.
  const first = Number(Object.keys(counts)[0] ?? 0);
  const count = Array.from({ length: counts.length - first }, (_, i) => counts[first + i] ?? 0);
  return {
    calls: places.length,
    count,
    bound: count.length === 0 ? [] : [...count, 0].map((_, i) => BUCKETS.bound(first + i)),
    outliers: {
      track: longest.map((place) => place.track),
      depth: longest.map((place) => place.depth),
      begin: longest.map((place) => timeText(place.begin)),
      duration: longest.map((place) => place.duration),
    },
  };
}
