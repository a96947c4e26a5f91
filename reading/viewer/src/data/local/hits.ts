import { EVENT_DEPTH, type HitsQuestion, type RankQuestion } from '../client';
import type { HitsAnswer, RankAnswer } from '../contract';
import { eventKinds } from './own';
import { matchingMethods } from './pattern';
import { byPlace, type Place, placeOf, timeText } from './place';
import { selected, visitCalls } from './selection';
import type { LocalRecording } from './unpack';

interface Hit extends Place {
  readonly method: number;
}

/** Calls and events whose names match and that begin at or after a time, unsorted. At 0, all count. */
function hitsFrom(data: LocalRecording, pattern: string, at: number): Hit[] {
  const methods = matchingMethods(data, pattern);
  const selection = selected(data, {});
  const hits: Hit[] = [];
  visitCalls(selection, (track, call) => {
    const method = track.method[call]!;
    if (methods.has(method) && (at === 0 || track.begin[call]! >= at)) hits.push({ ...placeOf(track, call), method });
  });
  const kinds = eventKinds(data, methods);
  for (const { id } of kinds.size === 0 ? [] : selection.tracks) {
    const { time, event } = data.own.tracks[id]!;
    event.forEach((method, i) => {
      if (kinds.has(method) && (at === 0 || time[i]! >= at))
        hits.push({ track: id, depth: EVENT_DEPTH, begin: time[i]!, duration: 0, method });
    });
  }
  return hits;
}

/** Those after the first `skip`, in the order of their places. */
export function hits(data: LocalRecording, { pattern, at, skip, count }: HitsQuestion): HitsAnswer {
  const page = hitsFrom(data, pattern, Number(at))
    .sort(byPlace)
    .slice(skip, skip + count);
  return {
    track: page.map((hit) => hit.track),
    depth: page.map((hit) => hit.depth),
    method: page.map((hit) => hit.method),
    begin: page.map((hit) => timeText(hit.begin)),
    duration: page.map((hit) => hit.duration),
  };
}

/** How many come before a place, and whether it is one of them. */
export function rank(data: LocalRecording, { pattern, at, place }: RankQuestion): RankAnswer {
  const here = { ...place, begin: Number(place.time), duration: 0 };
  const order = hitsFrom(data, pattern, Number(at)).map((hit) => byPlace(hit, here));
  return { before: order.filter((each) => each < 0).length, hit: order.includes(0) };
}
