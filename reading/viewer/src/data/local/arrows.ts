import { KERNEL_ARROWS } from '../../base/states';
import type { ArrowsQuestion } from '../client';
import type { ArrowsAnswer } from '../contract';
import { timeText } from './place';
import type { TrackCalls } from './track';
import type { LocalRecording } from './unpack';

interface Wait {
  readonly from: number;
  readonly to: number;
  readonly method: number;
  readonly end: number;
  readonly waited: number;
}

/** States of the kernel are requested by name; each of these is a group of its own, beside the program's waits. */
const OF_KERNEL: readonly string[] = KERNEL_ARROWS;

/** The arrows of the longest waits that end in a window. */
export function arrows(data: LocalRecording, { from, to, max, kinds }: ArrowsQuestion): ArrowsAnswer {
  const { tracks, methods, recording } = data;
  const groups = new Map<string, Wait[]>();
  for (const track of tracks) {
    const { kind } = recording.tracks[track.id]!;
    if (kind === 'jvm') continue; // it works for a thread, and lets no thread continue
    const kernel = kind === 'scheduled';
    for (
      let state = firstEndingAt(track, Number(from));
      state < track.count && track.end[state]! <= Number(to);
      state++
    ) {
      const { type } = methods[track.method[state]!]!;
      const wanted = (track.other(state) ?? -1) >= 0 && (kinds ? kinds.includes(type) : !kernel);
      if (!wanted) continue;
      const group = kernel && OF_KERNEL.includes(type) ? type : '';
      const found = groups.get(group) ?? [];
      groups.set(group, found);
      const waited = track.end[state]! - track.begin[state]!;
      found.push({
        from: track.other(state)!,
        to: track.id,
        method: track.method[state]!,
        end: track.end[state]!,
        waited,
      });
    }
  }
  const sent = kinds?.includes('message') ? messages(data, Number(from), Number(to)) : [];
  if (sent.length > 0) groups.set('message', sent);
  const longest = together([...groups.values()], max);
  longest.sort((a, b) => a.end - b.end || a.to - b.to);
  const found = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  return {
    more: found > longest.length,
    time: longest.map((wait) => timeText(wait.end)),
    waited: longest.map((wait) => wait.waited),
    fromTrack: longest.map((wait) => wait.from),
    toTrack: longest.map((wait) => wait.to),
    method: longest.map((wait) => wait.method),
  };
}

/** The messages in transit in a window. */
function messages(
  { messages: { time, waited, fromTrack, toTrack, method } }: LocalRecording,
  from: number,
  to: number,
): Wait[] {
  const all = time.map((end, i) => ({
    from: fromTrack[i]!,
    to: toTrack[i]!,
    method: method[i]!,
    end,
    waited: waited[i]!,
  }));
  return all.filter((message) => {
    const sent = message.end - message.waited;
    return Math.min(sent, message.end) <= to && Math.max(sent, message.end) >= from;
  });
}

/** The same share for each group; what one group does not need goes to the others. */
function together(groups: Wait[][], max: number): Wait[] {
  groups.sort((a, b) => a.length - b.length);
  const all: Wait[] = [];
  groups.forEach((group, i) => all.push(...some(group, Math.floor((max - all.length) / (groups.length - i)))));
  return all;
}

/** The longest ones; if all are equally long, some from all times. */
function some(group: Wait[], room: number): Wait[] {
  if (group.length <= room) return group;
  if (group.some((wait) => wait.waited !== 0))
    return group.sort((a, b) => Math.abs(b.waited) - Math.abs(a.waited)).slice(0, room);
  group.sort((a, b) => a.end - b.end);
  return Array.from({ length: room }, (_, i) => group[Math.floor((i * group.length) / room)]!);
}

/** States are in the order of their ends. */
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
