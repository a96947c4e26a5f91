import type { Address, Place } from '../base/address';
import type { Nanos } from '../base/time';
import type { Recording } from '../data/contract';

/** The address that shows in a recording what another shows in one that was made of the same events. */
export function carried(address: Address, before: Recording, after: Recording): Address {
  const shift = before.wallBegin - after.wallBegin;
  const time = (at: Nanos) => at + shift;
  const track = mapped(before.tracks, after.tracks, trackKeys(before), trackKeys(after));
  const process = mapped(before.processes, after.processes, processKey, processKey);
  const all = (list: readonly number[] | undefined, map: ReadonlyMap<number, number>) =>
    (list ?? []).flatMap((each) => map.get(each) ?? []);
  const stretch = (of: { readonly from?: Nanos; readonly to?: Nanos } | undefined) => {
    if (of?.from === undefined || of.to === undefined) return undefined;
    const from = time(of.from) < 0n ? 0n : time(of.from);
    const to = time(of.to) > after.duration ? after.duration : time(of.to);
    return from < to ? { from, to } : undefined;
  };
  const placed = <T extends { readonly track: number }>(place: T | undefined) => {
    const there = place && track.get(place.track);
    return there === undefined ? undefined : { ...place!, track: there };
  };
  const { from: _from, to: _to, method: _method, top, selected, events, path, range, ...rest } = address;
  return {
    ...rest,
    ...stretch(address),
    ...given('top', placed(top)),
    ...given('selected', moved(placed(selected), time, after.duration)),
    ...given('events', both(placed(events), stretch(events))),
    ...given('path', both(placed(path), stretch(path))),
    ...given('range', stretch(range)),
    open: all(address.open, track),
    rangeTracks: all(address.rangeTracks, track),
    pinned: all(address.pinned, track),
    hidden: all(address.hidden, track),
    foldedCrowds: all(address.foldedCrowds, track),
    folded: all(address.folded, process),
    foldedGroups: all(address.foldedGroups, process),
    foldedIdle: all(address.foldedIdle, process),
  };
}

function given<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

function both<A, B>(place: A | undefined, stretch: B | undefined): (A & B) | undefined {
  return place && stretch && { ...place, ...stretch };
}

function moved(place: Place | undefined, time: (at: Nanos) => Nanos, duration: Nanos): Place | undefined {
  const at = place && time(place.time);
  return at === undefined || at < 0n || at > duration ? undefined : { ...place!, time: at };
}

/** Numbers of what is in both, from those before to those after. */
function mapped<T>(
  before: readonly T[],
  after: readonly T[],
  keyBefore: (of: T) => string,
  keyAfter: (of: T) => string,
): ReadonlyMap<number, number> {
  const there = new Map(after.map((each, i) => [keyAfter(each), i]));
  return new Map(
    before.flatMap((each, i) => {
      const now = there.get(keyBefore(each));
      return now === undefined ? [] : [[i, now] as const];
    }),
  );
}

function processKey({ pid, command }: Recording['processes'][number]): string {
  return `${pid} ${command}`;
}

/** What a track is, whatever its number. */
function trackKeys(recording: Recording): (track: Recording['tracks'][number]) => string {
  const pids = new Map(recording.processes.map(({ process, pid }) => [process, pid]));
  return ({ process, kind, tid, javaId, name }) => `${pids.get(process) ?? ''} ${kind} ${tid} ${javaId} ${name}`;
}
