import type { Track } from '../data/contract';
import type { ThreadTracks } from './groups';

export const SORTS = ['recorded', 'name', 'start', 'calls', 'tid'] as const;
export type Sort = (typeof SORTS)[number];

export function isSort(text: string | undefined): text is Sort {
  return (SORTS as readonly (string | undefined)[]).includes(text);
}

/** How threads are arranged, besides the filter. */
export interface Arrangement {
  /** Threads above all others, in this order. */
  readonly pinned: readonly number[];
  readonly hidden: ReadonlySet<number>;
  /** Processes of which only the heading is shown. */
  readonly folded: ReadonlySet<number>;
  /** Processes of which what the virtual machine did is not shown. */
  readonly foldedGroups: ReadonlySet<number>;
  /** Processes of which threads without a recorded call are not shown. */
  readonly foldedIdle: ReadonlySet<number>;
  /** Crowds of threads that are shown as one row, by their keys. */
  readonly foldedCrowds: ReadonlySet<number>;
  readonly sort: Sort;
}

export const AS_RECORDED: Arrangement = {
  pinned: [],
  hidden: new Set(),
  folded: new Set(),
  foldedGroups: new Set(),
  foldedIdle: new Set(),
  foldedCrowds: new Set(),
  sort: 'recorded',
};

/** `worker-2` before `worker-10`. */
const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const ORDERS: Readonly<Record<Sort, (a: Track, b: Track) => number>> = {
  recorded: (a, b) => a.id - b.id,
  name: (a, b) => NAMES.compare(a.name, b.name),
  start: (a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : 0),
  calls: (a, b) => b.calls + b.counted - a.calls - a.counted,
  tid: (a, b) => a.tid - b.tid,
};

/** Those of the same rank stay as recorded. */
export function sorted(threads: readonly ThreadTracks[], sort: Sort): readonly ThreadTracks[] {
  return sort === 'recorded' ? threads : [...threads].sort((a, b) => ORDERS[sort](a.track, b.track));
}

/**
 * What a filter lets through: threads whose name and number contain all of its words, or, between
 * slashes, match a regular expression. An expression that is not whole yet lets everything through.
 */
export function filterOf(filter: string): (track: Track) => boolean {
  const expression = /^\s*\/(.+?)\/?\s*$/.exec(filter);
  if (expression) {
    const pattern = compiled(expression[1]!);
    return (track) => pattern === undefined || pattern.test(textOf(track));
  }
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (track) => {
    const text = textOf(track).toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function textOf(track: Track): string {
  return `${track.name} ${track.tid || ''}`.trimEnd();
}

function compiled(source: string): RegExp | undefined {
  try {
    return new RegExp(source, /[A-Z]/.test(source) ? '' : 'i');
  } catch {
    return undefined;
  }
}
