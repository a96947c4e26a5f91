import type { Address } from '../base/address';
import type { Nanos } from '../base/time';
import type { Recording } from '../data/contract';

export interface Range {
  readonly from: Nanos;
  readonly to: Nanos;
}

/** What the tables are about: a time range, threads; and the method that is marked everywhere. */
export class Selection {
  range: Range | undefined;
  tracks: ReadonlySet<number> = new Set();
  method: number | undefined;
  /** Without a range: the tables are about the window in sight, not about the whole recording. */
  follow = false;

  constructor(
    private readonly picture: { highlighted: ReadonlySet<number> | undefined },
    private readonly changed: () => void,
  ) {}

  /** Selects the time between two moments, whichever comes first. */
  selectRange(a: Nanos, b: Nanos): void {
    this.range = a === b ? undefined : a < b ? { from: a, to: b } : { from: b, to: a };
    this.changed();
  }

  clearRange(): void {
    this.range = undefined;
    this.changed();
  }

  toggleTrack(track: number): void {
    const tracks = new Set(this.tracks);
    if (!tracks.delete(track)) tracks.add(track);
    this.tracks = tracks;
    this.changed();
  }

  selectTracks(tracks: readonly number[]): void {
    this.tracks = new Set(tracks);
    this.changed();
  }

  clearTracks(): void {
    this.tracks = new Set();
    this.changed();
  }

  mark(method: number | undefined): void {
    this.method = method;
    this.picture.highlighted = method === undefined ? undefined : new Set([method]);
    this.changed();
  }

  setFollow(follow: boolean): void {
    this.follow = follow;
    this.changed();
  }

  /** Clears one part of the selection, the most casual one first; false if there was none. */
  clearOne(): boolean {
    if (this.range) this.clearRange();
    else if (this.method !== undefined) this.mark(undefined);
    else if (this.tracks.size > 0) this.clearTracks();
    else return false;
    return true;
  }

  address(): Pick<Address, 'range' | 'rangeTracks' | 'follow' | 'method'> {
    return {
      ...(this.range ? { range: this.range } : {}),
      ...(this.tracks.size > 0 ? { rangeTracks: [...this.tracks] } : {}),
      ...(this.follow ? { follow: true } : {}),
      ...(this.method === undefined ? {} : { method: this.method }),
    };
  }

  apply(address: Address, recording: Recording): void {
    const { range, rangeTracks, method } = address;
    const to = range && range.to > recording.duration ? recording.duration : range?.to;
    this.range = range && to !== undefined && range.from < to ? { from: range.from, to } : undefined;
    this.tracks = new Set(rangeTracks?.filter((track) => track < recording.tracks.length));
    this.follow = address.follow ?? false;
    this.mark(method);
  }
}
