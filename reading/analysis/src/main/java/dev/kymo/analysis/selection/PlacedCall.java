package dev.kymo.analysis.selection;

import java.util.Comparator;

/** A call, and where it is. Times are nanoseconds since the recording's begin. */
public record PlacedCall(int track, int depth, long begin, long duration) {
  /** The order of a recording: by begin, then by track, outer calls first. */
  public static final Comparator<PlacedCall> BY_PLACE =
      Comparator.comparingLong(PlacedCall::begin)
          .thenComparingInt(PlacedCall::track)
          .thenComparingInt(PlacedCall::depth);

  /** The longest first; of two that took as long, the one that comes first in the recording. */
  public static final Comparator<PlacedCall> LONGEST_FIRST =
      Comparator.comparingLong((PlacedCall call) -> -call.duration()).thenComparing(BY_PLACE);
}
