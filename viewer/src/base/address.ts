import type { Nanos } from './time';

/** A call's place in the picture. */
export interface Place {
  readonly track: number;
  readonly depth: number;
  /** A time within the call. */
  readonly time: Nanos;
}

/** What the address bar holds: a link shows others the same picture. */
export interface Address {
  readonly from?: Nanos;
  readonly to?: Nanos;
  readonly open: readonly number[];
  readonly selected?: Place;
  readonly filter: string;
  /** The time range that the tables are about. */
  readonly range?: { readonly from: Nanos; readonly to: Nanos };
  readonly rangeTracks?: readonly number[];
  /** Without a range: the tables are about the window. */
  readonly follow?: boolean;
  /** The method that is marked everywhere. */
  readonly method?: number;
  /** The tab of the panel, if it is open. */
  readonly panel?: string;
  readonly theme?: ThemeChoice;
}

export type ThemeChoice = 'light' | 'dark' | 'system';

const NUMBER = /^\d{1,18}$/;

export function writeAddress(address: Address): string {
  const parts: string[] = [];
  if (address.from !== undefined && address.to !== undefined) {
    parts.push(`from=${address.from}`, `to=${address.to}`);
  }
  if (address.open.length > 0) parts.push(`open=${address.open.join(',')}`);
  const place = address.selected;
  if (place) parts.push(`call=${place.track},${place.depth},${place.time}`);
  if (address.filter) parts.push(`filter=${encodeURIComponent(address.filter)}`);
  const { range } = address;
  if (range) parts.push(`sel=${range.from},${range.to}`);
  if (address.rangeTracks?.length) parts.push(`sel-tracks=${address.rangeTracks.join(',')}`);
  if (address.follow) parts.push('follow=true');
  if (address.method !== undefined) parts.push(`method=${address.method}`);
  if (address.panel) parts.push(`panel=${address.panel}`);
  if (address.theme) parts.push(`theme=${address.theme}`);
  return parts.join('&');
}

/** Reads an address; whatever is wrong in it is left out. */
export function readAddress(hash: string): Address {
  const values = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  const from = nanos(values.get('from'));
  const to = nanos(values.get('to'));
  const selected = place(values.get('call'));
  const theme = values.get('theme');
  const selection = range(values.get('sel'));
  const rangeTracks = numbers(values.get('sel-tracks'));
  const method = values.get('method');
  const panel = values.get('panel');
  return {
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
    open: numbers(values.get('open')) ?? [],
    ...(selected ? { selected } : {}),
    filter: values.get('filter') ?? '',
    ...(selection ? { range: selection } : {}),
    ...(rangeTracks?.length ? { rangeTracks } : {}),
    ...(values.get('follow') === 'true' ? { follow: true } : {}),
    ...(method !== null && NUMBER.test(method) ? { method: Number(method) } : {}),
    ...(panel !== null && /^[a-z]+$/.test(panel) ? { panel } : {}),
    ...(theme === 'light' || theme === 'dark' || theme === 'system' ? { theme } : {}),
  };
}

function nanos(text: string | null): Nanos | undefined {
  return text !== null && NUMBER.test(text) ? BigInt(text) : undefined;
}

function numbers(text: string | null): number[] | undefined {
  const parts = text?.split(',') ?? [];
  return parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : undefined;
}

function range(text: string | null): { from: Nanos; to: Nanos } | undefined {
  const [first, second, more] = text?.split(',') ?? [];
  const from = nanos(first ?? null);
  const to = nanos(second ?? null);
  if (more !== undefined || from === undefined || to === undefined || from >= to) return undefined;
  return { from, to };
}

function place(text: string | null): Place | undefined {
  const [track, depth, time, more] = text?.split(',') ?? [];
  if (more !== undefined || !track || !depth || !time) return undefined;
  if (![track, depth, time].every((part) => NUMBER.test(part))) return undefined;
  return { track: Number(track), depth: Number(depth), time: BigInt(time) };
}
