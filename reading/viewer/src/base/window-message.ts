import type { TimeWindow } from './window';

/** The message between a viewer and the page around it that shows several recordings: the window of one side. */
export interface WindowMessage {
  readonly kymo: 'window';
  /** A bigint as text: not every browser can send one. */
  readonly start: string;
  readonly part: number;
  readonly span: number;
}

export function written({ start, part, span }: TimeWindow): WindowMessage {
  return { kymo: 'window', start: String(start), part, span };
}

/** The window in a message from a page of the same server; undefined for anything else. */
export function readMessage(event: MessageEvent, origin: string): TimeWindow | undefined {
  if (event.origin !== origin) return undefined;
  const { kymo, start, part, span } = (event.data ?? {}) as Partial<WindowMessage>;
  if (kymo !== 'window' || typeof start !== 'string' || !/^-?\d{1,19}$/.test(start)) return undefined;
  if (typeof part !== 'number' || typeof span !== 'number' || !(part >= 0 && part < 1) || !(span > 0)) return undefined;
  return { start: BigInt(start), part, span };
}
