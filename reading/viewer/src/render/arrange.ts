import type { Process, Recording, Track } from '../data/contract';

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
  /** Processes with only their heading shown. */
  readonly folded: ReadonlySet<number>;
  /** Processes whose virtual machine's tracks are hidden. */
  readonly foldedGroups: ReadonlySet<number>;
  /** Processes whose threads without a recorded call are hidden. */
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

/** Threads of the same rank keep the recorded order. */
export function sorted<T extends { readonly track: Track }>(threads: readonly T[], sort: Sort): readonly T[] {
  return sort === 'recorded' ? threads : [...threads].sort((a, b) => ORDERS[sort](a.track, b.track));
}

/** A word of a filter: the threads of the process with this number. */
const PID = /^pid:(\d+)$/;

/**
 * What a filter lets through: threads whose name and number contain all of its words, or, between
 * slashes, match a regular expression. An incomplete expression lets everything through.
 * A word such as `pid:4711` lets the threads of that process through.
 */
export function filterOf(filter: string, processes: readonly Process[] = []): (track: Track) => boolean {
  const expression = /^\s*\/(.+?)\/?\s*$/.exec(filter);
  if (expression) {
    const pattern = compiled(expression[1]!);
    return (track) => pattern === undefined || pattern.test(textOf(track));
  }
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const names = words.filter((word) => !PID.test(word));
  const pids = words.flatMap((word) => PID.exec(word)?.[1] ?? []);
  return (track) => {
    const text = textOf(track).toLowerCase();
    return names.every((word) => text.includes(word)) && pids.every((pid) => pidOf(track, processes) === Number(pid));
  };
}

/** The number of the process whose thread a track shows. */
function pidOf({ kind, process, javaId }: Track, processes: readonly Process[]): number | undefined {
  return kind === 'scheduled' ? javaId : processes.find((each) => each.process === process)?.pid;
}

/** Numbers of the recorded processes, and of others whose threads the kernel reported. */
export function pidsOf({ processes, tracks }: Recording): readonly number[] {
  const pids = new Set(processes.map(({ pid }) => pid));
  for (const track of tracks) if (track.kind === 'scheduled' && track.of < 0) pids.add(track.javaId);
  return [...pids].filter((pid) => pid > 0).sort((a, b) => a - b);
}

/** The words of a filter that are about names. */
export function namesIn(filter: string): string {
  return filter
    .split(/\s+/)
    .filter((word) => !PID.test(word))
    .join(' ');
}

/** A filter with another process, or without one. */
export function withPid(filter: string, pid: string): string {
  const names = namesIn(filter).trim();
  // A regular expression takes the whole filter.
  const kept = names.startsWith('/') ? '' : names;
  return [kept, pid === '' ? '' : `pid:${pid}`].join(' ').trim();
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
