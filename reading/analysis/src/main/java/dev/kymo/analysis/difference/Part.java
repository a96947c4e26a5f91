package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.statistics.Interval;

/**
 * One way in which calls of a method differ.
 *
 * @param key of the state or of the method that is called; -1 = none
 * @param before of a typical call of the method on the base side: nanoseconds or, of {@link
 *     Kind#CALLS}, calls
 * @param after the same of the new side
 * @param weight nanoseconds that a recording of the new side took longer for it, in all
 * @param node where to look; of calls, what was called
 * @param places how many paths have a part in it
 */
public record Part(
    Kind kind,
    int key,
    double before,
    double after,
    Interval weight,
    Verdict verdict,
    AlignedNode node,
    int places) {
  /** What differs. */
  public enum Kind {
    /** How long it ran itself. */
    BUSY,
    /** How long it waited for something, by the program's report. */
    WAIT,
    /** How long all threads were stopped meanwhile. */
    STOPPED,
    /** How long the kernel let it wait. */
    BLOCKED,
    /** How long it had no processor. */
    RUNNABLE,
    /** How long classes were loaded for it. */
    LOADING,
    /** How many calls of another method it makes. */
    CALLS,
    /** What it calls after what. */
    ORDER,
    /** All calls of the method, which were only counted in some of the recordings. */
    COUNTED
  }

  /** How much it weighs, whatever the direction. */
  public double size() {
    return Math.abs(weight.value());
  }
}
