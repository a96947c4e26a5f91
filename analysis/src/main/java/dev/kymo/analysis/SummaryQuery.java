package dev.kymo.analysis;

import dev.kymo.model.ThreadCalls;
import java.util.function.Predicate;

/**
 * What a summary is to be made of.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin
 * @param perThread a row for each method and thread instead of one for each method
 */
public record SummaryQuery(long from, long to, Predicate<ThreadCalls> threads, boolean perThread) {
  /** Everything. */
  public static final SummaryQuery ALL = new SummaryQuery(0, Long.MAX_VALUE, thread -> true, false);

  boolean wholeTime() {
    return from <= 0 && to == Long.MAX_VALUE;
  }
}
