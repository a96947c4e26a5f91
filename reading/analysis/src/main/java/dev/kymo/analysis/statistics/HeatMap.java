package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.DurationMap;
import dev.kymo.model.timeline.Timeline;
import java.util.BitSet;

/**
 * How long things of a subject took when, as statistics have it: cells of the time in which they
 * began by how long they took. What began before the selection is in the first column.
 *
 * @param atLeast whether there may have been more
 */
public record HeatMap(TimeColumns columns, DurationMap map, boolean atLeast) {
  /** A group that is not told apart from others. */
  public static final int ANY = Integer.MIN_VALUE;

  /**
   * Which things.
   *
   * @param numbers of the methods, states or events
   * @param group the only one, or {@link #ANY}
   */
  public record Choice(Subject subject, BitSet numbers, Grouping by, int group) {}

  /** Goes through a selection. */
  public static HeatMap of(
      Timeline timeline,
      TimelineSelection selection,
      Choice choice,
      int columns,
      Progress progress) {
    TimelineSelection of = Walk.tracks(timeline, selection, choice.subject());
    TimeColumns times = TimeColumns.of(timeline, of, columns);
    Grouping by = choice.group() == ANY ? Grouping.NONE : choice.by();
    Walk walk = new Walk(timeline, of, by, progress);
    Cells cells = walk.run(choice.subject(), () -> new Cells(times, choice));
    return new HeatMap(times, cells.map, walk.isIncomplete() || of.lossy(timeline));
  }

  private static final class Cells implements Walk.Taker<Cells> {
    private final TimeColumns times;
    private final Choice choice;
    private final DurationMap map = new DurationMap();

    Cells(TimeColumns times, Choice choice) {
      this.times = times;
      this.choice = choice;
    }

    @Override
    public void take(
        int number,
        int group,
        long from,
        long time,
        boolean nested,
        int track,
        int depth,
        long begin,
        long whole) {
      boolean wanted = choice.group() == ANY || choice.group() == group;
      if (wanted && time != Walk.NO_TIME && choice.numbers().get(number)) {
        map.add(times.of(from), time, track, depth, begin, whole);
      }
    }

    @Override
    public void merge(Cells other) {
      map.merge(other.map);
    }
  }
}
