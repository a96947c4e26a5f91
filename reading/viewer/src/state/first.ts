import type { Nanos } from '../base/time';
import { type TimeWindow, windowOf } from '../base/window';
import type { Recording, Track } from '../data/contract';
import { crowdsOf } from '../render/crowds';
import { helpersOf } from '../render/helpers';

/** The first view of a recording. */
export interface FirstPicture {
  readonly window: TimeWindow;
  /** The busiest thread; it is unfolded. */
  readonly busiest: number | undefined;
  /** Processes whose virtual machine is folded, and those whose idle threads are. */
  readonly foldedGroups: ReadonlySet<number>;
  readonly foldedIdle: ReadonlySet<number>;
  /** All crowds. */
  readonly foldedCrowds: ReadonlySet<number>;
}

/** Idle time at both ends is left out only if it is at least this share of the recording. */
const IDLE_SHARE = 0.1;
/** The margin beside the activity is one part in this many of it. */
const MARGIN_SHARE = 50n;

export function firstPicture(recording: Recording): FirstPicture {
  const { tracks } = recording;
  const crowds = crowdsOf(recording);
  const machines = tracks.filter((track) => track.kind === 'jvm' && track.of < 0).map((track) => track.process);
  const helpers = [...helpersOf(recording).values()];
  const folded = (of: 'jvm' | 'idle') => helpers.filter((helper) => helper.of === of).map((helper) => helper.process);
  return {
    window: windowOfActivity(recording),
    busiest: busiestOf(tracks.filter((track) => !crowds.has(track.id))),
    foldedCrowds: new Set([...crowds.values()].map((crowd) => crowd.key)),
    foldedGroups: new Set([...machines, ...folded('jvm')]),
    foldedIdle: new Set(folded('idle')),
  };
}

/** The time of the program's activity: its calls and own events, or else what the kernel did with its threads. */
function windowOfActivity(recording: Recording): TimeWindow {
  const { tracks, duration } = recording;
  const whole = windowOf(0n, duration);
  const own = tracks.filter((track) => track.kind === 'calls' && workOf(track) > 0);
  const active = own.length > 0 ? own : tracks.filter((track) => track.kind === 'scheduled' && track.events > 0);
  if (active.length === 0) return whole;
  const begin = active.reduce((least, track) => (track.begin < least ? track.begin : least), duration);
  const end = active.reduce((most, track) => (track.end > most ? track.end : most), 0n);
  if (end <= begin || Number(duration - (end - begin)) < IDLE_SHARE * Number(duration)) return whole;
  const margin = (end - begin) / MARGIN_SHARE;
  return windowOf(atLeast(0n, begin - margin), end + margin < duration ? end + margin : duration);
}

function atLeast(least: Nanos, time: Nanos): Nanos {
  return time < least ? least : time;
}

/** The thread with the most calls, drawn or counted, and events of its own; among equals, the first. */
function busiestOf(tracks: readonly Track[]): number | undefined {
  let busiest: Track | undefined;
  for (const track of tracks) {
    if (track.kind !== 'calls' || track.depth === 0) continue;
    if (!busiest || workOf(track) > workOf(busiest)) busiest = track;
  }
  return busiest?.id;
}

function workOf({ calls, counted, instants = 0 }: Track): number {
  return calls + counted + instants;
}
