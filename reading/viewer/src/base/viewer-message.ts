/** What the page of several recordings and the viewers in it tell each other, besides their windows. */
export type ViewerMessage =
  ShowMessage | AddressMessage | SelectedMessage | DrawnMessage | ScrolledMessage | ColoursMessage;

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

/** From a viewer: its reader has selected a call, or has selected nothing any more. */
export interface SelectedMessage {
  readonly kymo: 'selected';
  readonly call: Omit<ShowMessage, 'kymo'> | null;
}

/** From a viewer: where the selected call is drawn, in CSS pixels of its frame; null = out of sight, or none. */
export interface DrawnMessage {
  readonly kymo: 'drawn';
  readonly at: Box | null;
}

/** Either way: this track is at the upper edge of the rows, with so many CSS pixels of it above the edge. */
export interface ScrolledMessage {
  readonly kymo: 'scrolled';
  readonly track: number;
  readonly pixels: number;
}

/** To a viewer: colour these methods as slower (1) or faster (-1), all others grey; null = colour as usual. */
export interface ColoursMessage {
  readonly kymo: 'colours';
  readonly methods: ReadonlyArray<readonly [name: string, sign: number]> | null;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const LONGEST_HASH = 100_000;

/** The message of a page of the same server; undefined for anything else. */
export function readViewerMessage(event: MessageEvent, origin: string): ViewerMessage | undefined {
  if (event.origin !== origin) return undefined;
  const data = (event.data ?? {}) as Record<string, unknown>;
  switch (data['kymo']) {
    case 'address':
      return typeof data['hash'] === 'string' && data['hash'].length <= LONGEST_HASH
        ? { kymo: 'address', hash: data['hash'] }
        : undefined;
    case 'show': {
      const call = readCall(data);
      return call && { kymo: 'show', ...call };
    }
    case 'selected': {
      if (data['call'] === null) return { kymo: 'selected', call: null };
      const call = readCall(data['call']);
      return call && { kymo: 'selected', call };
    }
    case 'drawn': {
      if (data['at'] === null) return { kymo: 'drawn', at: null };
      const at = readBox(data['at']);
      return at && { kymo: 'drawn', at };
    }
    case 'scrolled': {
      const { track, pixels } = data;
      return isIndex(track) && isFinite(pixels) ? { kymo: 'scrolled', track, pixels } : undefined;
    }
    case 'colours': {
      const { methods } = data;
      return methods === null || (Array.isArray(methods) && methods.every(isSign))
        ? { kymo: 'colours', methods }
        : undefined;
    }
    default:
      return undefined;
  }
}

function readCall(data: unknown): Omit<ShowMessage, 'kymo'> | undefined {
  const { track, depth, time } = (data ?? {}) as Record<string, unknown>;
  return isIndex(track) && isIndex(depth) && isTime(time) ? { track, depth, time } : undefined;
}

function readBox(data: unknown): Box | undefined {
  const { left, right, top, bottom } = (data ?? {}) as Record<string, unknown>;
  return isFinite(left) && isFinite(right) && isFinite(top) && isFinite(bottom)
    ? { left, right, top, bottom }
    : undefined;
}

function isSign(value: unknown): value is readonly [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && (value[1] === 1 || value[1] === -1);
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value);
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value);
}
