import { windowOf } from '../base/window';
import { LostError, RefusedError } from '../data/client';
import type { Nanos } from '../base/time';
import type { Core } from './core';
import type { Overview } from './overview';

/** An event must be on the screen within a quarter of a second. */
const ASK_MS = 100;
/** Threads get deeper and longer even without a new one: how often the whole list is requested again. */
const TRACKS_MS = 1000;
/** The first window of a recording that is still being written. */
const FIRST_SPAN = 10_000_000_000n;

/** Follows a recording that is still being written. */
export class Growth {
  growing = false;
  /** The share that was read of a recording whose index is being made, or of an imported file; 1 = everything. */
  read = 1;
  /** What is read is another tracer's file. */
  importing = false;
  private tracksAsked = 0;
  private timer: number | undefined;

  constructor(
    private readonly core: Core,
    private readonly overview: Overview,
  ) {}

  /** Starts to follow, if the recording grows. */
  start(follow: boolean): void {
    this.growing = this.core.recording?.growing ?? false;
    this.read = this.core.recording?.read ?? 1;
    this.importing = this.core.recording?.importing ?? false;
    clearTimeout(this.timer);
    if (!this.growing) return;
    if (follow) this.follow();
    this.again();
  }

  /** Goes to the end and stays there. */
  follow(): void {
    if (!this.growing) return;
    this.core.following = true;
    const { duration, window } = this.core;
    if (this.read < 1 && window.start === 0n) return this.showEnd(duration, duration);
    const span = BigInt(Math.round(window.span));
    this.showEnd(duration, span < FIRST_SPAN ? span : FIRST_SPAN);
  }

  /** Stops following, because the reader looks around. */
  pause(): void {
    this.core.following = false;
  }

  toggle(): void {
    if (this.core.following) this.pause();
    else this.follow();
    this.core.changed();
  }

  private again(): void {
    this.timer = window.setTimeout(() => void this.ask(), ASK_MS);
  }

  private async ask(): Promise<void> {
    const { core } = this;
    try {
      const { growing, read = 1, importing = false, duration, tracks } = await core.client.growth();
      const known = core.recording!;
      const now = performance.now();
      const more = duration > known.duration || growing !== this.growing;
      if (tracks !== known.tracks.length || !growing || (more && now - this.tracksAsked > TRACKS_MS)) {
        this.tracksAsked = now;
        core.grown(await core.client.recording());
        void this.overview.load();
        void core.steps.load();
      } else if (more) {
        core.grown({ ...known, duration });
      }
      this.growing = growing;
      if (this.core.following && more) this.showEnd(core.duration, BigInt(Math.round(core.window.span)));
      this.read = growing ? read : 1;
      this.importing = importing;
      if (!growing) this.core.following = false;
    } catch (error) {
      // The picture's own requests report a lost server; it may come back.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
    if (this.growing) this.again();
    core.changed();
  }

  private showEnd(end: Nanos, span: Nanos): void {
    // A window that shows everything grows until it is as wide as the first window, or everything was read.
    const begun = this.core.window.start === 0n && (end < FIRST_SPAN || this.read < 1);
    this.core.window = begun || end < span ? windowOf(0n, end) : windowOf(end - span, end);
    this.core.remember();
  }
}
