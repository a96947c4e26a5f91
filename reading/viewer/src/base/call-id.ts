import type { Nanos } from './time';

/** As `kymo why` takes it: seconds with all digits. */
export function callId(
  call: { readonly depth: number; readonly begin: Nanos },
  track: { readonly process: number; readonly thread: number },
): string {
  const digits = call.begin.toString().padStart(10, '0');
  return `${track.process}/${track.thread}:${call.depth}@${digits.slice(0, -9)}.${digits.slice(-9)}`;
}
