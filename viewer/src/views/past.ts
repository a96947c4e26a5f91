import type { TimeWindow } from '../base/window';

/** Where the picture stood still for so long, somebody has looked. */
const LOOKED_MS = 400;
const MOST = 100;

/** The windows that somebody has looked at, to go back to. */
export class Past {
  private readonly windows: TimeWindow[] = [];
  private now: TimeWindow | undefined;
  private since = 0;

  /**
   * The window has moved.
   *
   * @param at milliseconds
   */
  moved(window: TimeWindow, at: number): void {
    const { now } = this;
    if (now && now.start === window.start && now.span === window.span) return;
    if (now && at - this.since >= LOOKED_MS) {
      this.windows.push(now);
      if (this.windows.length > MOST) this.windows.shift();
    }
    this.now = window;
    this.since = at;
  }

  /** The window before; nothing if there is none. */
  back(at: number): TimeWindow | undefined {
    const window = this.windows.pop();
    if (window) {
      this.now = window;
      this.since = at;
    }
    return window;
  }
}
