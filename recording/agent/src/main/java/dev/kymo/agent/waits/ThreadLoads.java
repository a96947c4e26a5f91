package dev.kymo.agent.waits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Makes a curve of the thread loads that the flight recorder reports. Once per period it looks at
 * all threads and reports what each has used since the previous look, except for threads that used
 * next to nothing. So a reported load holds from the previous look on, and a thread without a
 * report uses nothing.
 */
final class ThreadLoads {
  /** How often the flight recorder looks. */
  static final Duration PERIOD = Duration.ofSeconds(1);

  /** Reports within this time of each other belong to one look. */
  private static final long ONE_LOOK = PERIOD.toNanos() / 2;

  /** A report that is later than this does not belong to the next look. */
  private static final long LATE = PERIOD.toNanos() * 3 / 2;

  private record Told(String name, long time) {}

  private final Map<Long, Told> told = new HashMap<>();
  private List<Load> points = new ArrayList<>();
  private long firstLook;
  private long look;

  /**
   * Adds a report of the flight recorder about a thread.
   *
   * @param time nanoseconds; does not go back by much
   */
  void add(long thread, String name, long time, double share) {
    if (time - look > ONE_LOOK) {
      look = time;
      firstLook = firstLook == 0 ? look : firstLook;
      calm(time - LATE);
    }
    Told before = told.put(thread, new Told(name, time));
    if (look == firstLook) {
      return; // the begin of this load is not known
    }
    long since = before == null ? time - PERIOD.toNanos() : before.time;
    points.add(new Load(thread, name, Math.max(firstLook, since), share));
  }

  /** Takes the loads found since the last call; times are those of {@link #add}. */
  List<Load> take() {
    List<Load> taken = points;
    points = new ArrayList<>();
    return taken;
  }

  /** Ends the curves: no more reports follow. */
  void end() {
    calm(Long.MAX_VALUE);
  }

  /** Sets the load of threads without a report since then to zero. */
  private void calm(long since) {
    for (Iterator<Map.Entry<Long, Told>> all = told.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Long, Told> one = all.next();
      if (one.getValue().time < since) {
        points.add(new Load(one.getKey(), one.getValue().name, one.getValue().time, 0));
        all.remove();
      }
    }
  }
}
