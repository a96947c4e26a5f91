import type { Track } from '../../data/contract';
import { mainTrack } from '../../render/groups';
import type { Model } from '../../state/model';

/** The name of a thread: from the program if it reported one, or else from the kernel. */
export function nameOf(model: Model, track: number): string {
  const { recording } = model;
  return recording?.tracks[mainTrack(recording, track)]?.name ?? '';
}

/** The number that distinguishes a track from others of the same name. */
export function numberOf({ kind, virtual, javaId, tid }: Track): string {
  if (kind === 'jvm') return 'virtual machine';
  if (kind === 'cpu') return 'processor';
  if (kind === 'scheduled') return `tid ${tid}, pid ${javaId}`;
  return virtual ? `id ${javaId}` : `tid ${tid}`;
}

/** The shortest number that distinguishes threads of the same name. */
export function shortNumberOf({ kind, virtual, javaId, tid }: Track): string {
  if (kind === 'scheduled') return `tid ${tid}`;
  return virtual || tid === 0 ? `id ${javaId}` : `tid ${tid}`;
}
