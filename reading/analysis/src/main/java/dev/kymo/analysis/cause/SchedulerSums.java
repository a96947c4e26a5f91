package dev.kymo.analysis.cause;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How long a thread was in each state until each of some times: what lies between two of them is a
 * difference, so that very many calls cost one reading.
 */
public final class SchedulerSums {
  private static final List<SchedulerState> AT_DEPTH_0 =
      List.of(SchedulerState.RUNNING, SchedulerState.RUNNABLE, SchedulerState.BLOCKED);
  private static final List<SchedulerState> INSIDE =
      List.of(SchedulerState.INTERRUPTED, SchedulerState.FAULT);

  private final long[] times;
  private final SchedulerStates states;
  private final Map<SchedulerState, Sum> sums = new EnumMap<>(SchedulerState.class);
  private final Row outside;
  private final Row inside;

  /** Of one state: until now, and until each of the times. */
  private static final class Sum {
    private final long[] at;
    private long now;

    Sum(int times) {
      at = new long[times];
    }
  }

  /** States that do not overlap, in the order of time. */
  private final class Row {
    private final List<Sum> all;
    private int next;

    Row(List<SchedulerState> kinds) {
      all = kinds.stream().map(SchedulerSums.this::sum).toList();
    }

    void add(SchedulerState state, long begin, long end) {
      Sum sum = sum(state);
      note(begin);
      while (next < times.length && times[next] < end) {
        int at = next;
        note(times[at]);
        sum.at[at] += times[at] - begin;
      }
      sum.now += state == SchedulerState.FAULT ? 1 : end - begin;
    }

    /** Nothing changes before this. */
    void note(long time) {
      for (; next < times.length && times[next] <= time; next++) {
        for (Sum sum : all) {
          sum.at[next] = sum.now;
        }
      }
    }
  }

  private SchedulerSums(Timeline timeline, long[] times) {
    this.times = times;
    this.states = new SchedulerStates(timeline::method);
    this.outside = new Row(AT_DEPTH_0);
    this.inside = new Row(INSIDE);
  }

  /**
   * Reads the states of a track.
   *
   * @param times in ascending order, each once
   */
  public static SchedulerSums of(Timeline timeline, int track, long[] times, Progress progress) {
    SchedulerSums sums = new SchedulerSums(timeline, times);
    if (times.length > 0) {
      timeline.calls(track, times[0], times[times.length - 1], sums.visitor(progress));
    }
    sums.outside.note(Long.MAX_VALUE);
    sums.inside.note(Long.MAX_VALUE);
    return sums;
  }

  private CallVisitor visitor(Progress progress) {
    return (depth, method, begin, end, flags) -> {
      progress.check();
      SchedulerState state = states.of(method);
      if (state == null) {
        return;
      }
      if (depth == 0 && AT_DEPTH_0.contains(state)) {
        outside.add(state, begin, end);
      } else if (depth == 1 && INSIDE.contains(state)) {
        inside.add(state, begin, end);
      }
    };
  }

  /** Between two of the times. */
  public CauseSplit between(long begin, long end) {
    int from = Arrays.binarySearch(times, begin);
    int to = Arrays.binarySearch(times, end);
    long running = between(SchedulerState.RUNNING, from, to);
    long interrupted = between(SchedulerState.INTERRUPTED, from, to);
    long runnable = between(SchedulerState.RUNNABLE, from, to);
    long blocked = between(SchedulerState.BLOCKED, from, to);
    return new CauseSplit(
        running - interrupted,
        interrupted,
        runnable,
        blocked,
        end - begin - running - runnable - blocked,
        between(SchedulerState.FAULT, from, to));
  }

  private long between(SchedulerState state, int from, int to) {
    long[] at = sum(state).at;
    return at[to] - at[from];
  }

  private Sum sum(SchedulerState state) {
    return sums.computeIfAbsent(state, s -> new Sum(times.length));
  }
}
