import type { TrackCalls } from './track';

/** A call, and where it is. */
export interface Place {
  readonly track: number;
  readonly depth: number;
  readonly begin: number;
  readonly duration: number;
}

export function placeOf(track: TrackCalls, call: number): Place {
  const begin = track.begin[call]!;
  return { track: track.id, depth: track.depth[call]!, begin, duration: track.end[call]! - begin };
}

/** The order of a recording: by begin, then by track, outer calls first. */
export function byPlace(a: Place, b: Place): number {
  return a.begin - b.begin || a.track - b.track || a.depth - b.depth;
}

export function longestFirst(a: Place, b: Place): number {
  return b.duration - a.duration || byPlace(a, b);
}

/** A point in time as the server writes it. */
export function timeText(time: number): string {
  return String(BigInt(time));
}
