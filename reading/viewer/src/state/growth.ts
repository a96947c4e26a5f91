import { windowOf } from '../base/window';
import { LostError, RefusedError } from '../data/client';
import type { Nanos } from '../base/time';
import type { Model } from './model';

/** An event is to be on the screen within a quarter of a second. */
const ASK_MS = 100;
/** Threads get deeper and longer without a new one: so often the whole list is asked for again. */
const TRACKS_MS = 1000;
/** What one sees at first of a recording that is still being written. */
const FIRST_SPAN = 10_000_000_000n;

/** Follows a recording that is still being written. */
export class Growth {
  growing = false;
  /** The end stays in sight. */
  following = false;
  /** How much was read of a recording whose index is being made; 1 = all there is. */
  read = 1;
  private tracksAsked = 0;
  private timer: number | undefined;

  constructor(private readonly model: Model) {}

  /** Begins to ask, if there is anything to wait for. */
  start(follow: boolean): void {
    this.growing = this.model.recording?.growing ?? false;
    this.read = this.model.recording?.read ?? 1;
    clearTimeout(this.timer);
    if (!this.growing) return;
    if (follow) this.follow();
    this.again();
  }

  /** Goes to the end and stays there. */
  follow(): void {
    if (!this.growing) return;
    this.following = true;
    const { duration, window } = this.model;
    if (this.read < 1 && window.start === 0n) return this.showEnd(duration, duration);
    const span = BigInt(Math.round(window.span));
    this.showEnd(duration, span < FIRST_SPAN ? span : FIRST_SPAN);
  }

  /** Whoever looks around wants the picture to stand still. */
  pause(): void {
    this.following = false;
  }

  toggle(): void {
    if (this.following) this.pause();
    else this.follow();
    this.model.changed();
  }

  private again(): void {
    this.timer = window.setTimeout(() => void this.ask(), ASK_MS);
  }

  private async ask(): Promise<void> {
    const { model } = this;
    try {
      const { growing, read = 1, duration, tracks } = await model.client.growth();
      const known = model.recording!;
      const now = performance.now();
      const more = duration > known.duration || growing !== this.growing;
      if (tracks !== known.tracks.length || !growing || (more && now - this.tracksAsked > TRACKS_MS)) {
        this.tracksAsked = now;
        model.grown(await model.client.recording());
        void model.overview.load();
        void model.steps.load();
      } else if (more) {
        model.grown({ ...known, duration });
      }
      this.growing = growing;
      if (this.following && more) this.showEnd(model.duration, BigInt(Math.round(model.window.span)));
      this.read = growing ? read : 1;
      if (!growing) this.following = false;
    } catch (error) {
      // The picture's own questions tell of a lost server; it may come back.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
    if (this.growing) this.again();
    model.changed();
  }

  private showEnd(end: Nanos, span: Nanos): void {
    // What is all there is grows until it is as wide as one looks at first, or all was read.
    const begun = this.model.window.start === 0n && (end < FIRST_SPAN || this.read < 1);
    this.model.window = begun || end < span ? windowOf(0n, end) : windowOf(end - span, end);
    this.model.remember();
  }
}
