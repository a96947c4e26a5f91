import { offsetIn } from '../base/window';
import type { Piece } from '../data/piece';
import { lanesOf, stripOf, type TrackRow } from './layout';
import { bestPiece, range, type Scene } from './scene';

/** Whether a piece has a call of a depth in the window. */
function hasInSight(scene: Scene, piece: Piece, depth: number): boolean {
  const shift = offsetIn(scene.window, piece.from);
  const [, end] = piece.range(depth);
  const first = piece.firstEndingAt(depth, -shift);
  return first < end && piece.slices.begin[first]! + shift <= scene.window.span;
}

/**
 * How deep an unfolded thread's calls are in the window: the first depth that is known to be empty, because deeper
 * ones then are empty as well. Undefined if that is not known yet.
 */
export function depthInSight(scene: Scene, row: TrackRow): number | undefined {
  const { from, to } = range(scene);
  const { depth } = row.track;
  for (const lane of lanesOf(row, scene.scrollTop, scene.scrollTop + scene.height)) {
    if (stripOf(row, lane.track)) continue;
    const piece = bestPiece(scene, lane);
    if (!piece || piece.from > from || piece.to < to) return undefined;
    const [first, last] = lane.depths.split('-').map(Number);
    for (let each = first!; each <= last! && each < depth; each++) {
      if (!hasInSight(scene, piece, each)) return Math.max(1, each);
    }
  }
  return depth;
}
