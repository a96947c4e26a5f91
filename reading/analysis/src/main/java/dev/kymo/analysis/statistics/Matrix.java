package dev.kymo.analysis.statistics;

import dev.kymo.analysis.selection.CallCollector;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.Arrows.Arrow;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who sent how much to whom, or let whom go on how often: of messages those that were on their way
 * in a selection, of waits those that ended in it, if either thread is selected. Parties are groups
 * as in {@link StatisticsRow#group}.
 *
 * @param parties in their order
 * @param cells those that are not empty, by sender, then receiver
 * @param atLeast whether there may have been more
 */
public record Matrix(List<Integer> parties, List<MatrixCell> cells, boolean atLeast) {
  /**
   * Goes through a selection.
   *
   * @throws UnanswerableException if there are too many pairs
   */
  public static Matrix of(
      Timeline timeline,
      TimelineSelection selection,
      MatrixKind kind,
      Grouping by,
      Progress progress) {
    boolean lossy = selection.lossy(timeline);
    if (kind == MatrixKind.MESSAGES) {
      return messages(timeline, selection, by, lossy, progress);
    }
    List<Track> all = timeline.tracks();
    TrackKind tracks = kind == MatrixKind.WAITS ? TrackKind.STATES : TrackKind.SCHEDULED;
    TimelineSelection waiting =
        new TimelineSelection(
            selection.from(),
            selection.to(),
            all.stream().filter(track -> track.kind() == tracks).map(Track::id).toList());
    Set<Integer> wanted = threads(all, selection);
    Waits waits =
        CallWalk.run(
            timeline, waiting, progress, () -> new Waits(timeline, waiting, wanted, kind, by));
    return of(waits.cells, lossy);
  }

  private static Set<Integer> threads(List<Track> all, TimelineSelection selection) {
    Set<Integer> threads = new HashSet<>();
    selection.tracks().forEach(track -> threads.add(thread(all, track)));
    return threads;
  }

  private static int thread(List<Track> all, int track) {
    return all.get(track).of() >= 0 ? all.get(track).of() : track;
  }

  private static Matrix of(Cells cells, boolean atLeast) {
    Set<Integer> parties = new TreeSet<>();
    cells
        .all
        .values()
        .forEach(cell -> {
          parties.add(cell.from());
          parties.add(cell.to());
        });
    return new Matrix(
        List.copyOf(parties),
        cells.all.values().stream()
            .sorted(Comparator.comparingInt(MatrixCell::from).thenComparingInt(MatrixCell::to))
            .toList(),
        atLeast);
  }

  private static Matrix messages(
      Timeline timeline,
      TimelineSelection selection,
      Grouping by,
      boolean lossy,
      Progress progress) {
    Arrows arrows =
        timeline.arrows(ArrowKind.MESSAGE, selection.from(), selection.to(), Integer.MAX_VALUE - 1);
    List<Track> all = timeline.tracks();
    Set<Integer> wanted = threads(all, selection);
    List<Arrow> messages =
        arrows.arrows().stream()
            .filter(arrow ->
                wanted.contains(thread(all, arrow.fromTrack()))
                    || wanted.contains(thread(all, arrow.toTrack())))
            .toList();
    Groups.OfTracks groups = new Groups.OfTracks(timeline, selection, by);
    Cells cells = new Cells();
    for (Arrow message : messages) {
      progress.check();
      cell(cells, groups, message)
          .add(message.toTrack(), 0, message.time() - message.waited(), message.waited());
    }
    new MessageSizes(timeline)
        .of(messages, progress, (message, size) -> cell(cells, groups, message).addBytes(size));
    return of(cells, lossy || arrows.longestOnly());
  }

  private static MatrixCell cell(Cells cells, Groups.OfTracks groups, Arrow message) {
    return cells.of(
        groups.at(message.fromTrack(), message.time() - message.waited()),
        groups.at(message.toTrack(), message.time()));
  }

  private static final class Cells {
    /** Pairs, of some 500 bytes each. */
    private static final int MOST = 1 << 17;

    private final Map<Long, MatrixCell> all = new HashMap<>();

    MatrixCell of(int from, int to) {
      if (all.size() > MOST) {
        throw new UnanswerableException(
            "There are more than %d pairs: choose fewer threads, less time, or coarser groups."
                .formatted(MOST));
      }
      return all.computeIfAbsent(
          (long) from << 32 | (to & 0xFFFFFFFFL), _ -> new MatrixCell(from, to));
    }
  }

  /** Collects the waits that another thread ended. */
  private static final class Waits implements CallCollector<Waits> {
    private final Timeline timeline;
    private final TimelineSelection selection;
    private final Set<Integer> wanted;
    private final MatrixKind kind;
    private final Groups.OfTracks groups;
    private final Cells cells = new Cells();
    private int track;
    private int other = -1;

    Waits(
        Timeline timeline,
        TimelineSelection selection,
        Set<Integer> wanted,
        MatrixKind kind,
        Grouping by) {
      this.timeline = timeline;
      this.selection = selection;
      this.wanted = wanted;
      this.kind = kind;
      this.groups = new Groups.OfTracks(timeline, selection, by);
    }

    @Override
    public void track(int next) {
      track = next;
      other = -1;
    }

    @Override
    public void detail(int object, int otherTrack) {
      other = otherTrack;
    }

    @Override
    public void call(int depth, int method, long begin, long end, int flags) {
      int by = other;
      other = -1;
      List<Track> all = timeline.tracks();
      if (by < 0
          || (flags & Slice.OPEN_END) != 0
          || end < selection.from()
          || end > selection.to()
          || ArrowKind.of(all.get(track).kind(), timeline.method(method)) != kind.arrows()
          || !(wanted.contains(thread(all, track)) || wanted.contains(thread(all, by)))) {
        return;
      }
      cells.of(groups.at(by, end), groups.at(track, end)).add(track, depth, begin, end - begin);
    }

    @Override
    public void merge(Waits more) {
      more.cells.all.values().forEach(cell -> cells.of(cell.from(), cell.to()).merge(cell));
    }
  }
}
