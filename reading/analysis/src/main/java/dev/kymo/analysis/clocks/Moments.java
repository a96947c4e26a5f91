package dev.kymo.analysis.clocks;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * When threads went on, by their numbers in the kernel: a wait ended, or the kernel gave them a
 * processor after they had been blocked. Two recordings of the same threads have the same moments.
 */
final class Moments {
  /** Of each thread, the first ones. */
  private static final int MOST = 2000;

  private final Map<Integer, long[]> byThread = new HashMap<>();

  private Moments() {}

  /**
   * The moments of a recording.
   *
   * @return by thread, nanoseconds since 1970 as the recording's clock says, ascending
   */
  static Map<Integer, long[]> of(Timeline timeline) {
    Moments moments = new Moments();
    for (Track track : timeline.tracks()) {
      if (track.tid() > 0 && isState(track.kind())) {
        moments.add(timeline, track);
      }
    }
    return moments.byThread;
  }

  private static boolean isState(TrackKind kind) {
    return kind == TrackKind.STATES || kind == TrackKind.SCHEDULED;
  }

  private void add(Timeline timeline, Track track) {
    long[] found = new long[MOST];
    int[] count = {0};
    boolean[] blocked = {false};
    timeline.calls(
        track.id(),
        0,
        Long.MAX_VALUE,
        (depth, method, begin, end, flags) -> {
          if (depth > 0 || count[0] == MOST) {
            return;
          }
          if (track.kind() == TrackKind.STATES) {
            found[count[0]++] = timeline.wallBegin() + end;
            return;
          }
          String state = timeline.method(method).type();
          if (state.equals(SchedulerState.RUNNING.word()) && blocked[0]) {
            found[count[0]++] = timeline.wallBegin() + begin;
          }
          blocked[0] =
              state.equals(SchedulerState.BLOCKED.word())
                  || (blocked[0] && state.equals(SchedulerState.RUNNABLE.word()));
        });
    long[] these = Arrays.copyOf(found, count[0]);
    Arrays.sort(these);
    byThread.merge(track.tid(), these, (one, other) -> one.length >= other.length ? one : other);
  }
}
