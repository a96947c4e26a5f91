import type { Address } from '../base/address';
import type { Nanos } from '../base/time';
import type { Recording, Track } from '../data/contract';
import { threadsOf } from '../render/groups';

/** What a link holds that wants all of the recording, and nothing unfolded. */
export const ALL = 'all';

/** Whether a link says nothing of what is to be seen. */
export function saysNothing(hash: string): boolean {
  return hash === '' || hash === '#';
}

/** Deeper threads would leave no room for others. */
const DEEPEST = 40;
/** So many parts of the window are empty at the sides of what there is. */
const MARGIN = 50n;

/**
 * What is seen when nobody has said what: the time in which the program did something, its busiest
 * thread unfolded, what the virtual machine did in one row.
 *
 * @param fitted recordings that are compared show all of their time instead
 */
export function firstLook(recording: Recording, fitted: boolean): Address {
  const busiest = [...threadsOf(recording)].sort((a, b) => work(b) - work(a))[0];
  const open = busiest && work(busiest) > 0 && busiest.depth <= DEEPEST ? [busiest.id] : [];
  const machines = recording.tracks.filter((track) => track.kind === 'jvm' && track.of < 0).map((track) => track.process);
  return { open, filter: '', foldedGroups: [...new Set(machines)], ...(fitted && !recording.growing ? activity(recording) : {}) };
}

function work(track: Track): number {
  return track.kind === 'calls' ? track.calls + track.counted : 0;
}

/** From the first to the last that a thread did; nothing if that is nearly the whole recording. */
function activity({ tracks, duration }: Recording): { from?: Nanos; to?: Nanos } {
  const busy = tracks.filter((track) => track.kind === 'calls' && track.events + track.counted > 0);
  if (busy.length === 0) return {};
  let begin = duration;
  let end = 0n;
  for (const track of busy) {
    if (track.begin < begin) begin = track.begin;
    if (track.end > end) end = track.end;
  }
  const margin = (end - begin) / MARGIN;
  const from = begin > margin ? begin - margin : 0n;
  const to = end + margin < duration ? end + margin : duration;
  return from >= to || ((to - from) * 10n > duration * 9n) ? {} : { from, to };
}
