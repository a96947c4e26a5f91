package dev.kymo.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Makes a curve of what the flight recorder tells of a thread's load: it looks at all threads once
 * in a period, says what each took since it had looked before, and nothing of those that took next
 * to nothing. So what it says holds from the time before, and who is not told of takes nothing.
 */
final class ThreadLoads {
  /** How often the flight recorder looks. */
  static final Duration PERIOD = Duration.ofSeconds(1);

  /** What is told of within so much belongs to one look. */
  private static final long ONE_LOOK = PERIOD.toNanos() / 2;

  /** Later than this is not the next look. */
  private static final long LATE = PERIOD.toNanos() * 3 / 2;

  /** What was told of a thread last. */
  private record Told(String name, long time) {}

  private final Map<Long, Told> told = new HashMap<>();
  private List<Load> points = new ArrayList<>();
  private long firstLook;
  private long look;

  /**
   * The flight recorder tells of a thread.
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
      return; // since when is not known
    }
    long since = before == null ? time - PERIOD.toNanos() : before.time;
    points.add(new Load(thread, name, Math.max(firstLook, since), share));
  }

  /** Takes what has become known; times are those of {@link #add}. */
  List<Load> take() {
    List<Load> taken = points;
    points = new ArrayList<>();
    return taken;
  }

  /** Nothing more is told. */
  void end() {
    calm(Long.MAX_VALUE);
  }

  /** Who was not told of since then takes nothing any more. */
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
