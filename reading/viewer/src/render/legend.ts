import { css } from '../base/colours';
import { type StateKind, stateColour } from '../base/states';
import { lanesOf, rowsBetween } from './layout';
import { ownLanes, ownPiece } from './marks';
import { bestPiece, type Scene } from './scene';

/** A colour of the picture, and what it stands for. */
export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  readonly state?: StateKind;
  /** A regular expression that finds it. */
  readonly pattern?: string;
}

/** Nobody would read more. */
const MOST = 24;

/** The methods in sight, each with its share of the window. */
function inSight(scene: Scene): Map<number, number> {
  const weights = new Map<number, number>();
  const { scrollTop, height } = scene;
  for (const row of rowsBetween(scene.layout.rows, scrollTop, scrollTop + height)) {
    if (row.kind !== 'track') continue;
    for (const lane of lanesOf(row, scrollTop, scrollTop + height)) {
      const slices = bestPiece(scene, lane)?.slices;
      slices?.method.forEach((method, i) =>
        weights.set(method, (weights.get(method) ?? 0) + slices.end[i]! - slices.begin[i]!),
      );
    }
    for (const lane of ownLanes(row))
      ownPiece(scene, lane.track)?.marks.event.forEach((event) => weights.set(event, (weights.get(event) ?? 0) + 1));
  }
  return weights;
}

/** What the colours in sight mean, the most frequent first; states at the end. */
export function legendOf(scene: Scene): LegendEntry[] {
  const { methods, palette } = scene;
  const families = new Map<string, { entry: LegendEntry; weight: number }>();
  const states = new Set<StateKind>();
  for (const [id, weight] of inSight(scene)) {
    const state = methods.get(id)?.state;
    if (state) states.add(state);
    const family = methods.family(id, palette.theme);
    if (!family) continue;
    const known = families.get(family.name);
    if (known) known.weight += weight;
    else {
      const { name, pattern, colour } = family;
      families.set(name, {
        entry: { name, colour: css(colour), ...(pattern === undefined ? {} : { pattern }) },
        weight,
      });
    }
  }
  const sorted = [...families.values()].sort((a, b) => b.weight - a.weight).map(({ entry }) => entry);
  const kinds = [...states]
    .sort()
    .map((state) => ({ name: state, colour: css(stateColour(state, palette.theme)), state }));
  return [...sorted.slice(0, MOST), ...kinds];
}
