package dev.kymo.query.rules;

import org.jspecify.annotations.Nullable;

/**
 * What of a recording a rule is about.
 *
 * @param thread name, in which {@code *} stands for anything, or number; null = all threads
 * @param during name of methods, in which {@code *} stands for anything; null = always
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin, included
 */
public record Scope(@Nullable String thread, @Nullable String during, long from, long to) {
  /** The whole recording. */
  public static final Scope ALL = new Scope(null, null, 0, Long.MAX_VALUE);

  /** Whether what takes this time lies in it, if only with a part. */
  public boolean overlaps(long begin, long finish) {
    return finish >= from && begin <= to;
  }
}
