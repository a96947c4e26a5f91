import type { Call, Caller } from '../contract';
import { NESTED, type TrackCalls } from './track';

/** Everything about the call that is running at a depth and time. */
export function callAt(track: TrackCalls, depth: number, time: number): Call | undefined {
  const call = track.covering(depth, time, time);
  if (call === undefined) return undefined;
  const begin = track.begin[call]!;
  const end = track.end[call]!;
  const callers: Caller[] = [];
  for (let above = 0; above < depth; above++) {
    const caller = track.covering(above, begin, end);
    if (caller !== undefined) callers.push(asCaller(track, caller));
  }
  const children = track.children(call);
  const childTime = children.reduce((sum, child) => sum + track.end[child]! - track.begin[child]!, 0);
  return {
    ...asCaller(track, call),
    track: track.id,
    depth,
    self: BigInt(end - begin - childTime),
    children: children.length,
    counted: track.counts.around(begin, end),
    flags: track.flags[call]! & ~NESTED,
    callers,
    ...(track.details ? { object: track.details.object[call]!, other: track.details.other[call]! } : {}),
  };
}

function asCaller(track: TrackCalls, call: number): Caller {
  return { method: track.method[call]!, begin: BigInt(track.begin[call]!), end: BigInt(track.end[call]!) };
}
