package dev.kymo.analysis.path;

import dev.kymo.analysis.cause.CauseSplit;

/**
 * A piece of a critical path; the next one begins where it ends.
 *
 * @param track of the thread's calls; of one without calls the track that stands for it
 * @param begin nanoseconds since the recording's begin
 * @param call method of the innermost call that the thread was in for half of the step or more; -1
 *     = none
 * @param split what the kernel did with the thread during the step; of a message, unknown
 * @param state of {@link Kind#WAITED} what was waited for, of {@link Kind#MESSAGE} the event that
 *     sent it; of {@link Kind#DID} the wait of the next step's thread that this thread ended; -1 =
 *     none, or not known
 * @param object distinguishes objects of one class; 0 = unknown
 */
public record PathStep(
    Kind kind, int track, long begin, long end, int call, CauseSplit split, int state, int object) {

  /** What happens during the step. */
  public enum Kind {
    /** The thread went on. */
    DID,
    /** The thread waited, and nobody is known who let it go on. */
    WAITED,
    /** A message was on its way; the track is that of who sent it. */
    MESSAGE,
    /** Nothing is known of the thread yet. */
    NOT_BEGUN
  }

  /** Nanoseconds. */
  public long time() {
    return end - begin;
  }
}
