import type { Nanos } from '../base/time';
import type { TrackRow } from './layout';

/**
 * An arrow from the thread that released to the one that continued, or from the sender of a message to its receiver.
 */
export interface Arrow {
  readonly time: Nanos;
  /** Tracks of states; of a message, the tracks of its sender and receiver. */
  readonly from: number;
  readonly to: number;
  /** The state that ended, or the event that sent the message. */
  readonly method: number;
  /** How long it took in nanoseconds; of a message, below 0 if the two clocks differ. */
  readonly waited: number;
  readonly message: boolean;
  /**
   * Set for a message and for a thread's start: the end is later than the begin. Otherwise both are at the same time.
   */
  readonly takesTime: boolean;
}

/** When a message was sent, or a thread was started. */
export function beginOf({ time, waited, takesTime }: Arrow): Nanos {
  return takesTime ? time - BigInt(waited) : time;
}

/** A place and time that arrows may lead to or from. */
export interface ArrowEnd {
  readonly row: TrackRow;
  readonly begin: Nanos;
  readonly end: Nanos;
}
