/** How recordings of one side differ from those of another, as the server and `kymo diff -o` say it. */
export interface Differences {
  readonly base: readonly SideRecording[];
  readonly new: readonly SideRecording[];
  /** New times are `factor` times as long, by the middle one of some methods. */
  readonly drift: { readonly factor: number; readonly methods: number };
  readonly threads: readonly Role[];
  readonly findings: readonly Finding[];
  readonly uncertain: readonly Finding[];
  /** Methods that were only counted in some of the recordings. */
  readonly counted: readonly string[];
  readonly trees: readonly Tree[];
  readonly names: readonly string[];
  /** Only in pages that `kymo diff` writes. */
  readonly gate?: ReadonlyArray<{ readonly rule: string; readonly holds: boolean; readonly broken: readonly string[] }>;
}

export interface SideRecording {
  readonly recording: string;
  /** Nanoseconds. */
  readonly duration: number;
  readonly events: number;
}

/** Threads that do the same; times are nanoseconds in all their calls. */
export interface Role {
  readonly name: string;
  readonly inBase: string | null;
  readonly inNew: string | null;
  readonly base: number;
  readonly new: number;
  readonly threadsInBase: number;
  readonly threadsInNew: number;
  readonly lossy: boolean;
}

/** How calls of a method differ. */
export interface Finding {
  readonly title: string;
  readonly method: string;
  /** The role of its threads. */
  readonly threads: string;
  /** Methods from the outermost caller on. */
  readonly path: readonly string[];
  /** Nanoseconds that the new side took longer. */
  readonly weight: number;
  /** The heaviest first. */
  readonly parts: readonly Part[];
}

export interface Part {
  readonly text: string;
  readonly weight: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly verdict: 'exact' | 'once' | 'certain' | 'uncertain' | 'incomplete';
  readonly longestInBase: string | null;
  readonly longestInNew: string | null;
  /** The call to show in the base, and that in the new one; only from a server. */
  readonly at?: readonly [CallPlace | null, CallPlace | null];
}

/** A call in the picture of one of the recordings. */
export interface CallPlace {
  readonly track: number;
  readonly depth: number;
  /** Nanoseconds; as text, because numbers are exact only up to 2^53. */
  readonly begin: string;
  readonly duration: string;
  readonly method: string;
  /** 0 = a call of what differs; otherwise that of the caller so many levels above: there is none of what differs. */
  readonly above: number;
}

/** The calls of threads of a role. */
export interface Tree {
  readonly name: string;
  /** In preorder: depth, index of the name, calls, total and self time of the base, and of the new side. */
  readonly nodes: ReadonlyArray<readonly [number, number, number, number, number, number, number, number]>;
}

/** The differences in their order: those that are certain, then the first of those that may be chance. */
export function shownOf({ findings, uncertain }: Pick<Differences, 'findings' | 'uncertain'>): readonly Finding[] {
  return [...findings, ...uncertain.slice(0, MOST_UNCERTAIN)];
}

export const MOST_UNCERTAIN = 50;

/** The place after or before one, of the certain ones or, if there are none, of all; undefined if there is nothing. */
export function stepped(from: number | undefined, by: 1 | -1, certain: number, all: number): number | undefined {
  const count = certain || all;
  if (count === 0) return undefined;
  if (from === undefined || from >= count) return by > 0 ? 0 : count - 1;
  return (from + by + count) % count;
}

/** The methods that certainly take longer (1) or less (-1), with all their differences added up. */
export function signsOf({ findings }: Pick<Differences, 'findings'>): ReadonlyArray<readonly [string, number]> {
  const weights = new Map<string, number>();
  for (const { method, weight } of findings) weights.set(method, (weights.get(method) ?? 0) + weight);
  return [...weights].filter(([, weight]) => weight !== 0).map(([method, weight]) => [method, Math.sign(weight)]);
}
