package dev.kymo.model.counts;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one method on one track that were counted in one mode.
 *
 * @param method number in the recording
 * @param mode {@link Definition.MethodMode#TIMED} or {@link Definition.MethodMode#SAMPLED}; {@link
 *     Definition.MethodMode#EVENTS} for the time of counted calls that events of the method made
 * @param calls begun
 * @param timed calls that were timed, when they ended: all that ended, or in mode SAMPLED some
 * @param total nanoseconds of the timed calls that lay in no other timed one of the method
 * @param durations nanoseconds of all timed calls
 * @param max nanoseconds of the longest timed call until the range's end, if any falls into it
 * @param histogram timed calls by duration: {@link Counts#bucketBegin}
 * @param spent null where nobody looked where the thread was
 */
@SuppressWarnings({"ArrayRecordComponent", "checkstyle:ParameterNumber"}) // columns, never a key
public record CountedCalls(
    int method,
    int mode,
    long calls,
    long timed,
    long total,
    long durations,
    long max,
    long[] histogram,
    @Nullable Spent spent) {
  /**
   * Where the thread's time went, in nanoseconds: see {@link CountRecord.Spent}.
   *
   * @param squares in nanoseconds times nanoseconds
   */
  public record Spent(long total, long self, double squares, long interval, long unplaced) {}
}
