import type { Recording, Track } from '../data/contract';
import type { Arrangement } from './arrange';
import { helpersOf } from './helpers';

/**
 * The tracks of one row: a thread's calls with what it waited for and what the kernel did with
 * it, or only one of these, as `track`.
 */
export interface ThreadTracks {
  readonly track: Track;
  readonly states: Track | undefined;
  readonly scheduled: Track | undefined;
  /** What the virtual machine did for the thread. */
  readonly machine: Track | undefined;
}

interface ProcessTracks {
  readonly threads: readonly ThreadTracks[];
  /** What the virtual machine did, then its own threads; for the kernel, its processors. */
  readonly others: readonly ThreadTracks[];
  /** Other threads of a Java program without a recorded call. */
  readonly idle: readonly ThreadTracks[];
}

interface Groups {
  readonly pinned: readonly ThreadTracks[];
  /** Threads that pass the filter. */
  readonly shown: number;
  of(process: number): ProcessTracks;
}

const NOTHING: ProcessTracks = { threads: [], others: [], idle: [] };

/** Whether a track shows a thread, not the virtual machine or a processor. */
function ofThread(track: Track): boolean {
  return track.kind !== 'jvm' && track.kind !== 'cpu';
}

/** The main track of a thread: for a track of states, that of its calls, if it has any. */
export function mainTrack(recording: Recording, track: number): number {
  const of = recording.tracks[track]?.of ?? -1;
  return of >= 0 ? of : track;
}

/** The main tracks of threads, without those of the virtual machine and the processors. */
export function threadsOf(recording: Recording): Track[] {
  return recording.tracks.filter((track) => ofThread(track) && track.of < 0);
}

/** The tracks of a recording to show, in the order in which they were recorded. */
export function groupsOf(recording: Recording, arrangement: Arrangement, passes: (track: Track) => boolean): Groups {
  const owned = (kind: Track['kind']) =>
    new Map(recording.tracks.filter((track) => track.of >= 0 && track.kind === kind).map((track) => [track.of, track]));
  const statesOf = owned('states');
  const scheduledOf = owned('scheduled');
  const machineOf = owned('jvm');
  const together = (track: Track): ThreadTracks => ({
    track,
    states: track.kind === 'states' ? track : statesOf.get(track.id),
    scheduled: track.kind === 'scheduled' ? track : scheduledOf.get(track.id),
    machine: machineOf.get(track.id),
  });
  const pinned = arrangement.pinned.map((id) => recording.tracks[id]!).filter(passes);
  const helpers = helpersOf(recording);
  const processes = new Map<number, Record<keyof ProcessTracks, ThreadTracks[]>>();
  let shown = pinned.length;
  for (const track of recording.tracks) {
    if (track.of >= 0 || arrangement.hidden.has(track.id) || pinned.includes(track) || !passes(track)) continue;
    const helper = helpers.get(track.id);
    const process = helper?.process ?? track.process;
    let group = processes.get(process);
    if (!group) processes.set(process, (group = { threads: [], others: [], idle: [] }));
    const kind = helper?.of === 'idle' ? 'idle' : helper || !ofThread(track) ? 'others' : 'threads';
    group[kind].push(together(track));
    if (ofThread(track)) shown++;
  }
  // The kernel's threads come in the order of their first event: put those of a process together.
  for (const { threads } of processes.values()) threads.sort((a, b) => pidOf(a.track) - pidOf(b.track));
  return { pinned: pinned.map(together), shown, of: (process) => processes.get(process) ?? NOTHING };
}

function pidOf({ kind, javaId }: Track): number {
  return kind === 'scheduled' ? javaId : 0;
}
