import type { Nanos } from '../base/time';
import type { TimeWindow } from '../base/window';

/** Keeps windows of several recordings in step: with the distance they had when they were coupled, and equally long. */
export class Coupling {
  coupled = true;
  private readonly windows: Array<TimeWindow | undefined>;
  private offsets: Nanos[];

  constructor(count: number) {
    this.windows = Array.from({ length: count }, () => undefined);
    this.offsets = this.windows.map(() => 0n);
  }

  /** Notes that one window was moved; returns the new windows of the others. */
  moved(index: number, window: TimeWindow): ReadonlyArray<readonly [index: number, window: TimeWindow]> {
    // The first window of a page is its whole recording, and does not move the others.
    const first = this.windows[index] === undefined;
    this.windows[index] = window;
    if (first || !this.coupled) return [];
    const base = window.start - this.offsets[index]!;
    const goals: Array<readonly [number, TimeWindow]> = [];
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
    if (!this.coupled) return;
    const first = this.windows.find((window) => window !== undefined)?.start ?? 0n;
    this.offsets = this.windows.map((window) => (window ? window.start - first : 0n));
  }
}
