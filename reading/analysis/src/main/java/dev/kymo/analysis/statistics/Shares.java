package dev.kymo.analysis.statistics;

import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the time of threads is divided among groups of methods or states, over time: in each column
 * the self time of the calls, so that no time counts twice. Self times are those of the report;
 * what was counted only is not here, because nobody knows when it was.
 *
 * @param groups the largest first; what is left of them is in the last, if there are very many
 * @param atLeast whether there may have been more
 */
public record Shares(TimeColumns columns, List<Group> groups, boolean atLeast) {
  /** Of the groups that are put together. */
  public static final String OTHERS = "(others)";

  /**
   * A group.
   *
   * @param method the one with the most time in it; -1 = of several groups
   * @param time nanoseconds of all threads together
   * @param byColumn the same in each column
   */
  @SuppressWarnings("ArrayRecordComponent") // numbers to be shown, not a value
  public record Group(String name, int method, long time, long[] byColumn) {}

  /**
   * Goes through a selection.
   *
   * @param subject one that is calls
   * @param groups names the group of a method or state
   * @param most groups at most
   */
  public static Shares of(
      Timeline timeline,
      TimelineSelection selection,
      Subject subject,
      Function<TracedMethod, String> groups,
      int columns,
      int most,
      Progress progress) {
    TimelineSelection of = Walk.tracks(timeline, selection, subject);
    TimeColumns times = TimeColumns.of(timeline, of, columns);
    Collector sums =
        CallWalk.run(
            timeline,
            of,
            progress,
            () -> new Collector(timeline, times, groups, subject == Subject.WAITS));
    return new Shares(times, sums.groups(most), of.lossy(timeline));
  }

  /** Adds up self times. */
  private static final class Collector implements CallCollector<Collector> {
    private final Timeline timeline;
    private final TimeColumns times;
    private final Function<TracedMethod, String> names;
    private final boolean waits;
    private final Map<String, ColumnSums> sums = new HashMap<>();
    private @Nullable ColumnSums[] byMethod = {};
    private long[] selfTimes = {};

    /** By depth: time of the calls at it whose caller has not come yet. */
    private ColumnSums[] below = {};

    Collector(
        Timeline timeline, TimeColumns times, Function<TracedMethod, String> names, boolean waits) {
      this.waits = waits;
      this.timeline = timeline;
      this.times = times;
      this.names = names;
    }

    @Override
    public void track(int next) {
      for (ColumnSums depth : below) {
        depth.clear();
      }
    }

    @Override
    public void call(int depth, int method, long begin, long end, int flags) {
      long from = Math.max(begin, times.from());
      long to = Math.min(end, times.to());
      if (to < from || (waits && ReportedTimes.isWeaving(timeline.method(method)))) {
        return;
      }
      makeRoom(depth + 2);
      ColumnSums group = group(method);
      group.add(from, to);
      selfTimes[method] += to - from - group.take(below[depth + 1]);
      below[depth].add(from, to);
    }

    private void makeRoom(int depths) {
      if (depths > below.length) {
        int known = below.length;
        below = Arrays.copyOf(below, Math.max(depths, known * 2));
        for (int i = known; i < below.length; i++) {
          below[i] = new ColumnSums(times);
        }
      }
    }

    private ColumnSums group(int method) {
      if (method >= byMethod.length) {
        byMethod = Arrays.copyOf(byMethod, Math.max(method + 1, byMethod.length * 2));
        selfTimes = Arrays.copyOf(selfTimes, byMethod.length);
      }
      ColumnSums known = byMethod[method];
      if (known == null) {
        String name = names.apply(timeline.method(method));
        known = sums.computeIfAbsent(name, _ -> new ColumnSums(times));
        byMethod[method] = known;
      }
      return known;
    }

    @Override
    public void merge(Collector other) {
      other.sums.forEach(
          (name, more) -> sums.computeIfAbsent(name, _ -> new ColumnSums(times)).merge(more));
      for (int method = 0; method < other.byMethod.length; method++) {
        if (other.byMethod[method] != null) {
          group(method);
          selfTimes[method] += other.selfTimes[method];
        }
      }
    }

    /** By group, the method with the most time. */
    private Map<ColumnSums, Integer> largest() {
      Map<ColumnSums, Integer> largest = new HashMap<>();
      for (int method = 0; method < byMethod.length; method++) {
        ColumnSums group = byMethod[method];
        if (group != null) {
          int known = largest.getOrDefault(group, method);
          largest.put(group, selfTimes[method] > selfTimes[known] ? method : known);
        }
      }
      return largest;
    }

    List<Group> groups(int most) {
      List<Group> all = new ArrayList<>();
      Map<ColumnSums, Integer> largest = largest();
      sums.forEach((name, time) ->
          all.add(new Group(name, largest.getOrDefault(time, -1), time.total(), time.sums)));
      all.removeIf(group -> group.time() == 0);
      all.sort(Comparator.comparingLong((Group group) -> -group.time()).thenComparing(Group::name));
      if (all.size() <= most) {
        return all;
      }
      ColumnSums rest = new ColumnSums(times);
      for (Group group : all.subList(most - 1, all.size())) {
        Arrays.setAll(rest.sums, i -> rest.sums[i] + group.byColumn()[i]);
      }
      List<Group> shown = new ArrayList<>(all.subList(0, most - 1));
      shown.add(new Group(OTHERS, -1, Arrays.stream(rest.sums).sum(), rest.sums));
      return shown;
    }
  }
}
