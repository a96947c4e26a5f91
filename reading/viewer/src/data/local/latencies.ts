import type { LatenciesAnswer } from '../contract';
import { Buckets } from './buckets';
import { longestFirst, type Place, placeOf, timeText } from './place';
import { type LocalSelection, visitCalls } from './selection';

const BUCKETS = new Buckets(2);

/** Durations of the calls of one method over time, in the same cells as on the server. */
export function latencies(
  selection: LocalSelection,
  duration: number,
  method: number,
  columns: number,
): LatenciesAnswer {
  const { from } = selection;
  const to = Math.max(from, Math.min(selection.to, duration));
  const width = Math.max(1, Math.ceil((to - from) / columns));
  const cells = new Map<string, { column: number; bucket: number; count: number; longest: Place }>();
  visitCalls(selection, (track, call) => {
    if (track.method[call] !== method) return;
    const place = placeOf(track, call);
    const column = Math.min(columns - 1, Math.max(0, Math.floor((place.begin - from) / width)));
    const bucket = BUCKETS.of(place.duration);
    const key = `${column} ${bucket}`;
    const cell = cells.get(key) ?? { column, bucket, count: 0, longest: place };
    cell.count++;
    if (longestFirst(place, cell.longest) < 0) cell.longest = place;
    cells.set(key, cell);
  });
  const all = [...cells.values()].sort((a, b) => a.column - b.column || a.bucket - b.bucket);
  const first = all.reduce((least, { bucket }) => Math.min(least, bucket), Infinity);
  const last = all.reduce((most, { bucket }) => Math.max(most, bucket), 0);
  return {
    from: timeText(from),
    width: timeText(width),
    bound: all.length === 0 ? [] : Array.from({ length: last - first + 2 }, (_, i) => BUCKETS.bound(first + i)),
    column: all.map((cell) => cell.column),
    row: all.map((cell) => cell.bucket - first),
    count: all.map((cell) => cell.count),
    track: all.map((cell) => cell.longest.track),
    depth: all.map((cell) => cell.longest.depth),
    begin: all.map((cell) => timeText(cell.longest.begin)),
    duration: all.map((cell) => cell.longest.duration),
  };
}
