import { EVENT_DEPTH, LostError, RefusedError } from '../data/client';
import type { HitsAnswer, SearchAnswer } from '../data/contract';
import { entryOf, entryOfHit, type Hit } from '../data/hit-list';
import type { Core } from './core';
import { reveal } from './reveal';

interface Where {
  readonly track: number;
  readonly depth: number;
  readonly time: bigint;
}

/** A search and its answer. */
interface Found {
  readonly pattern: string;
  readonly answer: SearchAnswer | undefined;
}

/** The calls and events that a search has found: one after the other, and which of them is selected. */
export class Hits {
  /** Number of the selected hit, from 0; undefined if no hit is selected or it is not known. */
  at: number | undefined;
  private located = '';
  private asking: AbortController | undefined;

  constructor(
    private readonly core: Core,
    private readonly search: Found,
  ) {}

  /** The place selected in the timeline; undefined if nothing is selected or the request is still running. */
  private get selected(): Where | undefined {
    const { call, events } = this.core;
    if (events.place) return { track: events.place.track, depth: EVENT_DEPTH, time: events.place.from };
    return call ? { track: call.track, depth: call.depth, time: call.begin } : undefined;
  }

  /** Changes when another hit may be selected. */
  get key(): string {
    const { selected, search } = this;
    return search.answer && selected ? keyOf(search.pattern, selected) : '';
  }

  /** Finds out which hit is selected. */
  async locate(): Promise<void> {
    const { core, search, selected, key } = this;
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
        const rank = await core.client.rank(
          { pattern: search.pattern, at, place: selected },
          { signal: asking.signal },
        );
        if (asking.signal.aborted) return;
        if (rank.hit) this.at = before + rank.before;
      } catch (error) {
        // No message is needed here; the search itself reports what is wrong.
        if (!asking.signal.aborted && !(error instanceof RefusedError || error instanceof LostError)) throw error;
      }
    }
    core.changed();
  }

  /** Fetches a page of hits. */
  page(first: number, count: number, signal: AbortSignal): Promise<HitsAnswer> {
    const { at, before } = entryOfHit(this.search.answer!, first);
    return this.core.client.hits({ pattern: this.search.pattern, at, skip: first - before, count }, { signal });
  }

  /** Shows a hit in the timeline. */
  show(number: number, hit: Hit): void {
    const { core } = this;
    const { track, depth, begin, duration } = hit;
    this.asking?.abort();
    this.at = number;
    this.located = keyOf(this.search.pattern, { track, depth, time: begin });
    core.showTrack(track);
    if (depth === EVENT_DEPTH) {
      core.selectEvents({ track, from: begin, to: begin });
      core.bringIntoSight(begin);
    } else {
      reveal(core, track, depth, begin, BigInt(duration));
    }
  }
}

function keyOf(pattern: string, { track, depth, time }: Where): string {
  return `${track} ${depth} ${time} ${pattern}`;
}
