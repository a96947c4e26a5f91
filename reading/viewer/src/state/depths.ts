import { depthInSight } from '../render/depths';
import { rowsBetween } from '../render/layout';
import type { Scene } from '../render/scene';

/** How long the picture must rest before a thread takes less room. */
const REST_MS = 700;

/** How much room unfolded threads have: more as soon as they need it, less only once the picture rests. */
export class Depths {
  byTrack: ReadonlyMap<number, number> = new Map();
  private timer: number | undefined;
  private shrinking: ReadonlyMap<number, number> = new Map();

  constructor(private readonly relayout: () => void) {}

  /** Measures how deep the unfolded threads in sight are. */
  look(scene: Scene, moving: boolean): void {
    const grown = new Map(this.byTrack);
    const less = new Map<number, number>();
    for (const row of rowsBetween(scene.layout.rows, scene.scrollTop, scene.scrollTop + scene.height)) {
      if (row.kind !== 'track' || !row.open || row.track.depth < 2) continue;
      const needed = depthInSight(scene, row);
      if (needed === undefined) continue;
      if (needed > row.depth) grown.set(row.track.id, needed);
      else if (needed < row.depth) less.set(row.track.id, needed);
    }
    if ([...grown].some(([track, depth]) => this.byTrack.get(track) !== depth)) this.take(grown);
    this.shrinkAtRest(less, moving);
  }

  /** Gives a thread its whole depth again, because the reader goes there. */
  forget(track: number): void {
    if (!this.byTrack.has(track)) return;
    this.take(new Map([...this.byTrack].filter(([other]) => other !== track)));
  }

  private shrinkAtRest(less: ReadonlyMap<number, number>, moving: boolean): void {
    if (moving || !same(less, this.shrinking)) clearTimeout(this.timer);
    else if (this.timer !== undefined) return;
    this.shrinking = less;
    this.timer = undefined;
    if (less.size === 0 || moving) return;
    this.timer = window.setTimeout(() => {
      this.timer = undefined;
      this.take(new Map([...this.byTrack, ...less]));
    }, REST_MS);
  }

  private take(depths: ReadonlyMap<number, number>): void {
    this.byTrack = depths;
    this.relayout();
  }
}

function same(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): boolean {
  return a.size === b.size && [...a].every(([track, depth]) => b.get(track) === depth);
}
