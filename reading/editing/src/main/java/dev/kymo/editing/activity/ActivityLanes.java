package dev.kymo.editing.activity;

import dev.kymo.analysis.activity.ActivityReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds room for activities: those of one name stand beside each other in lanes, in each of which
 * one is over before the next begins.
 */
final class ActivityLanes {
  /** Lanes of one name at most. */
  static final int MAX = 64;

  /** Names at most; activities of more share the lanes of {@link ActivityReport#OTHERS}. */
  static final int MAX_NAMES = 1000;

  private final Map<String, List<Lane>> byName = new HashMap<>();
  private int lanes;
  private long crowdedOut;

  /** A row for activities of one name, one after the other. */
  static final class Lane {
    private final int thread;
    private final String name;
    private long free;
    private boolean named;

    Lane(int thread, String name, long free) {
      this.thread = thread;
      this.name = name;
      this.free = free;
    }

    /** Number of its thread, from 1 in the order in which lanes were needed. */
    int thread() {
      return thread;
    }

    String name() {
      return name;
    }

    /** To be called by whoever gives it its name; returns whether that is still to be done. */
    boolean nameNow() {
      boolean first = !named;
      named = true;
      return first;
    }
  }

  /**
   * A lane that is free when an activity begins, and now taken until that ends.
   *
   * @return null if there are so many at that time that it has no room
   */
  @Nullable Lane take(String given, long begin, long end) {
    boolean kept = byName.containsKey(given) || byName.size() < MAX_NAMES;
    String name = kept ? given : ActivityReport.OTHERS;
    List<Lane> all = byName.computeIfAbsent(name, _ -> new ArrayList<>());
    for (Lane lane : all) {
      if (lane.free <= begin) {
        lane.free = end;
        return lane;
      }
    }
    if (all.size() == MAX) {
      crowdedOut++;
      return null;
    }
    Lane added = new Lane(++lanes, all.isEmpty() ? name : name + ' ' + (all.size() + 1), end);
    all.add(added);
    return added;
  }

  /** Activities that found no room. */
  long crowdedOut() {
    return crowdedOut;
  }
}
