import type { Address } from '../base/address';
import type { FindQuestion } from '../data/client';
import { EVENT_DEPTH, LostError, RefusedError } from '../data/client';
import type { SearchAnswer } from '../data/contract';
import { Hits } from './hits';
import type { Core } from './core';
import { reveal } from './reveal';

/** Pause before a request: one request per letter would only keep the server busy. */
const PAUSE_MS = 160;

/** Searches methods by a regular expression, and steps through their calls. */
export class Search {
  shown = false;
  pattern = '';
  answer: SearchAnswer | undefined;
  /** An error, or that there is no further call. */
  message = '';
  busy = false;
  /** The share of the recording that was searched, while the server is busy. */
  progress: number | undefined;
  readonly hits: Hits;
  /** The reader wants to type, and did not only follow a link. */
  takesFocus = false;
  private asking: AbortController | undefined;
  private timer: number | undefined;

  constructor(private readonly core: Core) {
    this.hits = new Hits(core, this);
  }

  open(pattern?: string): void {
    this.shown = true;
    this.takesFocus = true;
    if (pattern !== undefined) this.look(pattern, 0);
    this.core.changedNow();
    const input = document.querySelector<HTMLInputElement>('#search');
    input?.focus();
    input?.select();
  }

  close(): void {
    this.shown = false;
    this.look('', 0);
  }

  look(pattern: string, after = PAUSE_MS): void {
    this.pattern = pattern;
    this.message = '';
    clearTimeout(this.timer);
    this.asking?.abort();
    this.busy = pattern !== '';
    this.progress = undefined;
    if (pattern === '') this.found(undefined);
    else this.timer = window.setTimeout(() => void this.ask(pattern), after);
    this.core.remember();
  }

  /** Applies the address bar. */
  apply({ search = '' }: Address): void {
    if (search === this.pattern) return;
    this.shown = search !== '';
    this.look(search, 0);
  }

  private async ask(pattern: string): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    try {
      const onProgress = (share: number) => {
        this.progress = share;
        this.core.changed();
      };
      const answer = await this.core.client.search(pattern, { signal: asking.signal, onProgress });
      if (!asking.signal.aborted) this.found(answer);
    } catch (error) {
      if (asking.signal.aborted) return;
      this.found(undefined);
      this.message = said(error);
    }
  }

  private found(answer: SearchAnswer | undefined): void {
    const { core } = this;
    this.busy = false;
    this.answer = answer;
    const marked = core.selection.method;
    // If nothing was found, a text says so; dimming everything would not help.
    if (answer && answer.matching > 0) core.highlighted = new Set(answer.methods);
    else core.highlighted = marked === undefined ? undefined : new Set([marked]);
    core.changed();
  }

  /** Selects the next or previous call found, or the longest. */
  async step(direction: FindQuestion['direction']): Promise<void> {
    if (this.pattern === '') return;
    await this.go({ of: { pattern: this.pattern }, direction, ...this.begin() });
  }

  /** Selects another call of a method, starting from one of its calls. */
  async callOf(
    method: number,
    direction: FindQuestion['direction'],
    from: Required<FindQuestion>['from'],
  ): Promise<void> {
    await this.go({ of: { method }, direction, from });
  }

  /** Selects another call of the selected call's method. */
  async sameMethod(direction: FindQuestion['direction'], here: boolean): Promise<void> {
    const { call } = this.core;
    if (!call) return;
    const tracks = here ? { tracks: [call.track] } : {};
    await this.go({ of: { method: call.method }, direction, ...this.begin(), ...tracks });
  }

  /** Starts from the selected call or event, or else from the left edge of the window. */
  private begin(): Pick<FindQuestion, 'from'> {
    const { call, window, events } = this.core;
    const { place } = events;
    if (place) return { from: { track: place.track, depth: EVENT_DEPTH, time: place.from } };
    if (call) return { from: { track: call.track, depth: call.depth, time: call.begin } };
    return { from: { time: window.start } };
  }

  private async go(question: FindQuestion): Promise<void> {
    const { core } = this;
    this.message = '';
    try {
      const { call, event } = await core.client.find(question);
      if (event) {
        core.showTrack(event.track);
        core.selectEvents({ track: event.track, from: event.time, to: event.time });
        core.bringIntoSight(event.time);
      } else if (call) {
        core.showTrack(call.track);
        reveal(core, call.track, call.depth, call.begin, call.end - call.begin);
      } else {
        this.message = { next: 'No later call.', previous: 'No earlier call.', longest: 'No call.' }[
          question.direction
        ];
      }
    } catch (error) {
      this.message = said(error);
    }
    core.changed();
  }
}

function said(error: unknown): string {
  if (error instanceof RefusedError || error instanceof LostError) return error.message;
  throw error;
}
