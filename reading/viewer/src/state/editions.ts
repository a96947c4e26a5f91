import { LostError, RefusedError } from '../data/client';
import type { Recording } from '../data/contract';
import type { Core } from './core';

const ASK_MS = 500;

/** Notices that the server has something else in the place of this recording: a script that chooses from it was saved. */
export class Editions {
  /** What the server says of the next one; empty: nothing. */
  news = '';
  private timer: number | undefined;

  constructor(
    private readonly core: Core,
    /** Shows the next one. */
    private readonly show: (next: Recording) => void,
  ) {}

  /** Looks from now on, if there may be others. */
  start(): void {
    clearTimeout(this.timer);
    this.news = this.core.recording?.news ?? '';
    if (this.core.recording?.edition !== undefined) this.again();
  }

  private again(): void {
    this.timer = window.setTimeout(() => void this.ask(), ASK_MS);
  }

  private async ask(): Promise<void> {
    const { core } = this;
    try {
      const { edition, news = '' } = await core.client.growth();
      if (edition !== core.recording!.edition) return this.show(await core.client.recording());
      if (news !== this.news) {
        this.news = news;
        core.changed();
      }
    } catch (error) {
      // The picture's own requests report a lost server; it may come back.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
    }
    this.again();
  }
}
