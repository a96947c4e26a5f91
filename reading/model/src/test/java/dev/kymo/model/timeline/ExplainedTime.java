package dev.kymo.model.timeline;

import dev.kymo.model.counts.Counts;
import dev.kymo.model.definitions.TrackKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * What share of each thread's life a recording explains by name: inside some call or state that is
 * in it, or a pause of the garbage collector. Of calls that were counted it is only known between
 * which two readings they were; there they explain at least as much as the method with the most
 * time, so the share is a lower bound. Run by {@code testing/bench/overhead}, one line a thread:
 * begin and end of its life and time explained, nanoseconds, and its name.
 */
final class ExplainedTime {
  private final Timeline timeline;
  private long[] begins = new long[16];
  private long[] ends = new long[16];
  private int size;

  /** Last event: what a thread that has ended had counted is read up to a second later. */
  private long end;

  private ExplainedTime(Timeline timeline) {
    this.timeline = timeline;
  }

  /** Argument: recording. */
  public static void main(String[] arguments) throws Exception {
    try (Timeline timeline = Timelines.open(Path.of(arguments[0]), (done, all) -> {})) {
      long counted = timeline.tracks().stream().mapToLong(Track::counted).sum();
      System.out.println(counted + " " + timeline.steps().size());
      for (Track track : timeline.tracks()) {
        if (track.kind() == TrackKind.CALLS) {
          ExplainedTime time = new ExplainedTime(timeline);
          long explained = time.of(track);
          System.out.printf(
              Locale.ROOT, "%d %d %d %s%n", track.begin(), time.end, explained, track.name());
        }
      }
    }
  }

  private long of(Track track) {
    add(track);
    end = Arrays.stream(ends, 0, size).max().orElse(track.end());
    for (Track other : timeline.tracks()) {
      boolean states = other.kind() == TrackKind.STATES && other.of() == track.id();
      if (states) {
        end = Math.max(end, Math.min(track.end(), other.end()));
      }
      if (states || (isPauses(other) && other.process() == track.process())) {
        add(other);
      }
    }
    unite();
    long explained = covered(track.begin(), end);
    for (Counts.Period period : timeline.counts().periods(track.id(), 0, timeline.duration())) {
      long from = Math.max(track.begin(), period.from());
      long to = Math.min(end, period.to());
      long counted = Math.min(counted(track, from, to), to - from);
      explained += Math.max(0, counted - covered(from, to));
    }
    return explained;
  }

  private static boolean isPauses(Track track) {
    return track.kind() == TrackKind.JVM && track.name().startsWith("GC pauses");
  }

  private void add(Track track) {
    timeline.slices(
        track.id(),
        0,
        timeline.duration(),
        0,
        depth -> depth == 0,
        (depth, method, begin, end, count, flags) -> {
          if (size == begins.length) {
            begins = Arrays.copyOf(begins, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
          }
          begins[size] = begin;
          ends[size++] = end;
        });
  }

  /** Calls come in order, and states come in order: merges the two, and what touches. */
  private void unite() {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(begins[a], begins[b]));
    long[] from = new long[size];
    long[] to = new long[size];
    int united = 0;
    for (int i : order) {
      if (united > 0 && begins[i] <= to[united - 1]) {
        to[united - 1] = Math.max(to[united - 1], ends[i]);
      } else {
        from[united] = begins[i];
        to[united++] = ends[i];
      }
    }
    begins = from;
    ends = to;
    size = united;
  }

  private long covered(long from, long to) {
    int first = Arrays.binarySearch(ends, 0, size, from);
    long sum = 0;
    for (int i = first < 0 ? -first - 1 : first; i < size && begins[i] < to; i++) {
      sum += Math.max(0, Math.min(to, ends[i]) - Math.max(from, begins[i]));
    }
    return sum;
  }

  private long counted(Track track, long from, long to) {
    long[] most = {0};
    timeline
        .counts()
        .between(
            track.id(),
            from,
            to,
            calls -> {
              double each = calls.timed() == 0 ? 0 : (double) calls.total() / calls.timed();
              long total = Math.max(calls.total(), (long) (each * calls.calls()));
              most[0] = Math.max(most[0], total);
            });
    return most[0];
  }
}
