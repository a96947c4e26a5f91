import type { Recording } from '../data/contract';
import { helpersOf } from './helpers';

/** A large group of similar threads of a process: its virtual threads, or those whose names differ only in numbers. */
export interface Crowd {
  /** The first of its tracks; links identify the crowd by it. */
  readonly key: number;
  readonly name: string;
  readonly process: number;
  readonly tracks: readonly number[];
}

/** Fewer threads are shown one by one. */
const MANY = 40;

const KNOWN = new WeakMap<Recording['tracks'], ReadonlyMap<number, Crowd>>();

/** Which tracks belong to a crowd. */
export function crowdsOf(recording: Recording): ReadonlyMap<number, Crowd> {
  let crowds = KNOWN.get(recording.tracks);
  if (!crowds) KNOWN.set(recording.tracks, (crowds = found(recording)));
  return crowds;
}

function found(recording: Recording): ReadonlyMap<number, Crowd> {
  const helpers = helpersOf(recording);
  const alike = new Map<string, { name: string; process: number; tracks: number[] }>();
  for (const track of recording.tracks) {
    if (track.of >= 0 || track.kind === 'jvm' || track.kind === 'cpu' || helpers.has(track.id)) continue;
    const stem = track.name.replace(/\d+/g, '*');
    const name = track.virtual ? 'Virtual threads' : stem;
    const key = `${track.process} ${track.virtual} ${name}`;
    const same = alike.get(key);
    if (same) same.tracks.push(track.id);
    else if (track.virtual || stem !== '') alike.set(key, { name, process: track.process, tracks: [track.id] });
  }
  const crowds = new Map<number, Crowd>();
  for (const { name, process, tracks } of alike.values()) {
    if (tracks.length < MANY) continue;
    const crowd = { key: tracks[0]!, name, process, tracks };
    tracks.forEach((track) => crowds.set(track, crowd));
  }
  return crowds;
}
