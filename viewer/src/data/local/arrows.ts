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

/** What the kernel tells is asked for by name; each of these is a group of its own, beside what the program tells. */
const OF_KERNEL: readonly string[] = ['blocked', 'runnable', 'handed'];

/** The arrows of the longest waits that end in a window. */
export function arrows(data: LocalRecording, { from, to, max, kinds }: ArrowsQuestion): ArrowsAnswer {
  const { tracks, methods, recording } = data;
  const groups = new Map<string, Wait[]>();
  for (const track of tracks) {
    const kernel = recording.tracks[track.id]!.kind === 'scheduled';
    for (let state = firstEndingAt(track, Number(from)); state < track.count && track.end[state]! <= Number(to); state++) {
      const { type } = methods[track.method[state]!]!;
      const wanted = (track.other(state) ?? -1) >= 0 && (kinds ? kinds.includes(type) : !kernel);
      if (!wanted) continue;
      const group = kernel && OF_KERNEL.includes(type) ? type : '';
      const found = groups.get(group) ?? [];
      groups.set(group, found);
      found.push({ track, state, end: track.end[state]!, waited: track.end[state]! - track.begin[state]! });
    }
  }
  const longest = together([...groups.values()], max);
  longest.sort((a, b) => a.end - b.end || a.track.id - b.track.id);
  const found = [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  return {
    more: found > longest.length,
    time: longest.map((wait) => timeText(wait.end)),
    waited: longest.map((wait) => wait.waited),
    fromTrack: longest.map((wait) => wait.track.other(wait.state)!),
    toTrack: longest.map((wait) => wait.track.id),
    method: longest.map((wait) => wait.track.method[wait.state]!),
  };
}

/** The same share for each group; what one does not need is for the others. */
function together(groups: Wait[][], max: number): Wait[] {
  groups.sort((a, b) => a.length - b.length);
  const all: Wait[] = [];
  groups.forEach((group, i) => all.push(...some(group, Math.floor((max - all.length) / (groups.length - i)))));
  return all;
}

/** The longest; where none is longer than another, some of all times. */
function some(group: Wait[], room: number): Wait[] {
  if (group.length <= room) return group;
  if (group.some((wait) => wait.waited > 0)) return group.sort((a, b) => b.waited - a.waited).slice(0, room);
  group.sort((a, b) => a.end - b.end);
  return Array.from({ length: room }, (_, i) => group[Math.floor((i * group.length) / room)]!);
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
