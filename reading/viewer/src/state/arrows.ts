import type { Address } from '../base/address';
import { ARROW_KINDS, type ArrowKind, KERNEL_ARROWS, NOT_SHOWN } from '../base/states';
import type { Nanos } from '../base/time';
import { HANDED, START, WAIT_KINDS } from '../base/words';
import { LostError, RefusedError } from '../data/client';
import type { ArrowsAnswer, Track } from '../data/contract';
import { isLink } from '../data/methods';
import { mainTrack } from '../render/groups';
import { type Arrow, beginOf } from '../render/arrow';
import type { Core } from './core';
import { reveal } from './reveal';

/** Maximum number of arrows; more could not be known apart. */
const MOST = 300;
const RETRY_MS = 2000;
const NONE: readonly Arrow[] = [];
/** How long the window must stand still before its arrows are requested. */
const STILL_MS = 90;
const SHOWN: ReadonlySet<ArrowKind> = new Set(ARROW_KINDS.filter((kind) => !NOT_SHOWN.has(kind)));

/** The arrows between threads: which are shown, and those of the window. */
export class Arrows {
  /** Whether any are shown. */
  on = true;
  kinds: ReadonlySet<ArrowKind> = SHOWN;
  private answer: readonly Arrow[] = [];
  /** There are more, of shorter waits. */
  more = false;
  /** Too many are in sight: only those of the call under the pointer and of the selected one are drawn. */
  tooMany = false;
  private looked: readonly Track[] | undefined;
  private messages = false;
  private kindsHere: readonly ArrowKind[] = [];
  private asked = '';
  private timer: number | undefined;
  private asking = 0;

  constructor(private readonly core: Core) {}

  /** The kinds that this recording can have. */
  get offered(): readonly ArrowKind[] {
    const { tracks, messages = false } = this.core.recording ?? {};
    // This runs in every frame, with tens of thousands of tracks.
    if (tracks !== this.looked || messages !== this.messages) {
      this.looked = tracks;
      this.messages = messages;
      const has = (kind: Track['kind']) => tracks?.some((track) => track.kind === kind) ?? false;
      this.kindsHere = [
        ...(has('states') ? WAIT_KINDS : []),
        ...(has('scheduled') ? KERNEL_ARROWS : []),
        ...(messages ? (['message'] as const) : []),
      ];
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

  /** The arrows to draw. */
  get list(): readonly Arrow[] {
    return this.wanted ? this.answer : NONE;
  }

  crowded(tooMany: boolean): void {
    if (tooMany === this.tooMany) return;
    this.tooMany = tooMany;
    this.core.changed();
  }

  private get wanted(): boolean {
    return this.on && this.chosen.length > 0;
  }

  toggle(): void {
    this.on = !this.on;
    this.core.remember();
  }

  toggleKind(kind: ArrowKind): void {
    // If no arrows are shown, the reader wants only those of this kind.
    const kinds = new Set(this.on ? this.kinds : []);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.kinds = kinds;
    this.on = true;
    this.core.remember();
  }

  /** Requests the arrows of a window soon, if they are not here. */
  want(from: Nanos, to: Nanos): void {
    if (!this.wanted) return;
    const kinds = this.chosen;
    const wanted = `${from} ${to} ${kinds.join()}`;
    if (wanted === this.asked) return;
    this.asked = wanted;
    clearTimeout(this.timer);
    // Without kinds: all waits that the program reports.
    const all = kinds.join() === WAIT_KINDS.join();
    this.timer = window.setTimeout(() => {
      this.timer = undefined;
      void this.ask(wanted, { from, to, max: MOST, ...(all ? {} : { kinds }) });
    }, STILL_MS);
  }

  private async ask(wanted: string, question: Parameters<Core['client']['arrows']>[0]): Promise<void> {
    const { core } = this;
    this.asking++;
    try {
      const answer = await core.client.arrows(question);
      await core.methods.need(answer.method);
      if (this.asked === wanted) this.show(answer);
    } catch (error) {
      // The picture's own requests report a lost server.
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
      setTimeout(() => this.askAgain(wanted), RETRY_MS);
    } finally {
      this.asking--;
    }
    core.changed();
  }

  private askAgain(wanted: string): void {
    if (this.asked !== wanted) return;
    this.asked = '';
    this.core.changed();
  }

  private show({ more, time, waited, fromTrack, toTrack, method }: ArrowsAnswer): void {
    this.more = more;
    this.answer = time.map((at, i) => {
      const known = this.core.methods.get(method[i]!);
      const message = known?.event !== undefined;
      const takesTime = message || known?.state === START;
      return {
        time: BigInt(at),
        waited: waited[i]!,
        from: fromTrack[i]!,
        to: toTrack[i]!,
        method: method[i]!,
        message,
        takesTime,
      };
    });
  }

  /** Goes to an end of an arrow: to the wait that ended, or to the thread that ended it. */
  go(arrow: Arrow, end: 'from' | 'to'): void {
    if (arrow.message) this.goToMessage(arrow, end);
    else if (end === 'from') this.goToThread(arrow.from, beginOf(arrow));
    else
      reveal(
        this.core,
        arrow.to,
        this.core.methods.get(arrow.method)?.state === HANDED ? 1 : 0,
        arrow.time - BigInt(arrow.waited),
        BigInt(arrow.waited),
      );
  }

  /** Goes to the thread that ended the selected wait. */
  follow(): void {
    const { call } = this.core;
    if (call?.other !== undefined && call.other >= 0)
      this.goToThread(call.other, this.core.methods.get(call.method)?.state === START ? call.begin : call.end);
  }

  /** Goes to the event that sent a message, or received it. */
  private goToMessage(arrow: Arrow, end: 'from' | 'to'): void {
    const { core } = this;
    const [track, time] = end === 'from' ? [arrow.from, beginOf(arrow)] : [arrow.to, arrow.time];
    // What a link leads to is no event.
    if (end === 'from' || !isLink(core.methods.get(arrow.method))) core.selectEvents({ track, from: time, to: time });
    this.goToThread(track, time);
  }

  private goToThread(track: number, time: Nanos): void {
    const { core } = this;
    core.showTrack(track);
    core.current = mainTrack(core.recording!, track);
    core.bringIntoSight(time);
    core.changed();
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
