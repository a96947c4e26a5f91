package dev.kymo.foreign.barrelfish;

import dev.kymo.format.Clock;
import java.util.List;

/** The processor's cycles, which are what logs tell time by. */
record CycleClock(long frequency) {
  private static final long UNKNOWN = 0;
  private static final long NANOS = 1_000_000_000L;

  /** As a recording has it. When the log was recorded is not known: it begins in 1970. */
  Clock clock() {
    return new Clock("cycles", frequency == UNKNOWN ? NANOS : frequency, 0);
  }

  /** What a reader of the recording should know. */
  List<String> notices() {
    return frequency == UNKNOWN
        ? List.of(
            "a Barrelfish trace log does not tell its processor's frequency: one cycle is shown as"
                + " 1 ns; tell it with --frequency HZ")
        : List.of();
  }
}
