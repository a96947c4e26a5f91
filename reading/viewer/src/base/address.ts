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
  /** Nothing is set except the theme: the reader has just opened the recording. */
  readonly first?: true;
  /** The track at the upper edge of the picture, and how many pixels of its row are above the edge. */
  readonly top?: { readonly track: number; readonly pixels: number };
  readonly open: readonly number[];
  readonly selected?: Place;
  /** Selected events of the program's own. */
  readonly events?: { readonly track: number; readonly from: Nanos; readonly to: Nanos };
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
  readonly pinned?: readonly number[];
  readonly hidden?: readonly number[];
  /** Processes whose threads are folded away. */
  readonly folded?: readonly number[];
  /** Processes whose virtual machine's tracks are folded away. */
  readonly foldedGroups?: readonly number[];
  /** Processes whose threads without a recorded call are folded away. */
  readonly foldedIdle?: readonly number[];
  /** Crowds of threads that are one row. */
  readonly foldedCrowds?: readonly number[];
  readonly sort?: string;
  readonly search?: string;
  /** The kinds of waiting whose arrows are shown, if not all; `none`. */
  readonly arrows?: string;
  /** The groups of events that are listed and stand out, if not all. */
  readonly kinds?: string;
  /** What the names of events have to match. */
  readonly only?: string;
  /** What kind of tracks the tables are about, if not calls. */
  readonly about?: string;
  /** Corrected times are shown beside the measured ones. */
  readonly corrected?: boolean;
  /** The stretch of a thread whose critical path is shown. */
  readonly path?: { readonly track: number; readonly from: Nanos; readonly to: Nanos };
  /** The flame graph is drawn from the inside out. */
  readonly inverted?: boolean;
  /** What the flame graph shows, if somebody has chosen. */
  readonly flame?: 'calls' | 'samples';
  /** The kinds of samples that were chosen, by name. */
  readonly samples?: readonly string[];
  /** What samples are weighed by, if not their number. */
  readonly unit?: string;
  /** The question in SQL whose answer is shown. */
  readonly sql?: string;
  /** How its answer is shown, if not as a table. */
  readonly sqlAs?: string;
  /** What statistics, the matrix and the shares of time show, if somebody has chosen: words with commas. */
  readonly statistics?: string;
  readonly matrix?: string;
  readonly shares?: string;
  readonly theme?: ThemeChoice;
}

export type ThemeChoice = 'light' | 'dark' | 'system';

/** More selected threads than this were not selected one by one. */
const MANY = 40;
const NUMBER = /^\d{1,18}$/;

export function writeAddress(address: Address): string {
  const parts: string[] = [];
  if (address.from !== undefined && address.to !== undefined) {
    parts.push(`from=${address.from}`, `to=${address.to}`);
  }
  if (address.open.length > 0) parts.push(`open=${compact(address.open)}`);
  if (address.top) parts.push(`top=${address.top.track},${address.top.pixels}`);
  const place = address.selected;
  if (place) parts.push(`call=${place.track},${place.depth},${place.time}`);
  const { events, path } = address;
  if (events) parts.push(`events=${events.track},${events.from},${events.to}`);
  if (path) parts.push(`path=${path.track},${path.from},${path.to}`);
  if (address.filter) parts.push(`filter=${encodeURIComponent(address.filter)}`);
  if (address.pinned?.length) parts.push(`pin=${address.pinned.join(',')}`);
  if (address.hidden?.length) parts.push(`hide=${compact(address.hidden)}`);
  if (address.folded?.length) parts.push(`fold=${compact(address.folded)}`);
  if (address.foldedGroups?.length) parts.push(`fold-jvm=${compact(address.foldedGroups)}`);
  if (address.foldedIdle?.length) parts.push(`fold-idle=${compact(address.foldedIdle)}`);
  if (address.foldedCrowds?.length) parts.push(`fold-crowd=${compact(address.foldedCrowds)}`);
  if (address.sort) parts.push(`order=${address.sort}`);
  if (address.search) parts.push(`search=${encodeURIComponent(address.search)}`);
  const { range } = address;
  if (range) parts.push(`sel=${range.from},${range.to}`);
  if (address.rangeTracks?.length)
    parts.push(
      `sel-tracks=${address.rangeTracks.length > MANY ? compact(address.rangeTracks) : address.rangeTracks.join(',')}`,
    );
  if (address.follow) parts.push('follow=true');
  if (address.method !== undefined) parts.push(`method=${address.method}`);
  if (address.panel) parts.push(`panel=${address.panel}`);
  if (address.about) parts.push(`about=${address.about}`);
  if (address.corrected) parts.push('corrected=true');
  if (address.inverted) parts.push('inverted=true');
  if (address.flame) parts.push(`flame=${address.flame}`);
  for (const kind of address.samples ?? []) parts.push(`samples=${encodeURIComponent(kind)}`);
  if (address.unit) parts.push(`unit=${encodeURIComponent(address.unit)}`);
  for (const name of ['statistics', 'matrix', 'shares'] as const)
    if (address[name]) parts.push(`${name}=${address[name]}`);
  if (address.arrows) parts.push(`arrows=${address.arrows}`);
  if (address.kinds) parts.push(`kinds=${address.kinds}`);
  if (address.only) parts.push(`only=${encodeURIComponent(address.only)}`);
  if (address.sql) parts.push(`sql=${encodeURIComponent(address.sql)}`);
  if (address.sqlAs) parts.push(`sql-as=${address.sqlAs}`);
  // An empty address means that the reader has just opened the recording.
  if (parts.length === 0 && !address.first) parts.push('view=whole');
  if (address.theme) parts.push(`theme=${address.theme}`);
  return parts.join('&');
}

