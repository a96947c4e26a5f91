package dev.kymo.importers.barrelfish;

import java.util.HashMap;
import java.util.Map;

/**
 * Puts the times of a log on one scale, cycles of core 0. Old logs count from the start of each
 * dump, and several dumps may follow each other; newer logs have whole times and say how far each
 * core is ahead.
 */
final class LogTime {
  private static final long UNKNOWN = -1;

  private final Map<Integer, Long> offsets = new HashMap<>();
  private long origin = UNKNOWN;
  private long start = UNKNOWN;
  private long shift;

  void see(LogLine line) {
    switch (line) {
      case LogLine.Start s -> {
        start = s.time();
        shift = 0;
      }
      case LogLine.MinTimestamp _ -> {
        start = UNKNOWN;
        shift = 0;
      }
      case LogLine.Offset o -> offsets.put(o.core(), o.cycles());
      default -> {} // says nothing of times
    }
  }

  /** An event's time; may be negative. */
  long of(LogLine.Event event) {
    if (start != UNKNOWN) {
      place(event.time());
    }
    return event.time() + shift - offsets.getOrDefault(event.core(), 0L);
  }

  /** The first event of a dump shows whether its times count from the dump's start. */
  private void place(long first) {
    if (first < start) {
      origin = origin == UNKNOWN ? start : origin;
      shift = Math.max(0, start - origin);
    }
    start = UNKNOWN;
  }
}
