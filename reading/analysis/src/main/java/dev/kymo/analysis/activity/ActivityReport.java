package dev.kymo.analysis.activity;

import dev.kymo.analysis.costs.Durations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** How many activities there are of each name, how long they took, and the longest of them. */
public final class ActivityReport implements Consumer<Activity> {
  /** Names at most; activities of more are added up under {@link #OTHERS}. */
  private static final int MAX_NAMES = 10_000;

  /** Name of the row for all activities with names beyond the first. */
  public static final String OTHERS = "(others)";

  private static final Comparator<Activity> SHORTEST_FIRST =
      Comparator.comparingLong(Activity::duration)
          .thenComparing(Comparator.comparingLong(Activity::begin).reversed());

  private final Predicate<Activity> wanted;
  private final int top;
  private final Map<String, Row> rows = new HashMap<>();
  private final PriorityQueue<Activity> longest = new PriorityQueue<>(SHORTEST_FIRST);

  /** The activities of one name that have ended; those that were left open are only counted. */
  public static final class Row {
    private final String name;
    private final Durations durations = new Durations();
    private long count;
    private long open;
    private long total;
    private long max;
    private long events;

    Row(String name) {
      this.name = name;
    }

    public String name() {
      return name;
    }

    /** How many have ended. */
    public long count() {
      return count;
    }

    /** How many were left open. */
    public long open() {
      return open;
    }

    /** Nanoseconds that they took together. */
    public long total() {
      return total;
    }

    /** Nanoseconds of the longest. */
    public long max() {
      return max;
    }

    /** Nanoseconds, 0 if none has ended. */
    public long average() {
      return count == 0 ? 0 : total / count;
    }

    /** The duration that this share of them does not exceed. */
    public long percentile(double share) {
      return Math.min(max, durations.percentile(share));
    }

    /** How many events they have. */
    public long events() {
      return events;
    }
  }

  /**
   * Nothing yet.
   *
   * @param wanted chooses activities
   * @param top how many of the longest are kept
   */
  public ActivityReport(Predicate<Activity> wanted, int top) {
    this.wanted = wanted;
    this.top = top;
  }

  @Override
  public void accept(Activity activity) {
    if (!wanted.test(activity)) {
      return;
    }
    Row row = row(activity.name());
    row.events += activity.events();
    if (!activity.ended()) {
      row.open++;
      return;
    }
    long duration = activity.duration();
    row.count++;
    row.total += duration;
    row.max = Math.max(row.max, duration);
    row.durations.addDuration(duration);
    longest.add(activity);
    if (longest.size() > top) {
      longest.poll();
    }
  }

  private Row row(String name) {
    Row known = rows.get(name);
    String kept = known == null && rows.size() >= MAX_NAMES ? OTHERS : name;
    return known == null ? rows.computeIfAbsent(kept, Row::new) : known;
  }

  /** Those that took most time in all come first. */
  public List<Row> rows() {
    return rows.values().stream()
        .sorted(Comparator.comparingLong((Row row) -> -row.total).thenComparing(Row::name))
        .toList();
  }

  /** The longest that have ended, the longest first. */
  public List<Activity> longest() {
    List<Activity> all = new ArrayList<>(longest);
    all.sort(SHORTEST_FIRST.reversed());
    return all;
  }
}
