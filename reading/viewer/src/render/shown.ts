import type { TrackKind } from '../base/words';
import type { Arrow } from './arrow';

/** What a filter keeps in the picture; the rest is pale, and other arrows are hidden. */
export interface Shown {
  /** Calls and states of tracks of a kind, by their methods; undefined: all of them. */
  slices(kind: TrackKind): ((method: number) => boolean) | undefined;
  /** Kinds of events of the program's own. */
  event(event: number): boolean;
  arrow(arrow: Arrow): boolean;
  /** Names are filtered: a slice with a name is never left out. */
  readonly named: boolean;
}
