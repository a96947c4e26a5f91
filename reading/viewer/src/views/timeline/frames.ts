import type { ArrowEnd } from '../../render/arrow';
import type { Hit } from '../../render/hit';
import type { Frame } from '../../render/overlay';
import type { Model } from '../../state/model';

/** The frame around what the pointer is on. */
export function frameOfHit(hit: Hit | undefined): Frame | undefined {
  return hit?.kind === 'slice' ? hit : undefined;
}

/** What the pointer is on, if arrows may lead there. */
export function endOfHit(hit: Hit | undefined): ArrowEnd | undefined {
  return hit?.kind === 'slice' || hit?.kind === 'mark' ? hit : undefined;
}

/** The selected call, or the selected events. */
export function endOfSelection(model: Model): ArrowEnd | undefined {
  const { place } = model.events;
  const row = place && model.layout.byTrack.get(place.track);
  return row ? { row, begin: place.from, end: place.to } : frameOfSelection(model);
}

/** The frame around the selected call, if its thread is among the rows. */
export function frameOfSelection(model: Model): Frame | undefined {
  const { call } = model;
  if (!call) return undefined;
  const row = model.layout.byTrack.get(call.track);
  return row && { row, track: call.track, depth: call.depth, begin: call.begin, end: call.end };
}