/** Reads an address and leaves out whatever is wrong in it. */
export function readAddress(hash: string): Address {
  const values = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  const from = nanos(values.get('from'));
  const to = nanos(values.get('to'));
  const selected = place(values.get('call'));
  const events = stretch(values.get('events'));
  const path = stretch(values.get('path'));
  const theme = values.get('theme');
  const selection = range(values.get('sel'));
  const rangeTracks = numbers(values.get('sel-tracks'));
  const method = values.get('method');
  const panel = values.get('panel');
  const [pinned, hidden, folded, foldedGroups, foldedIdle, foldedCrowds] = [
    'pin',
    'hide',
    'fold',
    'fold-jvm',
    'fold-idle',
    'fold-crowd',
  ].map((name) => numbers(values.get(name)));
  const [about, arrows, kinds, only, unit] = ['about', 'arrows', 'kinds', 'only', 'unit'].map((name) =>
    values.get(name),
  );
  const flame = values.get('flame');
  const [statistics, matrix, shares] = ['statistics', 'matrix', 'shares'].map((name) => values.get(name));
  const samples = values.getAll('samples').filter((name) => name !== '');
  const [sql, sqlAs] = [values.get('sql'), values.get('sql-as')];
  const [sort, search] = [values.get('order'), values.get('search')];
  const top = topOf(values.get('top'));
  return {
    ...([...values.keys()].every((name) => name === 'theme') ? { first: true as const } : {}),
    ...(top ? { top } : {}),
    ...(pinned?.length ? { pinned } : {}),
    ...(hidden?.length ? { hidden } : {}),
    ...(folded?.length ? { folded } : {}),
    ...(foldedGroups?.length ? { foldedGroups } : {}),
    ...(foldedIdle?.length ? { foldedIdle } : {}),
    ...(foldedCrowds?.length ? { foldedCrowds } : {}),
    ...(about ? { about } : {}),
    ...(arrows ? { arrows } : {}),
    ...(kinds ? { kinds } : {}),
    ...(only ? { only } : {}),
    ...(values.get('corrected') === 'true' ? { corrected: true } : {}),
    ...(values.get('inverted') === 'true' ? { inverted: true } : {}),
    ...(flame === 'calls' || flame === 'samples' ? { flame } : {}),
    ...(samples.length > 0 ? { samples } : {}),
    ...(unit ? { unit } : {}),
    ...(sql ? { sql } : {}),
    ...(sqlAs ? { sqlAs } : {}),
    ...(statistics ? { statistics } : {}),
    ...(matrix ? { matrix } : {}),
    ...(shares ? { shares } : {}),
    ...(sort ? { sort } : {}),
    ...(search ? { search } : {}),
    ...(from !== undefined && to !== undefined && from < to ? { from, to } : {}),
    open: numbers(values.get('open')) ?? [],
    ...(selected ? { selected } : {}),
    ...(events ? { events } : {}),
    ...(path && path.from < path.to ? { path } : {}),
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

/** Numbers of a set in ascending order, three or more in a row as `4-9`. */
function compact(set: readonly number[]): string {
  const sorted = [...set].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length;) {
    let last = i;
    while (sorted[last + 1] === sorted[last]! + 1) last++;
    const row = last - i >= 2 ? [`${sorted[i]}-${sorted[last]}`] : sorted.slice(i, last + 1).map(String);
    parts.push(...row);
    i = last + 1;
  }
  return parts.join(',');
}

/** Nobody makes a view with a longer row of numbers. */
const MOST = 100_000;

function numbers(text: string | null): number[] | undefined {
  const all: number[] = [];
  for (const part of text?.split(',') ?? []) {
    const [first, last = first, more] = part.split('-');
    if (more !== undefined || !NUMBER.test(first!) || !NUMBER.test(last!)) return undefined;
    if (Number(last) - Number(first) > MOST) return undefined;
    for (let number = Number(first); number <= Number(last); number++) all.push(number);
  }
  return all;
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

function topOf(text: string | null): Address['top'] {
  const [track, pixels, more] = text?.split(',') ?? [];
  if (more !== undefined || ![track, pixels].every((part) => part !== undefined && NUMBER.test(part))) return undefined;
  return { track: Number(track), pixels: Number(pixels) };
}

function stretch(text: string | null): Address['events'] {
  const [track, from, to, more] = text?.split(',') ?? [];
  if (more !== undefined || ![track, from, to].every((part) => part !== undefined && NUMBER.test(part)))
    return undefined;
  const place = { track: Number(track), from: BigInt(from!), to: BigInt(to!) };
  return place.from <= place.to ? place : undefined;
}
