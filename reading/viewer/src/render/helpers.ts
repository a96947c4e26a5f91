import type { Recording, Track } from '../data/contract';

/** Threads of a Java program without a recorded call: those of the virtual machine itself, and others. */
export type HelperGroup = 'jvm' | 'idle';

export interface Helper {
  readonly of: HelperGroup;
  /** The recorded process that the thread belongs to. */
  readonly process: number;
}

/** HotSpot's names for its threads; the kernel cuts names after 15 characters. */
const OF_THE_MACHINE = new RegExp(
  '^(java$|GC Thread|G1 |ParGC|ZDirector|ZDriver|ZWorker|ZStat|ZUncommitter|ZUnmapper|Shenandoah|VM Thread|VM Periodic Tas|C[12] Compiler|' +
    'Reference Handl|Finalizer$|Signal Dispatch|Service Thread|Monitor Deflati|Common-Cleaner|Notification Th|Attach Listener|' +
    'DestroyJavaVM|VirtualThread-u|ArchiveWorkerTh|Sweeper thread|StringDedup|JFR )',
);

const KNOWN = new WeakMap<Recording['tracks'], ReadonlyMap<number, Helper>>();

/** The main tracks of helper threads. A single idle thread does not make a group: it stays among the others. */
export function helpersOf(recording: Recording): ReadonlyMap<number, Helper> {
  let helpers = KNOWN.get(recording.tracks);
  if (!helpers) KNOWN.set(recording.tracks, (helpers = found(recording)));
  return helpers;
}

function found({ tracks, processes }: Recording): ReadonlyMap<number, Helper> {
  const machines = processes.filter((process) => process.jvm !== '');
  const home = (track: Track) =>
    machines.find(
      ({ process, pid }) => process === track.process || (track.kind === 'scheduled' && pid === track.javaId),
    )?.process;
  const helpers = new Map<number, Helper>();
  const idle = new Map<number, number[]>();
  for (const track of tracks) {
    if (track.of >= 0 || (track.kind !== 'states' && track.kind !== 'scheduled')) continue;
    const process = home(track);
    if (process === undefined) continue;
    if (OF_THE_MACHINE.test(track.name)) helpers.set(track.id, { of: 'jvm', process });
    else idle.set(process, [...(idle.get(process) ?? []), track.id]);
  }
  for (const [process, ids] of idle) {
    if (ids.length > 1) ids.forEach((id) => helpers.set(id, { of: 'idle', process }));
  }
  return helpers;
}
