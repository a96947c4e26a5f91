package dev.kymo.importers.barrelfish;

import dev.kymo.format.Clock;
import java.util.List;

/** The processor's cycles, in which logs measure time. */
record CycleClock(long frequency) {
  private static final long UNKNOWN = 0;
  private static final long NANOS = 1_000_000_000L;

  /** The clock of the recording. It is not known when the log was recorded: it begins in 1970. */
  Clock clock() {
    return new Clock("cycles", frequency == UNKNOWN ? NANOS : frequency, 0);
  }

  /** What a reader of the recording should know. */
  List<String> notices() {
    return frequency == UNKNOWN
        ? List.of(
            "a Barrelfish trace log does not give its processor's frequency: one cycle is shown as 1 ns; give it with --frequency HZ")
        : List.of();
  }
}
