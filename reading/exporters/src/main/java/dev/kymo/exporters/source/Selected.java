package dev.kymo.exporters.source;

import dev.kymo.analysis.names.ThreadFilter;
import java.util.List;

/**
 * The part of a recording that is exported.
 *
 * @param from nanoseconds since the recording's begin
 * @param to nanoseconds since the recording's begin, included
 * @param threads tracks by name or number
 */
public record Selected(long from, long to, ThreadFilter threads) {
  public static Selected all() {
    return new Selected(0, Long.MAX_VALUE, new ThreadFilter(List.of()));
  }

  /** Whether what takes this time is in the range, if only with a part. */
  public boolean overlaps(long begin, long end) {
    return end >= from && begin <= to;
  }
}
