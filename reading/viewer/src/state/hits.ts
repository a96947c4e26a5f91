import { EVENT_DEPTH, LostError, RefusedError } from '../data/client';
import type { HitsAnswer } from '../data/contract';
import { entryOf, entryOfHit, type Hit } from '../data/hit-list';
import type { Model } from './model';
import { reveal } from './reveal';
import type { Search } from './search';

interface Where {
  readonly track: number;
  readonly depth: number;
  readonly time: bigint;
}

/** The calls and events that a search has found: one after the other, and which of them is selected. */
export class Hits {
  /** Number of the selected one, from 0; undefined if none is, or it is not known. */
  at: number | undefined;
  private located = '';
  private asking: AbortController | undefined;

  constructor(
    private readonly model: Model,
    private readonly search: Search,
  ) {}

  /** What is selected in the timeline; undefined if nothing is, or it is still asked for. */
  private get selected(): Where | undefined {
    const { call, events } = this.model;
    if (events.place) return { track: events.place.track, depth: EVENT_DEPTH, time: events.place.from };
    return call ? { track: call.track, depth: call.depth, time: call.begin } : undefined;
  }

  /** Changes when another one may be selected. */
  get key(): string {
    const { selected, search } = this;
    return search.answer && selected ? keyOf(search.pattern, selected) : '';
  }

  /** Finds out which one is selected. */
  async locate(): Promise<void> {
    const { model, search, selected, key } = this;
    if (key === this.located) return;
    this.asking?.abort();
    this.located = key;
    this.at = undefined;
    const { answer } = search;
    if (answer && selected) {
      const asking = new AbortController();
      this.asking = asking;
      const { at, before } = entryOf(answer, selected.time);
      try {
        const rank = await model.client.rank({ pattern: search.pattern, at, place: selected }, { signal: asking.signal });
        if (asking.signal.aborted) return;
        if (rank.hit) this.at = before + rank.before;
      } catch (error) {
        // Not knowing which one it is is no reason to say more; the search itself says what is wrong.
        if (!asking.signal.aborted && !(error instanceof RefusedError || error instanceof LostError)) throw error;
      }
    }
    model.changed();
  }

  /** A page of them, from one on. */
  page(first: number, count: number, signal: AbortSignal): Promise<HitsAnswer> {
    const { at, before } = entryOfHit(this.search.answer!, first);
    return this.model.client.hits({ pattern: this.search.pattern, at, skip: first - before, count }, { signal });
  }

  /** Shows one in the timeline. */
  show(number: number, hit: Hit): void {
    const { model } = this;
    const { track, depth, begin, duration } = hit;
    this.asking?.abort();
    this.at = number;
    this.located = keyOf(this.search.pattern, { track, depth, time: begin });
    model.showTrack(track);
    if (depth === EVENT_DEPTH) {
      model.selectEvents({ track, from: begin, to: begin });
      model.bringIntoSight(begin);
    } else {
      reveal(model, track, depth, begin, BigInt(duration));
    }
  }
}

function keyOf(pattern: string, { track, depth, time }: Where): string {
  return `${track} ${depth} ${time} ${pattern}`;
}
