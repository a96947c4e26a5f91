import type { Track } from '../data/contract';
import { mainTrack } from '../render/groups';
import type { Model } from './model';

/** What a thread is called: by the program if it tells of it, else by the kernel. */
export function nameOf(model: Model, track: number): string {
  const { recording } = model;
  return recording?.tracks[mainTrack(recording, track)]?.name ?? '';
}

/** The number that tells a track from others of its name. */
export function numberOf({ kind, virtual, javaId, tid }: Track): string {
  if (kind === 'jvm') return 'virtual machine';
  if (kind === 'cpu') return 'processor';
  if (kind === 'scheduled') return `tid ${tid}, pid ${javaId}`;
  return virtual ? `id ${javaId}` : `tid ${tid}`;
}

/** As short as it tells threads of the same name apart. */
export function shortNumberOf({ kind, virtual, javaId, tid }: Track): string {
  if (kind === 'scheduled') return `tid ${tid}`;
  return virtual || tid === 0 ? `id ${javaId}` : `tid ${tid}`;
}
