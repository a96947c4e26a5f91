import type { ArrowsQuestion } from '../client';
import type { ArrowsAnswer } from '../contract';
import { timeText } from './place';
import type { TrackCalls } from './track';
import type { LocalRecording } from './unpack';

interface Wait {
  readonly track: TrackCalls;
  readonly state: number;
  readonly end: number;
  readonly waited: number;
}

/** The arrows of the longest waits that end in a window. */
export function arrows({ tracks, methods }: LocalRecording, { from, to, max, kinds }: ArrowsQuestion): ArrowsAnswer {
  const found: Wait[] = [];
  for (const track of tracks) {
    for (let state = firstEndingAt(track, Number(from)); state < track.count && track.end[state]! <= Number(to); state++) {
      const wanted = (track.other(state) ?? -1) >= 0 && (!kinds || kinds.includes(methods[track.method[state]!]!.type));
      if (wanted) found.push({ track, state, end: track.end[state]!, waited: track.end[state]! - track.begin[state]! });
    }
  }
  const longest = found.sort((a, b) => b.waited - a.waited).slice(0, max);
  longest.sort((a, b) => a.end - b.end || a.track.id - b.track.id);
  return {
    more: found.length > longest.length,
    time: longest.map((wait) => timeText(wait.end)),
    waited: longest.map((wait) => wait.waited),
    fromTrack: longest.map((wait) => wait.track.other(wait.state)!),
    toTrack: longest.map((wait) => wait.track.id),
    method: longest.map((wait) => wait.track.method[wait.state]!),
  };
}

/** States stand in the order of their ends. */
function firstEndingAt(track: TrackCalls, time: number): number {
  let low = 0;
  let high = track.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (track.end[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
