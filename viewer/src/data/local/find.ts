import type { FindQuestion } from '../client';
import type { Call } from '../contract';
import { callAt } from './call';
import { byPlace, longestFirst, type Place, placeOf } from './place';
import { type LocalSelection, visitCalls } from './selection';
import type { LocalRecording } from './unpack';

/** The call of some methods that begins next or previously, or the longest. */
export function find(
  data: LocalRecording,
  selection: LocalSelection,
  methods: ReadonlySet<number>,
  { direction, from = { time: 0n } }: FindQuestion,
): Call | undefined {
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
  return best && callAt(data.tracks[best.track]!, best.depth, best.begin);
}

/** Without a track: behind, or before, all that begin at the time. */
function startPlace({ time, track, depth }: NonNullable<FindQuestion['from']>, next: boolean): Place {
  const anywhere = next ? Infinity : -1;
  return { begin: Number(time), track: track ?? anywhere, depth: depth ?? 0, duration: 0 };
}
