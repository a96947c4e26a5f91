import type { Hit } from '../render/hit';
import type { Frame } from '../render/overlay';
import type { Model } from './model';

/** The frame around what the pointer is on. */
export function frameOfHit(hit: Hit | undefined): Frame | undefined {
  return hit?.kind === 'slice' ? hit : undefined;
}

/** The frame around the selected call, if its thread is among the rows. */
export function frameOfSelection(model: Model): Frame | undefined {
  const { call } = model;
  if (!call) return undefined;
  const row = model.layout.byTrack.get(call.track);
  return row && { row, track: call.track, depth: call.depth, begin: call.begin, end: call.end };
}
