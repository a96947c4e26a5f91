import type { Nanos } from '../base/time';
import { offsetIn, windowOf } from '../base/window';
import { LostError, RefusedError } from '../data/client';
import type { PointsAnswer, Scope, SliceColumns } from '../data/contract';
import { PAGE, type Point, PointList } from '../data/point-list';
import { scopeKey } from '../data/questions';
import type { Core } from './core';
import { bringRowIntoSight } from './reveal';

/** Instructions that are shown on each side of a point, unless fewer are in sight already. */
const AROUND = 200n;
/** Deeper calls have no rows. */
const DEPTHS = '0-65535';

/** The points where executed instructions are irregular: which are listed, and which one is shown. */
export class Points {
  list: PointList | undefined;
  /** Kinds that are listed; undefined: all. */
  kinds: ReadonlySet<number> | undefined;
  /** Functions in which interrupts are points, too. */
  critical = '';
  /** The row of the point that is shown. */
  at: number | undefined;
  busy = false;
  failed: string | undefined;
  progress: number | undefined;
  private scope: Scope = {};
  private asking = new AbortController();
  private loading: Promise<void> | undefined;

  constructor(
    private readonly core: Core,
    private readonly say: (message: string) => void,
  ) {}

  /** What the list is about; it is fetched if it is not here. */
  about(scope: Scope): void {
    if (this.list && scopeKey(scope) === scopeKey(this.scope)) return;
    this.scope = scope;
    this.restart();
  }

  /** Lists a kind, or no longer; without any all are back. */
  toggle(kind: number): void {
    const kinds = new Set(this.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.kinds = kinds.size > 0 ? kinds : undefined;
    this.restart();
  }

  showAll(): void {
    this.kinds = undefined;
    this.restart();
  }

  setCritical(functions: string): void {
    if (functions === this.critical) return;
    this.critical = functions;
    this.restart();
  }

  /** Another recording is shown. */
  forget(): void {
    this.asking.abort();
    this.list = undefined;
    this.loading = undefined;
  }

  private restart(): void {
    this.asking.abort();
    this.asking = new AbortController();
    this.at = undefined;
    this.loading = this.run(async () => {
      this.list = PointList.of(await this.ask({ first: 0, count: PAGE }));
    });
  }

  private async run(work: () => Promise<void>): Promise<void> {
    const { signal } = this.asking;
    this.busy = true;
    this.failed = undefined;
    this.progress = undefined;
    this.core.changed();
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
      this.list = undefined;
      this.failed = error.message;
    }
    if (signal.aborted) return;
    this.busy = false;
    this.core.changed();
  }

  private async ask(part: { first: number; count: number; at?: Nanos }): Promise<PointsAnswer> {
    const { signal } = this.asking;
    const onProgress = (share: number) => {
      this.progress = share;
      this.core.changed();
    };
    const question = { ...part, critical: this.critical, ...(this.kinds ? { kinds: [...this.kinds] } : {}) };
    const answer = await this.core.client.points(this.scope, question, { signal, onProgress });
    signal.throwIfAborted();
    if (!answer) throw new RefusedError('Only the server can answer this: use kymo view or kymo print --points.');
    return answer;
  }

  /** Fetches the rows of a range that are not here. */
  async need(first: number, last: number): Promise<void> {
    if (!this.loading) this.restart();
    await this.loading;
    const page = this.list?.missing(first, last);
    if (page === undefined) return;
    this.loading = this.run(async () => {
      const answer = await this.ask({ first: page * PAGE, count: PAGE });
      this.list = this.list!.with(page, answer);
    });
    await this.need(first, last);
  }

  /** Shows the next or the previous point: after the one that is shown, or else from the middle of the window on. */
  async step(by: 1 | -1): Promise<void> {
    await this.need(0, 0);
    if (!this.list) return;
    const row = await this.neighbour(by);
    if (row === undefined) return;
    if (row < 0 || row >= this.list.total) this.say(by > 0 ? 'No later point.' : 'No earlier point.');
    else await this.show(row);
  }

  private async neighbour(by: 1 | -1): Promise<number | undefined> {
    const { window } = this.core;
    const point = this.at === undefined ? undefined : this.list?.at(this.at);
    if (point && this.inSight(point.time)) return this.at! + by;
    let before: number | undefined;
    await this.run(async () => {
      const middle = window.start + BigInt(Math.round(window.span / 2));
      before = (await this.ask({ first: 0, count: 0, at: middle })).before;
    });
    return before === undefined ? undefined : before - (by > 0 ? 0 : 1);
  }

  private inSight(time: Nanos): boolean {
    const offset = offsetIn(this.core.window, time);
    return offset >= 0 && offset <= this.core.window.span;
  }

  /** Shows a point in the timeline, with the innermost call around it selected. */
  async show(row: number): Promise<void> {
    await this.need(row, row);
    const point = this.list?.at(row);
    if (!point) return;
    const { core } = this;
    this.at = row;
    const depth = await this.depthOf(point);
    if (this.list?.at(row) !== point || this.at !== row) return;
    const { track, time } = point;
    core.showTrack(track);
    if (!core.open.has(track)) core.toggle(track);
    core.select({ track, depth, time });
    if (!this.inSight(time) || core.window.span > 2 * Number(AROUND)) {
      core.glide(() => windowOf(time - AROUND, time + AROUND));
    }
    bringRowIntoSight(core, track, depth);
    core.changed();
  }

  private async depthOf({ track, time }: Point): Promise<number> {
    let depth = 0;
    await this.run(async () => {
      const question = { from: time, to: time + 1n, resolution: 0n, tracks: [track], depths: DEPTHS };
      const window = await this.core.client.window(question, this.asking.signal);
      depth = innermost(window.tracks[0]);
    });
    return depth;
  }
}

/** The depth of the innermost call that covers a window's begin. */
export function innermost(slices: Pick<SliceColumns, 'begin' | 'end' | 'depth'> | undefined): number {
  const covering = slices?.depth.filter((_, i) => slices.begin[i]! <= 0 && slices.end[i]! > 0) ?? [];
  return Math.max(0, ...covering);
}
