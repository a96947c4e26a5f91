import type { Recording, Track } from '../data/contract';
import type { Arrangement } from './arrange';

/** What is drawn in one row: a thread's calls with what it waited for, or that alone (`track` then is `states`). */
export interface ThreadTracks {
  readonly track: Track;
  readonly states: Track | undefined;
}

interface ProcessTracks {
  readonly threads: readonly ThreadTracks[];
  /** What the virtual machine did. */
  readonly jvm: readonly ThreadTracks[];
}

interface Groups {
  readonly pinned: readonly ThreadTracks[];
  /** Threads that pass the filter. */
  readonly shown: number;
  of(process: number): ProcessTracks;
}

const NOTHING: ProcessTracks = { threads: [], jvm: [] };

/** The track that stands for a thread: of states that of its calls, if it has any. */
export function mainTrack(recording: Recording, track: number): number {
  const of = recording.tracks[track]?.of ?? -1;
  return of >= 0 ? of : track;
}

/** The tracks that stand for threads; the virtual machine's are none. */
export function threadsOf(recording: Recording): Track[] {
  return recording.tracks.filter((track) => track.kind !== 'jvm' && track.of < 0);
}

/** What of a recording is to be shown, in the order in which it was recorded. */
export function groupsOf(recording: Recording, arrangement: Arrangement, passes: (track: Track) => boolean): Groups {
  const statesOf = new Map(recording.tracks.filter((track) => track.of >= 0).map((track) => [track.of, track]));
  const together = (track: Track): ThreadTracks => ({
    track,
    states: track.kind === 'states' ? track : statesOf.get(track.id),
  });
  const pinned = arrangement.pinned.map((id) => recording.tracks[id]!).filter(passes);
  const processes = new Map<number, { threads: ThreadTracks[]; jvm: ThreadTracks[] }>();
  let shown = pinned.length;
  for (const track of recording.tracks) {
    if (track.of >= 0 || arrangement.hidden.has(track.id) || pinned.includes(track) || !passes(track)) continue;
    let group = processes.get(track.process);
    if (!group) processes.set(track.process, (group = { threads: [], jvm: [] }));
    (track.kind === 'jvm' ? group.jvm : group.threads).push(together(track));
    if (track.kind !== 'jvm') shown++;
  }
  return { pinned: pinned.map(together), shown, of: (process) => processes.get(process) ?? NOTHING };
}
