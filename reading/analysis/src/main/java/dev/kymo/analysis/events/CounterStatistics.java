package dev.kymo.analysis.events;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.model.arrows.CounterRange;
import dev.kymo.model.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The values of one user counter in a selection. A value holds until the next one, so the value at
 * the selection's begin counts as well.
 *
 * @param event the counter's number
 * @param count how many values were reported inside
 * @param min smallest value it had
 * @param max largest value it had
 * @param mean by time, from when its value is known to the end of the selection
 * @param last value that it had in the end
 */
public record CounterStatistics(
    int track, int event, long count, double min, double max, double mean, double last) {

  /**
   * Of each counter that had a value, track by track; for each track at most {@link
   * DrawnUserEvents#MAX_COUNTERS}.
   */
  public static List<CounterStatistics> of(
      Timeline timeline, TimelineSelection selection, Progress progress) {
    Map<Integer, List<CounterRange>> counters =
        timeline.counters().stream().collect(Collectors.groupingBy(CounterRange::track));
    List<Integer> tracks = selection.tracks().stream().filter(counters::containsKey).toList();
    long end = Math.clamp(timeline.duration(), selection.from(), selection.to());
    progress.expect(tracks.size());
    List<CounterStatistics> all = new ArrayList<>();
    for (int track : tracks) {
      Map<Integer, Sums> sums = new TreeMap<>();
      counters.getOrDefault(track, List.of()).stream()
          .limit(DrawnUserEvents.MAX_COUNTERS)
          .forEach(counter -> sums.put(counter.event(), new Sums()));
      before(timeline, track, selection.from(), sums, progress);
      inside(timeline, track, selection, sums, progress);
      sums.forEach((event, sum) -> {
        if (sum.known) {
          all.add(sum.finish(track, event, end));
        }
      });
      progress.add(1);
    }
    return all;
  }

  private static void before(
      Timeline timeline, int track, long from, Map<Integer, Sums> sums, Progress progress) {
    for (DrawnUserEvents events :
        DrawnUserEvents.read(timeline, new int[] {track}, from, from, 1, new Progress())) {
      progress.check();
      for (CounterCurve curve : events.curves()) {
        Sums sum = sums.get(curve.event());
        if (sum != null && !Double.isNaN(curve.before())) {
          sum.before(from, curve.before());
        }
      }
    }
  }

  private static void inside(
      Timeline timeline,
      int track,
      TimelineSelection selection,
      Map<Integer, Sums> sums,
      Progress progress) {
    timeline.events(
        track,
        selection.from(),
        selection.to(),
        (time, event, batch, word) -> {
          progress.check();
          Sums sum = event.isCounter() ? sums.get(event.number()) : null;
          double value = sum == null ? Double.NaN : event.value(batch, word);
          if (sum != null && !Double.isNaN(value)) {
            sum.count++;
            sum.take(time, value);
          }
        });
  }

  private static final class Sums {
    long count;
    boolean known;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double area;
    private double value;
    private long since;
    private long first;

    /** The value comes from before the selection, and has held for no time inside. */
    private boolean from;

    void before(long time, double last) {
      known = true;
      from = true;
      value = last;
      since = time;
      first = time;
    }

    void take(long time, double next) {
      if (from && time > since) {
        include(value);
      }
      from = false;
      if (known) {
        area += value * (time - since);
      } else {
        first = time;
      }
      known = true;
      value = next;
      since = time;
      include(next);
    }

    private void include(double each) {
      min = Math.min(min, each);
      max = Math.max(max, each);
    }

    CounterStatistics finish(int track, int event, long end) {
      if (from) {
        include(value);
      }
      double whole = area + value * Math.max(0, end - since);
      double mean = end > first ? whole / (end - first) : value;
      return new CounterStatistics(track, event, count, min, max, mean, value);
    }
  }
}
