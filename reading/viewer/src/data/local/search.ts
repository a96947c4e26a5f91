import type { SearchAnswer } from '../contract';
import { eventKinds } from './own';
import { matchingMethods } from './pattern';
import { type LocalSelection, visitCalls } from './selection';
import type { LocalRecording } from './unpack';

/** Maximum number of methods in an answer, and of buckets, as on the server. */
const MAX_METHODS = 1000;
const MAX_BUCKETS = 4096;

/** Which methods match a pattern, and how many of their calls begin in each bucket. */
export function search(data: LocalRecording, selection: LocalSelection, pattern: string): SearchAnswer {
  const methods = matchingMethods(data, pattern);
  const width = Number(data.overview.width);
  const buckets = Math.min(MAX_BUCKETS, Math.floor(Number(data.recording.duration) / width) + 1);
  const marks = Array.from({ length: buckets }, () => 0);
  let calls = 0;
  visitCalls(selection, (track, call) => {
    if (!methods.has(track.method[call]!)) return;
    calls++;
    marks[Math.min(buckets - 1, Math.max(0, Math.floor(track.begin[call]! / width)))]!++;
  });
  const kinds = eventKinds(data, methods);
  let events = 0;
  for (const track of kinds.size === 0 ? [] : selection.tracks) {
    const { time, event } = data.own.tracks[track.id]!;
    event.forEach((kind, i) => {
      if (!kinds.has(kind)) return;
      events++;
      marks[Math.min(buckets - 1, Math.max(0, Math.floor(time[i]! / width)))]!++;
    });
  }
  return {
    methods: [...methods].slice(0, MAX_METHODS),
    matching: methods.size,
    calls,
    events,
    width: data.overview.width,
    marks,
  };
}
