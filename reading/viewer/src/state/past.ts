import type { TimeWindow } from '../base/window';

/** Movements that follow each other faster are one: a turn of the wheel, a drag, a key held down. */
const PAUSE_MS = 600;
const MOST = 200;

/** Where one has looked before, so that zooming and moving can be undone. */
export class Past {
  private readonly windows: TimeWindow[] = [];
  private moved = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes the window that a movement begins with; says whether it is a movement of its own. */
  leave(window: TimeWindow): boolean {
    const now = this.now();
    const going = now - this.moved < PAUSE_MS;
    this.moved = now;
    if (going) return false;
    if (this.windows.at(-1) !== window) this.windows.push(window);
    if (this.windows.length > MOST) this.windows.shift();
    return true;
  }

  /** The window before the last movement, if there was one; what moves next is another movement. */
  back(): TimeWindow | undefined {
    this.moved = -Infinity;
    return this.windows.pop();
  }

  clear(): void {
    this.windows.length = 0;
    this.moved = -Infinity;
  }
}
