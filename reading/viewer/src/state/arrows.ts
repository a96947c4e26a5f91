import type { Address } from '../base/address';
import { ARROW_KINDS, type ArrowKind, KERNEL_ARROWS, NOT_SHOWN, WAIT_KINDS } from '../base/states';
import type { Nanos } from '../base/time';
import { LostError, RefusedError } from '../data/client';
import type { ArrowsAnswer, Track } from '../data/contract';
import { mainTrack } from '../render/groups';
import { type Arrow, beginOf } from '../render/arrows';
import type { Model } from './model';
import { reveal } from './reveal';

/** More could not be told apart. */
const MOST = 300;
const RETRY_MS = 2000;
const NONE: readonly Arrow[] = [];
/** So long the window stands still before its arrows are asked for. */
const STILL_MS = 90;
const SHOWN: ReadonlySet<ArrowKind> = new Set(ARROW_KINDS.filter((kind) => !NOT_SHOWN.has(kind)));

/** The arrows between threads: which are shown, and those of the window. */
export class Arrows {
  /** Whether any are shown. */
  on = true;
  kinds: ReadonlySet<ArrowKind> = SHOWN;
  private answer: readonly Arrow[] = [];
  /** There are others, of shorter waits. */
  more = false;
  /** So many are in sight that only those of what is pointed at or selected are drawn. */
  tooMany = false;
  private looked: readonly Track[] | undefined;
  private messages = false;
  private kindsHere: readonly ArrowKind[] = [];
  private asked = '';
  private timer: number | undefined;
  private asking = 0;

  constructor(private readonly model: Model) {}

  /** The kinds that this recording can have. */
  get offered(): readonly ArrowKind[] {
    const { tracks, messages = false } = this.model.recording ?? {};
    // Asked in every frame, of ten thousands of tracks.
    if (tracks !== this.looked || messages !== this.messages) {
      this.looked = tracks;
      this.messages = messages;
      const has = (kind: Track['kind']) => tracks?.some((track) => track.kind === kind) ?? false;
      this.kindsHere = [...(has('states') ? WAIT_KINDS : []), ...(has('scheduled') ? KERNEL_ARROWS : []), ...(messages ? (['message'] as const) : [])];
    }
    return this.kindsHere;
  }

  /** Whether this recording can have any. */
  get possible(): boolean {
    return this.offered.length > 0;
  }

  private get chosen(): readonly ArrowKind[] {
    return this.offered.filter((kind) => this.kinds.has(kind));
  }

  get busy(): boolean {
    return this.timer !== undefined || this.asking > 0;
  }

  /** Those to be drawn. */
  get list(): readonly Arrow[] {
    return this.wanted ? this.answer : NONE;
  }

  crowded(tooMany: boolean): void {
    if (tooMany === this.tooMany) return;
    this.tooMany = tooMany;
    this.model.changed();
  }

  private get wanted(): boolean {
    return this.on && this.chosen.length > 0;
  }

  toggle(): void {
    this.on = !this.on;
    this.model.remember();
  }

  toggleKind(kind: ArrowKind): void {
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
    const kinds = this.chosen;
    const wanted = `${from} ${to} ${kinds.join()}`;
    if (wanted === this.asked) return;
    this.asked = wanted;
    clearTimeout(this.timer);
    // Without kinds: all that the program tells of.
    const all = kinds.join() === WAIT_KINDS.join();
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
    this.answer = time.map((at, i) => {
      const told = this.model.methods.get(method[i]!);
      const message = told?.event !== undefined;
      const takesTime = message || told?.state === 'start';
      return { time: BigInt(at), waited: waited[i]!, from: fromTrack[i]!, to: toTrack[i]!, method: method[i]!, message, takesTime };
    });
  }

  /** Goes to an end of an arrow: to the wait that ended, or to the thread that ended it. */
  go(arrow: Arrow, end: 'from' | 'to'): void {
    if (arrow.message) this.goToMessage(arrow, end);
    else if (end === 'from') this.goToThread(arrow.from, beginOf(arrow));
    else reveal(this.model, arrow.to, this.model.methods.get(arrow.method)?.state === 'handed' ? 1 : 0, arrow.time - BigInt(arrow.waited), BigInt(arrow.waited));
  }

  /** Goes to the thread that let the selected wait go on. */
  follow(): void {
    const { call } = this.model;
    if (call?.other !== undefined && call.other >= 0) this.goToThread(call.other, this.model.methods.get(call.method)?.state === 'start' ? call.begin : call.end);
  }

  /** Goes to the event that sent a message, or received it. */
  private goToMessage(arrow: Arrow, end: 'from' | 'to'): void {
    const { model } = this;
    const [track, time] = end === 'from' ? [arrow.from, beginOf(arrow)] : [arrow.to, arrow.time];
    model.selectEvents({ track, from: time, to: time });
    this.goToThread(track, time);
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
    const usual = this.offered.filter((kind) => SHOWN.has(kind));
    const { chosen } = this;
    return chosen.join() === usual.join() ? {} : { arrows: chosen.join(',') || 'none' };
  }

  apply({ arrows }: Address): void {
    this.on = arrows !== 'none';
    const named = arrows?.split(',') ?? [];
    const kinds = ARROW_KINDS.filter((kind) => named.includes(kind));
    this.kinds = kinds.length > 0 ? new Set(kinds) : SHOWN;
  }
}
