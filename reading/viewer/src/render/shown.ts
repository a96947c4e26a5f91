import type { TrackKind } from '../data/contract';
import type { Arrow } from './arrows';

/** What of the picture a filter leaves as it is; the rest is pale, or of arrows not there. */
export interface Shown {
  /** Calls and states of tracks of a kind, by their methods; undefined: all of them. */
  slices(kind: TrackKind): ((method: number) => boolean) | undefined;
  /** Kinds of events of the program's own. */
  event(event: number): boolean;
  arrow(arrow: Arrow): boolean;
  /** Names are looked for: what has one is never left out. */
  readonly named: boolean;
}
