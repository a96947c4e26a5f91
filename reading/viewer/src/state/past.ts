import type { TimeWindow } from '../base/window';

/** Movements with shorter pauses count as one: a turn of the wheel, a drag, a key held down. */
const PAUSE_MS = 600;
const MOST = 200;

/** The previous views, so that zooming and moving can be undone. */
export class Past {
  private readonly windows: TimeWindow[] = [];
  private moved = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Keeps the window at the begin of a movement; returns whether it is a new movement. */
  leave(window: TimeWindow): boolean {
    const now = this.now();
    const going = now - this.moved < PAUSE_MS;
    this.moved = now;
    if (going) return false;
    if (this.windows.at(-1) !== window) this.windows.push(window);
    if (this.windows.length > MOST) this.windows.shift();
    return true;
  }

  /** The window before the last movement, if there was one; the next movement is a new one. */
  back(): TimeWindow | undefined {
    this.moved = -Infinity;
    return this.windows.pop();
  }

  clear(): void {
    this.windows.length = 0;
    this.moved = -Infinity;
  }
}
