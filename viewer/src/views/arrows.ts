import type { Address } from '../base/address';
import { STATE_KINDS, type StateKind } from '../base/states';
import type { Nanos } from '../base/time';
import { LostError, RefusedError } from '../data/client';
import type { ArrowsAnswer, Track } from '../data/contract';
import { mainTrack } from '../render/groups';
import type { Arrow } from '../render/arrows';
import type { Model } from './model';
import { reveal } from './reveal';

/** More could not be told apart. */
const MOST = 300;
const RETRY_MS = 2000;
const NONE: readonly Arrow[] = [];
/** So long the window stands still before its arrows are asked for. */
const STILL_MS = 90;

/** The arrows between threads: which are shown, and those of the window. */
export class Arrows {
  /** Whether any are shown. */
  on = true;
  kinds: ReadonlySet<StateKind> = new Set(STATE_KINDS);
  private answer: readonly Arrow[] = [];
  /** There are others, of shorter waits. */
  more = false;
  private looked: readonly Track[] | undefined;
  private waits = false;
  private asked = '';
  private timer: number | undefined;
  private asking = 0;

  constructor(private readonly model: Model) {}

  /** Whether this recording can have any. */
  get possible(): boolean {
    const tracks = this.model.recording?.tracks;
    // Asked in every frame, of ten thousands of tracks.
    if (tracks !== this.looked) {
      this.looked = tracks;
      this.waits = tracks?.some((track) => track.kind === 'states') ?? false;
    }
    return this.waits;
  }

  get busy(): boolean {
    return this.timer !== undefined || this.asking > 0;
  }

  /** Those to be drawn. */
  get list(): readonly Arrow[] {
    return this.wanted ? this.answer : NONE;
  }

  private get wanted(): boolean {
    return this.on && this.kinds.size > 0 && this.possible;
  }

  toggle(): void {
    this.on = !this.on;
    this.model.remember();
  }

  toggleKind(kind: StateKind): void {
    // While none are shown, one asks for those of this kind alone.
    const kinds = new Set(this.on ? this.kinds : []);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.kinds = kinds;
    this.on = true;
    this.model.remember();
  }

  /** Sees to it that the arrows of a window are here, soon. */
  want(from: Nanos, to: Nanos): void {
    if (!this.wanted) return;
    const kinds = STATE_KINDS.filter((kind) => this.kinds.has(kind));
    const wanted = `${from} ${to} ${kinds.join()}`;
    if (wanted === this.asked) return;
    this.asked = wanted;
    clearTimeout(this.timer);
    const all = kinds.length === STATE_KINDS.length;
    this.timer = window.setTimeout(() => {
      this.timer = undefined;
      void this.ask(wanted, { from, to, max: MOST, ...(all ? {} : { kinds }) });
    }, STILL_MS);
  }

  private async ask(wanted: string, question: Parameters<Model['client']['arrows']>[0]): Promise<void> {
    const { model } = this;
    this.asking++;
    try {
      const answer = await model.client.arrows(question);
      await model.methods.need(answer.method);
      if (this.asked === wanted) this.show(answer);
    } catch (error) {
      // The picture's own questions tell of a lost server.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
      setTimeout(() => this.askAgain(wanted), RETRY_MS);
    } finally {
      this.asking--;
    }
    model.changed();
  }

  private askAgain(wanted: string): void {
    if (this.asked !== wanted) return;
    this.asked = '';
    this.model.changed();
  }

  private show({ more, time, waited, fromTrack, toTrack, method }: ArrowsAnswer): void {
    this.more = more;
    this.answer = time.map((at, i) => ({
      time: BigInt(at),
      waited: waited[i]!,
      from: fromTrack[i]!,
      to: toTrack[i]!,
      method: method[i]!,
    }));
  }

  /** Goes to an end of an arrow: to the wait that ended, or to the thread that ended it. */
  go(arrow: Arrow, end: 'from' | 'to'): void {
    if (end === 'from') this.goToThread(arrow.from, arrow.time);
    else reveal(this.model, arrow.to, 0, arrow.time - BigInt(arrow.waited), BigInt(arrow.waited));
  }

  /** Goes to the thread that let the selected wait go on. */
  follow(): void {
    const { call } = this.model;
    if (call?.other !== undefined && call.other >= 0) this.goToThread(call.other, call.end);
  }

  private goToThread(track: number, time: Nanos): void {
    const { model } = this;
    model.showTrack(track);
    model.current = mainTrack(model.recording!, track);
    model.bringIntoSight(time);
    model.changed();
  }

  address(): Pick<Address, 'arrows'> {
    if (!this.on) return { arrows: 'none' };
    return this.kinds.size === STATE_KINDS.length ? {} : { arrows: [...this.kinds].join(',') || 'none' };
  }

  apply({ arrows }: Address): void {
    this.on = arrows !== 'none';
    const named = arrows?.split(',') ?? [];
    const kinds = STATE_KINDS.filter((kind) => named.includes(kind));
    this.kinds = new Set(kinds.length > 0 ? kinds : STATE_KINDS);
  }
}
