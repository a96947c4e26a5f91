import type { Nanos } from '../base/time';
import { laneKey, type Extent, type Lane } from './piece';

/** Pieces kept for each lane: the current one, and coarser ones to show while it is fetched. */
const PER_LANE = 5;
const LANES = 600;

/** Answers that are here already. The least recently used ones are dropped first. */
export class Cache<P extends Extent> {
  private readonly lanes = new Map<string, P[]>();

  put(lane: Lane, piece: P): void {
    const key = laneKey(lane);
    const pieces = this.lanes.get(key) ?? [];
    const kept = pieces.filter((old) => !piece.serves(old.from, old.to, old.resolution));
    kept.push(piece);
    if (kept.length > PER_LANE) kept.splice(kept[0] === widest(kept) ? 1 : 0, 1);
    this.lanes.delete(key);
    this.lanes.set(key, kept);
    if (this.lanes.size > LANES) this.lanes.delete(this.lanes.keys().next().value!);
  }

  /** The piece that shows a window best: one that is fine enough, or else the one that covers most of the window. */
  best(lane: Lane, from: Nanos, to: Nanos, resolution: Nanos): P | undefined {
    const pieces = this.lanes.get(laneKey(lane));
    if (!pieces) return undefined;
    let best: P | undefined;
    for (const piece of pieces) {
      if (!best || better(piece, best, from, to, resolution)) best = piece;
    }
    return best;
  }

  has(lane: Lane, from: Nanos, to: Nanos, resolution: Nanos): boolean {
    const pieces = this.lanes.get(laneKey(lane));
    return pieces?.some((piece) => piece.serves(from, to, resolution)) ?? false;
  }

  clear(): void {
    this.lanes.clear();
  }
}

function widest<P extends Extent>(pieces: readonly P[]): P {
  return pieces.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
}

function better(a: Extent, b: Extent, from: Nanos, to: Nanos, resolution: Nanos): boolean {
  const coverA = a.overlap(from, to);
  const coverB = b.overlap(from, to);
  if (coverA !== coverB) return coverA > coverB;
  const enoughA = a.resolution <= resolution;
  if (enoughA !== b.resolution <= resolution) return enoughA;
  // Of two that are fine enough, the coarser has less to paint; of two that are too coarse, the finer is nearer.
  return enoughA ? a.resolution > b.resolution : a.resolution < b.resolution;
}
