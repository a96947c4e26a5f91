/** What the page of several recordings and the viewers in it tell each other, besides their windows. */
export type ViewerMessage = ShowMessage | AddressMessage;

/** To a viewer: select a call, and bring its row into sight. */
export interface ShowMessage {
  readonly kymo: 'show';
  readonly track: number;
  readonly depth: number;
  /** A time within the call; a bigint as text. */
  readonly time: string;
}

/** From a viewer: what its address would be if it were alone. */
export interface AddressMessage {
  readonly kymo: 'address';
  readonly hash: string;
}

const LONGEST_HASH = 100_000;

/** The message of a page of the same server; undefined for anything else. */
export function readViewerMessage(event: MessageEvent, origin: string): ViewerMessage | undefined {
  if (event.origin !== origin) return undefined;
  const data = (event.data ?? {}) as Record<string, unknown>;
  if (data['kymo'] === 'address') {
    const { hash } = data;
    return typeof hash === 'string' && hash.length <= LONGEST_HASH ? { kymo: 'address', hash } : undefined;
  }
  if (data['kymo'] !== 'show') return undefined;
  const { track, depth, time } = data;
  if (!isIndex(track) || !isIndex(depth) || !isTime(time)) return undefined;
  return { kymo: 'show', track, depth, time };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value);
}
