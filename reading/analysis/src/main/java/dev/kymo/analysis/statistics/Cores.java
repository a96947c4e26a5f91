package dev.kymo.analysis.statistics;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** On which processor a thread was when, as far as that is known. Used by one thread. */
final class Cores {
  /** Nobody knows. */
  static final int UNKNOWN = -1;

  private static final String CPU = "CPU ";

  /** Of all threads together; what is more is not known: 80 MB. */
  private static final int MOST = 1 << 22;

  private final int only;
  private final int most;
  private long[] begins = {};
  private long[] ends = {};
  private int[] cores = {};
  private int count;
  private int last;

  private Cores(int only, int most) {
    this.only = only;
    this.most = most;
  }

  /**
   * Those of the thread that a track is about.
   *
   * @param scheduled as {@link #scheduled} finds them
   * @param kept how many threads' are needed at once
   */
  static Cores of(
      Timeline timeline, int track, Map<Integer, Integer> scheduled, long from, long to, int kept) {
    Track known = timeline.tracks().get(track);
    if (known.kind() == TrackKind.CPU) {
      return new Cores(known.tid(), 0);
    }
    Cores cores = new Cores(UNKNOWN, MOST / Math.max(1, kept));
    Integer states = scheduled.get(known.of() >= 0 ? known.of() : track);
    if (states != null) {
      timeline.calls(states, from, to, cores.reading(timeline));
    }
    return cores;
  }

  /** By thread, the track that says what the kernel did with it. */
  static Map<Integer, Integer> scheduled(Timeline timeline) {
    Map<Integer, Integer> scheduled = new HashMap<>();
    for (Track track : timeline.tracks()) {
      if (track.kind() == TrackKind.SCHEDULED) {
        scheduled.put(track.of() >= 0 ? track.of() : track.id(), track.id());
      }
    }
    return scheduled;
  }

  private CallVisitor reading(Timeline timeline) {
    return (depth, method, begin, end, flags) -> {
      if (depth == 0 && count < most) {
        TracedMethod state = timeline.method(method);
        if (state.is(SchedulerState.RUNNING) && state.name().startsWith(CPU)) {
          add(begin, end, number(state.name()));
        }
      }
    };
  }

  private static int number(String name) {
    try {
      return Integer.parseInt(name.substring(CPU.length()));
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  private void add(long begin, long end, int core) {
    if (count > 0 && begin < begins[count - 1]) {
      return; // what is not in order was not understood
    }
    if (count == begins.length) {
      int size = Math.max(16, count * 2);
      begins = Arrays.copyOf(begins, size);
      ends = Arrays.copyOf(ends, size);
      cores = Arrays.copyOf(cores, size);
    }
    begins[count] = begin;
    ends[count] = end;
    cores[count++] = core;
  }

  /** The processor at a time, or {@link #UNKNOWN}. */
  int at(long time) {
    if (only != UNKNOWN || count == 0) {
      return only;
    }
    if (!covers(last, time)) {
      int found = Arrays.binarySearch(begins, 0, count, time);
      last = found >= 0 ? found : Math.max(0, -found - 2);
    }
    return covers(last, time) ? cores[last] : UNKNOWN;
  }

  private boolean covers(int i, long time) {
    return begins[i] <= time && time <= ends[i];
  }
}
