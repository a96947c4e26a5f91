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
  return {
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
    open: numbers(values.get('open')) ?? [],
    ...(selected ? { selected } : {}),
    filter: values.get('filter') ?? '',
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

function place(text: string | null): Place | undefined {
  const [track, depth, time, more] = text?.split(',') ?? [];
  if (more !== undefined || !track || !depth || !time) return undefined;
  if (![track, depth, time].every((part) => NUMBER.test(part))) return undefined;
  return { track: Number(track), depth: Number(depth), time: BigInt(time) };
}
