package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.Reach;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.arrows.CounterValue;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The user events on one track in a window, as they are drawn: marks, and counters as curves.
 *
 * @param curves by event, at most {@link #MAX_COUNTERS}
 */
public record DrawnUserEvents(int track, List<Mark> marks, List<CounterCurve> curves) {
  /** More curves of one track cannot be looked at. */
  public static final int MAX_COUNTERS = 32;

  /** Marks and points of curves in all; no screen could show more separately. */
  private static final long MAX = 200_000;

  /** A first look back for the values that counters had before the window. */
  private static final int FIRST_EVENTS = 5000;

  /**
   * Reads what happened on some tracks between two times.
   *
   * @param resolution nanoseconds that can just be seen; what is nearer to each other is put
   *     together, and more of it if it would be too much
   */
  public static List<DrawnUserEvents> read(
      Timeline timeline, int[] tracks, long from, long to, long resolution, Progress progress) {
    Map<Integer, List<CounterRange>> counters =
        timeline.counters().stream().collect(Collectors.groupingBy(CounterRange::track));
    long lines =
        IntStream.of(tracks)
            .mapToLong(track -> 1 + counters.getOrDefault(track, List.of()).size())
            .sum();
    long coarse = Math.max(resolution, (to - from) / Math.max(1, MAX / Math.max(1, lines)));
    progress.expect(tracks.length);
    List<DrawnUserEvents> all = new ArrayList<>();
    for (int track : tracks) {
      List<CounterRange> some = counters.getOrDefault(track, List.of());
      List<CounterRange> shown = some.subList(0, Math.min(MAX_COUNTERS, some.size()));
      all.add(new Reading(timeline, track, shown, coarse, progress).read(from, to));
      progress.add(1);
    }
    return all;
  }

  /** Reads one track. */
  private static final class Reading {
    private final Timeline timeline;
    private final int track;
    private final List<CounterRange> counters;
    private final Progress progress;
    private final EventMarks marks;
    private final long resolution;
    private final Map<Integer, CounterCurve> curves = new TreeMap<>();

    /** Counters whose last value before the window is still looked for. */
    private final BitSet missing = new BitSet();

    Reading(
        Timeline timeline,
        int track,
        List<CounterRange> counters,
        long resolution,
        Progress progress) {
      this.timeline = timeline;
      this.track = track;
      this.counters = counters;
      this.progress = progress;
      this.marks = new EventMarks(resolution);
      this.resolution = resolution;
      counters.forEach(this::curve);
    }

    DrawnUserEvents read(long from, long to) {
      timeline.events(
          track,
          from,
          to,
          (time, event, batch, word) -> {
            progress.check();
            if (!event.isCounter()) {
              marks.add(time, event.number());
              return;
            }
            CounterCurve curve = curves.get(event.number());
            double value = event.value(batch, word);
            if (curve != null && !Double.isNaN(value)) {
              curve.add(time, value);
            }
          });
      lookBack(from);
      return new DrawnUserEvents(track, marks.done(), List.copyOf(curves.values()));
    }

    /** Finds the values that counters had when the window began. */
    private void lookBack(long from) {
      long begin = from;
      for (CounterRange counter : counters) {
        Optional<CounterValue> kept = timeline.counterBefore(track, counter.event(), from);
        if (kept.isPresent()) {
          curve(counter).before(kept.get().value());
          if (!kept.get().last()) {
            begin = Math.min(begin, kept.get().time());
            missing.set(counter.event());
          }
        }
      }
      Reach reach =
          new Reach(timeline, new TimelineSelection(0, from, List.of(track)), FIRST_EVENTS);
      long to = from - 1;
      while (!missing.isEmpty() && to >= begin) {
        long first = reach.beginOfPiece(to, begin);
        lookAt(first, to);
        to = first - 1;
        reach.grow();
      }
    }

    /** Takes the last values between two times, of those counters of which there are none later. */
    private void lookAt(long from, long to) {
      Map<Integer, Double> found = new TreeMap<>();
      timeline.events(
          track,
          from,
          to,
          (time, event, batch, word) -> {
            progress.check();
            if (missing.get(event.number())) {
              double value = event.value(batch, word);
              if (!Double.isNaN(value)) {
                found.put(event.number(), value);
              }
            }
          });
      for (CounterRange counter : counters) {
        Double value = found.get(counter.event());
        if (value != null) {
          curve(counter).before(value);
          missing.clear(counter.event());
        }
      }
    }

    private CounterCurve curve(CounterRange counter) {
      return curves.computeIfAbsent(counter.event(), event -> new CounterCurve(event, resolution));
    }
  }
}
