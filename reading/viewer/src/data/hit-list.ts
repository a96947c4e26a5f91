import type { HitsAnswer, SearchAnswer } from './contract';

/** How many hits there are. */
export function hitsIn({ calls, events }: SearchAnswer): number {
  return calls + events;
}

/** Where to begin to read: a time, and the number of hits before it. */
export interface Entry {
  readonly at: bigint;
  readonly before: number;
}

/** The begin of the bucket that a time is in. The first bucket begins at 0 and also holds everything before. */
export function entryOf({ width, marks }: SearchAnswer, time: bigint): Entry {
  const bucket = Math.min(marks.length - 1, Math.max(0, Number(time / BigInt(width))));
  return entry(width, marks, bucket);
}

/** The begin of the bucket that holds the hit of a number; the first hit is 0. */
export function entryOfHit({ width, marks }: SearchAnswer, hit: number): Entry {
  let behind = 0;
  const bucket = marks.findIndex((count) => (behind += count) > hit);
  return entry(width, marks, bucket < 0 ? marks.length - 1 : bucket);
}

function entry(width: string, marks: readonly number[], bucket: number): Entry {
  const before = marks.slice(0, bucket).reduce((sum, count) => sum + count, 0);
  return { at: BigInt(Math.max(0, bucket)) * BigInt(width), before };
}

/** A call or event that was found. */
export interface Hit {
  readonly track: number;
  readonly depth: number;
  readonly method: number;
  readonly begin: bigint;
  readonly duration: number;
}

/** Number of hits kept; more are dropped at the far end. */
const MOST = 6000;

/** Part of the hits in order, which grows at both ends. A row is the number of its hit. */
export class HitList {
  private constructor(
    private readonly hits: readonly Hit[],
    readonly first: number,
  ) {}

  static of(first: number, page: HitsAnswer): HitList {
    return new HitList(unpacked(page), first);
  }

  get end(): number {
    return this.first + this.hits.length;
  }

  rows(): number[] {
    return this.hits.map((_, i) => this.first + i);
  }

  at(row: number): Hit | undefined {
    return this.hits[row - this.first];
  }

  has(row: number): boolean {
    return row >= this.first && row < this.end;
  }

  before(page: HitsAnswer): HitList {
    return new HitList([...unpacked(page), ...this.hits].slice(0, MOST), this.first - page.track.length);
  }

  after(page: HitsAnswer): HitList {
    const all = [...this.hits, ...unpacked(page)];
    const gone = Math.max(0, all.length - MOST);
    return new HitList(all.slice(gone), this.first + gone);
  }
}

function unpacked(page: HitsAnswer): Hit[] {
  return page.track.map((track, i) => ({
    track,
    depth: page.depth[i]!,
    method: page.method[i]!,
    begin: BigInt(page.begin[i]!),
    duration: page.duration[i]!,
  }));
}
