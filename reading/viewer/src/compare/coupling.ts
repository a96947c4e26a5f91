import type { Nanos } from '../base/time';
import { MIN_SPAN, type TimeWindow } from '../base/window';

/** A new window of the recording with that index. */
export type Goal = readonly [index: number, window: TimeWindow];

/** Keeps windows of several recordings in step: with the distance they had when they were coupled, and equally long. */
export class Coupling {
  coupled = true;
  private readonly windows: Array<TimeWindow | undefined>;
  private offsets: Nanos[];

  /** `restored`: their first windows are those of an address, whose distances count. */
  constructor(
    count: number,
    private readonly restored = false,
  ) {
    this.windows = Array.from({ length: count }, () => undefined);
    this.offsets = this.windows.map(() => 0n);
  }

  /** Notes that one window was moved; returns the new windows of the others. */
  moved(index: number, window: TimeWindow): readonly Goal[] {
    // The first window of a page is its whole recording, and does not move the others.
    const first = this.windows[index] === undefined;
    this.windows[index] = window;
    if (first && this.restored) this.measure();
    if (first || !this.coupled) return [];
    const base = window.start - this.offsets[index]!;
    const goals: Goal[] = [];
    this.windows.forEach((known, other) => {
      if (other === index || !known) return;
      const goal = { ...window, start: base + this.offsets[other]! };
      this.windows[other] = goal;
      goals.push([other, goal]);
    });
    return goals;
  }

  toggle(): void {
    this.coupled = !this.coupled;
    if (this.coupled) this.measure();
  }

  /** Puts some windows at these places, and couples all as far apart as they are then. */
  align(goals: readonly Goal[]): void {
    for (const [index, window] of goals) this.windows[index] = window;
    this.coupled = true;
    this.measure();
  }

  private measure(): void {
    const first = this.windows.find((window) => window !== undefined)?.start ?? 0n;
    this.offsets = this.windows.map((window) => (window ? window.start - first : 0n));
  }
}

/** A call of the recording with that index, which is `whole` long. */
export interface PlacedCall {
  readonly index: number;
  readonly begin: Nanos;
  readonly duration: Nanos;
  readonly whole: Nanos;
}

/** Share of the window before the calls. */
const LEAD = 0.1;
/** How much longer than the longest call the windows are. */
const ROOM = 1.25;

function least(values: readonly Nanos[]): Nanos {
  return values.reduce((a, b) => (b < a ? b : a));
}

/** Equally long windows in which all calls begin at the same place, as far as the recordings reach. */
export function together(calls: readonly PlacedCall[]): readonly Goal[] {
  if (calls.length === 0) return [];
  const before = least(calls.map(({ begin }) => begin));
  const after = least(calls.map(({ begin, whole }) => (whole > begin ? whole - begin : 0n)));
  const longest = Math.max(...calls.map(({ duration }) => Number(duration)));
  const span = Math.max(MIN_SPAN, Math.min(Math.ceil(longest * ROOM) + 20, Number(before + after)));
  const lead = Math.min(Number(before), Math.max(Math.round(span * LEAD), span - Number(after)));
  return calls.map(({ index, begin }) => [index, { start: begin - BigInt(lead), part: 0, span }]);
}
