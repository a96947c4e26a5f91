import { grouped } from './time';

/** Flags of a slice, as the contract numbers them, and their texts. */
export const UNWOUND = 1;
export const OPEN_BEGIN = 2;
export const OPEN_END = 4;
export const INFERRED_END = 8;
export const LOSSY = 16;
/** Of a run: all its calls are of its method. */
export const SAME_METHOD = 32;

const WORDS: ReadonlyArray<readonly [flag: number, says: string]> = [
  [UNWOUND, 'ended by an exception'],
  [OPEN_BEGIN, 'was already running when the recording began; its begin is not known'],
  [OPEN_END, 'was still running when the recording ended; its end is not known'],
  [INFERRED_END, 'its leave is missing; the end is inferred from the call around it'],
  [LOSSY, 'events were lost while it ran; it may have called more than is shown'],
];

export function inWords(flags: number): string[] {
  return WORDS.filter(([flag]) => (flags & flag) !== 0).map(([, says]) => says);
}

/** What a gap lost. */
export function lossInWords(lost: number, unknown: boolean): string {
  if (unknown) return lost > 0 ? `at least ${events(lost)} lost` : 'events lost, number unknown';
  return lost > 0 ? `${events(lost)} lost` : 'events lost, counted with another thread';
}

function events(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'event' : 'events'}`;
}
