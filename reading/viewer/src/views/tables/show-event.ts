import { KERNEL, LOST, ofCall } from '../../base/event-groups';
import { beginOf, type Event } from '../../data/event-list';
import { mainTrack } from '../../render/groups';
import type { TrackRow } from '../../render/layout';
import type { Model } from '../../state/model';
import { reveal } from '../../state/reveal';
import { bringRow } from '../../state/scroller';

/** Selects the event of a row, and brings it into sight. */
export function showEvent(model: Model, event: Event): void {
  const { track, depth, time, kind, duration } = event;
  model.showTrack(track);
  if (ofCall(kind)) {
    reveal(model, track, depth, beginOf(event), BigInt(duration));
    return;
  }
  if (kind !== LOST && kind !== KERNEL) model.selectEvents({ track, from: time, to: time });
  model.bringIntoSight(time);
  goToRow(model, track);
}

/** Brings a track's row into sight. */
export function goToRow(model: Model, track: number): void {
  const row = rowOf(model, track);
  if (row) bringRow(row);
}

export function isRowInSight(model: Model, track: number): boolean {
  const row = rowOf(model, track);
  const scene = model.scene?.();
  return (
    row !== undefined && scene !== undefined && row.top >= scene.scrollTop && row.top < scene.scrollTop + scene.height
  );
}

function rowOf({ layout, recording }: Model, track: number): TrackRow | undefined {
  return layout.byTrack.get(track) ?? layout.byTrack.get(mainTrack(recording!, track));
}
