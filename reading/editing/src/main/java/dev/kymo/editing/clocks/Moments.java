package dev.kymo.editing.clocks;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Moments at which threads stopped and went on, by the threads' numbers in the kernel. A recording
 * of waits has when a wait began, which is shortly before the kernel took the processor away, and
 * when it ended, which is shortly after the kernel gave it back. Two recordings of the same threads
 * have the same moments.
 *
 * @param stops nanoseconds since 1970 as the recording's clock says, ascending
 * @param goesOn the same
 */
record Moments(Map<Integer, long[]> stops, Map<Integer, long[]> goesOn) {
  /** Of each thread, the first ones. */
  private static final int MOST = 2000;

  /** Times that grow, up to a number. */
  private static final class Times {
    private final long[] times = new long[MOST];
    private int count;

    void add(long time) {
      if (count < MOST) {
        times[count++] = time;
      }
    }

    long[] sorted() {
      long[] these = Arrays.copyOf(times, count);
      Arrays.sort(these);
      return these;
    }
  }

  static Moments of(Timeline timeline) {
    Moments moments = new Moments(new HashMap<>(), new HashMap<>());
    for (Track track : timeline.tracks()) {
      boolean states = track.kind() == TrackKind.STATES || track.kind() == TrackKind.SCHEDULED;
      if (track.tid() > 0 && states) {
        moments.add(timeline, track);
      }
    }
    return moments;
  }

  private void add(Timeline timeline, Track track) {
    Times stopped = new Times();
    Times wentOn = new Times();
    boolean[] blocked = {false};
    boolean kernel = track.kind() == TrackKind.SCHEDULED;
    timeline.calls(
        track.id(),
        0,
        Long.MAX_VALUE,
        (depth, method, begin, end, flags) -> {
          if (depth == 0 && kernel) {
            blocked[0] = state(timeline, method, begin, blocked[0], stopped, wentOn);
          } else if (depth == 0) {
            stopped.add(timeline.wallBegin() + begin);
            wentOn.add(timeline.wallBegin() + end);
          }
        });
    put(stops, track.tid(), stopped.sorted());
    put(goesOn, track.tid(), wentOn.sorted());
  }

  /** Takes a state of the kernel; returns whether the thread is blocked, or has been woken. */
  private static boolean state(
      Timeline timeline, int method, long begin, boolean was, Times stopped, Times wentOn) {
    String state = timeline.method(method).type();
    long time = timeline.wallBegin() + begin;
    if (state.equals(SchedulerState.BLOCKED.word())) {
      stopped.add(time);
      return true;
    }
    if (state.equals(SchedulerState.RUNNING.word()) && was) {
      wentOn.add(time);
    }
    return was && state.equals(SchedulerState.RUNNABLE.word());
  }

  private static void put(Map<Integer, long[]> to, int tid, long[] times) {
    to.merge(tid, times, (one, other) -> one.length >= other.length ? one : other);
  }
}
