import type { NumberColumn } from './columns';

/** When the counters of a track were read, and how many calls came in between; one column per fact. */
export interface Periods {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly calls: readonly number[];
}

/** What was counted of one method in one way; times are nanoseconds. */
export interface Counted {
  readonly method: number;
  readonly mode: number;
  calls: number;
  timed: number;
  total: number;
  durations: number;
  max: number;
  /** Timed calls by duration. */
  readonly histogram: Map<number, number>;
  /** Where the thread's time went; undefined if no samples were taken. */
  readonly spent: Spent | undefined;
}

/** Where a thread's time went, estimated from samples: see `CountRecord.Spent`. */
export interface Spent {
  total: number;
  self: number;
  squares: number;
  interval: number;
  unplaced: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly counted: readonly Counted[];
}

/** What was counted of one track; calls between two readings are assumed to be spread evenly. */
export class TrackCounts {
  private constructor(
    readonly periods: Periods,
    private readonly spans: readonly Span[],
  ) {}

  /** Reads what `PackedCounts` has written about a track. */
  static read(periods: Periods, numbers: NumberColumn): TrackCounts {
    const edges = [...new Set([...periods.from, ...periods.to])].sort((a, b) => a - b);
    const spans: Span[] = [];
    for (let i = 1; i < edges.length; i++) {
      const counted = Array.from({ length: numbers.next() }, () => readCounted(numbers));
      spans.push({ from: edges[i - 1]!, to: edges[i]!, counted });
    }
    return new TrackCounts(periods, spans);
  }

  /** About how many calls were counted in a range; at least 1 if any may have been. */
  around(begin: number, end: number): number {
    const counted = this.between(begin, end).reduce((sum, { calls }) => sum + calls, 0);
    const { from, to } = this.periods;
    return counted === 0 && end > begin && from.some((first, i) => first <= end && to[i]! >= begin) ? 1 : counted;
  }

  /** What was counted in a range, by method and mode. */
  between(from: number, to: number): Counted[] {
    const found = new Map<string, Counted>();
    for (const span of this.spans) {
      const inside = Math.min(to, span.to) - Math.max(from, span.from);
      if (inside <= 0) continue;
      const share = inside / (span.to - span.from);
      for (const counted of span.counted) add(found, counted, share);
    }
    return [...found.values()]
      .map(whole)
      .filter(({ calls, timed, spent }) => calls > 0 || timed > 0 || (spent?.total ?? 0) > 0);
  }
}

function readCounted(numbers: NumberColumn): Counted {
  const [method, mode, calls, timed] = [numbers.next(), numbers.next(), numbers.next(), numbers.next()];
  const [total, durations, max] = [numbers.next(), numbers.next(), numbers.next()];
  const histogram = new Map<number, number>();
  for (let left = numbers.next(); left > 0; left--) histogram.set(numbers.next(), numbers.next());
  const spent = numbers.next() === 1 ? readSpent(numbers) : undefined;
  return { method, mode, calls, timed, total, durations, max, histogram, spent };
}

function readSpent(numbers: NumberColumn): Spent {
  const [total, self, root, interval, unplaced] = [
    numbers.next(),
    numbers.next(),
    numbers.next(),
    numbers.next(),
    numbers.next(),
  ];
  return { total, self, squares: root * root, interval, unplaced };
}

function add(found: Map<string, Counted>, counted: Counted, share: number): void {
  const { method, mode } = counted;
  const key = `${method} ${mode}`;
  let sum = found.get(key);
  if (!sum) {
    const spent = counted.spent && { total: 0, self: 0, squares: 0, interval: 0, unplaced: 0 };
    sum = { method, mode, calls: 0, timed: 0, total: 0, durations: 0, max: 0, histogram: new Map(), spent };
    found.set(key, sum);
  }
  sum.calls += counted.calls * share;
  sum.timed += counted.timed * share;
  sum.total += counted.total * share;
  sum.durations += counted.durations * share;
  sum.max = Math.max(sum.max, counted.max);
  if (sum.spent && counted.spent) addSpent(sum.spent, counted.spent, share);
  for (const [bucket, calls] of counted.histogram)
    sum.histogram.set(bucket, (sum.histogram.get(bucket) ?? 0) + calls * share);
}

function addSpent(sum: Spent, spent: Spent, share: number): void {
  sum.total += spent.total * share;
  sum.self += spent.self * share;
  sum.squares += spent.squares * share;
  sum.interval = Math.max(sum.interval, spent.interval);
  sum.unplaced += spent.unplaced * share;
}

/** Calls and nanoseconds are whole numbers. */
function whole(counted: Counted): Counted {
  const histogram = new Map([...counted.histogram].map(([bucket, calls]) => [bucket, Math.floor(calls)]));
  const [calls, timed] = [Math.floor(counted.calls), Math.floor(counted.timed)];
  const known = counted.spent;
  const spent = known && {
    ...known,
    total: Math.floor(known.total),
    self: Math.floor(known.self),
    unplaced: Math.floor(known.unplaced),
  };
  return {
    ...counted,
    spent,
    calls,
    timed,
    total: Math.floor(counted.total),
    durations: Math.floor(counted.durations),
    histogram,
  };
}
