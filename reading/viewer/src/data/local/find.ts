import { EVENT_DEPTH, type FindQuestion } from '../client';
import type { Found } from '../contract';
import { callAt } from './call';
import { eventKinds } from './own';
import { byPlace, longestFirst, type Place, placeOf } from './place';
import { type LocalSelection, visitCalls } from './selection';
import type { LocalRecording } from './unpack';

/** The call of some methods that begins next or previously, or the longest; or an event of some kinds. */
export function find(
  data: LocalRecording,
  selection: LocalSelection,
  methods: ReadonlySet<number>,
  { direction, from = { time: 0n } }: FindQuestion,
): Found {
  const start = startPlace(from, direction === 'next');
  const sign = direction === 'next' ? 1 : -1;
  let best: Place | undefined;
  visitCalls(selection, (track, call) => {
    if (!methods.has(track.method[call]!)) return;
    const place = placeOf(track, call);
    if (direction === 'longest') {
      if (!best || longestFirst(place, best) < 0) best = place;
    } else if (byPlace(place, start) * sign > 0 && (!best || byPlace(place, best) * sign < 0)) {
      best = place;
    }
  });
  const kinds = direction === 'longest' ? new Set<number>() : eventKinds(data, methods);
  for (const track of kinds.size === 0 ? [] : selection.tracks) {
    const { time, event } = data.own.tracks[track.id]!;
    event.forEach((kind, i) => {
      const place = { track: track.id, depth: EVENT_DEPTH, begin: time[i]!, duration: 0 };
      const beyond =
        kinds.has(kind) && time[i]! >= selection.from && time[i]! <= selection.to && byPlace(place, start) * sign > 0;
      if (beyond && (!best || byPlace(place, best) * sign < 0)) best = place;
    });
  }
  if (best?.depth === EVENT_DEPTH) return { call: null, event: { track: best.track, time: BigInt(best.begin) } };
  return { call: (best && callAt(data.tracks[best.track]!, best.depth, best.begin)) ?? null };
}

/** Without a track: after or before everything that begins at the time. */
function startPlace({ time, track, depth }: NonNullable<FindQuestion['from']>, next: boolean): Place {
  const anywhere = next ? Infinity : -1;
  return { begin: Number(time), track: track ?? anywhere, depth: depth ?? 0, duration: 0 };
}
