import type { Nanos } from '../base/time';
import type { PointsAnswer } from './contract';

/** Points that are fetched together. */
export const PAGE = 200;

/** Where executed instructions are irregular. */
export interface Point {
  readonly time: Nanos;
  readonly track: number;
  /** Place in the list of kinds. */
  readonly kind: number;
  readonly address: string;
  readonly module: string;
  readonly function: string;
  /** What else is known. */
  readonly text: string;
}

/** All points of a selection, of which some pages are here. */
export class PointList {
  private readonly pages: ReadonlyMap<number, readonly Point[]>;

  private constructor(
    readonly total: number,
    readonly kinds: PointsAnswer['kinds'],
    pages: ReadonlyMap<number, readonly Point[]>,
  ) {
    this.pages = pages;
  }

  static of(answer: PointsAnswer): PointList {
    return new PointList(answer.total, answer.kinds, new Map()).with(0, answer);
  }

  /** The same with another page. */
  with(page: number, answer: PointsAnswer): PointList {
    const points = answer.time.map((time, i) => ({
      time: BigInt(time),
      track: answer.track[i]!,
      kind: answer.kind[i]!,
      address: answer.address[i]!,
      module: answer.module[i]!,
      function: answer.function[i]!,
      text: answer.text[i]!,
    }));
    return new PointList(this.total, this.kinds, new Map([...this.pages, [page, points]]));
  }

  /** Undefined: its page is not here. */
  at(row: number): Point | undefined {
    return this.pages.get(Math.floor(row / PAGE))?.[row % PAGE];
  }

  /** The first page that is not here, of those with rows in a range. */
  missing(first: number, last: number): number | undefined {
    const end = Math.min(last, this.total - 1);
    for (let page = Math.floor(Math.max(0, first) / PAGE); page * PAGE <= end; page++) {
      if (!this.pages.has(page)) return page;
    }
    return undefined;
  }

  /** The rows that are here, in order. */
  rows(): number[] {
    return [...this.pages].sort(([a], [b]) => a - b).flatMap(([page, points]) => points.map((_, i) => page * PAGE + i));
  }
}
