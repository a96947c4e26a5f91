package dev.kymo.analysis.statistics;

import dev.kymo.analysis.cause.ReportedTimes;
import dev.kymo.analysis.costs.CountedTrack;
import dev.kymo.analysis.selection.LeftOut;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How often the things of a subject happened in a selection, and how long they took: the same
 * numbers as the tables of {@code summary} and {@code events}, for each group.
 *
 * @param columns that the rows' rates are of
 * @param rows that most often happened first
 * @param atLeast whether there may have been more
 */
public record Statistics(TimeColumns columns, List<StatisticsRow> rows, boolean atLeast) {
  /**
   * Goes through a selection.
   *
   * @throws UnanswerableException if there are too many rows
   */
  public static Statistics of(
      Timeline timeline,
      TimelineSelection selection,
      Subject subject,
      Grouping by,
      int columns,
      Progress progress) {
    TimelineSelection of = Walk.tracks(timeline, selection, subject);
    TimeColumns times = TimeColumns.of(timeline, of, columns);
    Walk walk = new Walk(timeline, of, by, progress);
    Sums sums = walk.run(subject, () -> new Sums(times));
    if (subject.kind() != null) {
      sums.count(timeline, of, by);
    }
    return new Statistics(
        times,
        new Rows(timeline, of, subject, by, walk.isIncomplete()).of(sums.all),
        walk.isIncomplete() || of.lossy(timeline));
  }

  /** Rows, of a kilobyte or less. */
  private static final int MOST = 1 << 17;

  /** Adds up what happens. */
  private static final class Sums implements Walk.Taker<Sums> {
    private final TimeColumns times;
    private final List<Distribution> all = new ArrayList<>();
    private final Map<Integer, Distribution[]> byGroup = new HashMap<>();

    /** By number. */
    private @Nullable Distribution[] current = {};

    private int group;

    Sums(TimeColumns times) {
      this.times = times;
    }

    private Distribution of(int number, int ofThis) {
      if (ofThis != group) {
        byGroup.put(group, current);
        group = ofThis;
        current = byGroup.getOrDefault(ofThis, new Distribution[0]);
      }
      Distribution known = number < current.length ? current[number] : null;
      return known == null ? made(number) : known;
    }

    private Distribution made(int number) {
      if (all.size() >= MOST) {
        throw new UnanswerableException(
            "There are more than %d rows: choose fewer threads, less time, or coarser groups."
                .formatted(MOST));
      }
      if (number >= current.length) {
        current = Arrays.copyOf(current, Math.max(number + 1, current.length * 2));
      }
      Distribution made = new Distribution(number, group, times.count());
      current[number] = made;
      all.add(made);
      return made;
    }

    @Override
    public void take(
        int number,
        int ofThis,
        long from,
        long time,
        boolean nested,
        int track,
        int depth,
        long begin,
        long whole) {
      int column = begin < times.from() ? -1 : times.of(begin);
      of(number, ofThis).add(column, from, time, nested, track, depth, begin, whole);
    }

    @Override
    public void merge(Sums other) {
      other.all.forEach(more -> of(more.number, more.group).merge(more));
    }

    /** Adds calls that were counted only; on which processor they were is not known. */
    void count(Timeline timeline, TimelineSelection selection, Grouping by) {
      Groups groups = new Groups(timeline, new TimelineSelection(0, 0, List.of()), by);
      for (int track : selection.tracks()) {
        if (timeline.counts().calls(track) > 0) {
          groups.track(track);
          CountedTrack.of(timeline, track)
              .between(
                  selection.from(),
                  selection.to(),
                  (method, calls) -> of(method, groups.at(Long.MIN_VALUE)).add(calls));
        }
      }
    }
  }

  /** Makes rows of sums. */
  private static final class Rows {
    private final Timeline timeline;
    private final TimelineSelection selection;
    private final Subject subject;
    private final Grouping by;
    private final boolean incomplete;
    private final BitSet leftOut;
    private final Map<Integer, TracedEvent> events = new HashMap<>();
    private final Map<Integer, Boolean> lossy = new HashMap<>();
    private final Map<Integer, List<Integer>> byGroup;
    private final boolean allLossy;

    Rows(
        Timeline timeline,
        TimelineSelection selection,
        Subject subject,
        Grouping by,
        boolean incomplete) {
      this.subject = subject;
      this.timeline = timeline;
      this.selection = selection;
      this.by = by;
      this.incomplete = incomplete;
      leftOut = LeftOut.between(timeline.steps(), selection.from(), selection.to());
      timeline.events().forEach(event -> events.put(event.number(), event));
      byGroup = byGroup();
      allLossy = selection.lossy(timeline);
    }

    List<StatisticsRow> of(List<Distribution> all) {
      return all.stream()
          .filter(sums -> !sums.isEmpty() && !isWeaving(sums.number))
          .map(this::row)
          .sorted(
              Comparator.comparingLong((StatisticsRow row) -> -row.count())
                  .thenComparing(StatisticsRow::name)
                  .thenComparingInt(StatisticsRow::number)
                  .thenComparingInt(StatisticsRow::group))
          .toList();
    }

    /** As in the report of waits. */
    private boolean isWeaving(int number) {
      return subject == Subject.WAITS && ReportedTimes.isWeaving(timeline.method(number));
    }

    private StatisticsRow row(Distribution sums) {
      // Numbers of events are among those of methods, and damaged recordings have some twice.
      TracedEvent event = subject.isPoint() ? events.get(sums.number) : null;
      String name =
          event == null ? timeline.method(sums.number).qualifiedName() : event.qualifiedName();
      boolean atLeast = incomplete || leftOut.get(sums.number) || isLossy(sums.group);
      return sums.row(timeline.counts(), name, atLeast);
    }

    private boolean isLossy(int group) {
      boolean apart = by == Grouping.PROCESS || by == Grouping.THREAD;
      return apart ? lossy.computeIfAbsent(group, this::hasLosses) : allLossy;
    }

    private boolean hasLosses(int group) {
      List<Integer> tracks = byGroup.getOrDefault(group, List.of());
      return new TimelineSelection(selection.from(), selection.to(), tracks).lossy(timeline);
    }

    /** By group, the tracks that belong to it; all belong to each core. */
    private Map<Integer, List<Integer>> byGroup() {
      List<Track> all = timeline.tracks();
      return selection.tracks().stream()
          .collect(
              Collectors.groupingBy(track ->
                  by == Grouping.PROCESS
                      ? all.get(track).process()
                      : all.get(track).of() >= 0 ? all.get(track).of() : track));
    }
  }
}
