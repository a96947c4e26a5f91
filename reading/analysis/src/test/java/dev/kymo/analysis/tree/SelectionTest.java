package dev.kymo.analysis.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.selection.CallWalk;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.RandomCalls;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.DurationHistogram;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.SelectionSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers about random parts of random recordings, against what {@code kymo report} prints. */
class SelectionTest {
  @TempDir Path directory;

  private record Sums(long calls, long total, long self) {}

  @ParameterizedTest
  @CsvSource({"1, 3, 300, 40", "2, 1, 2000, 40", "3, 5, 20, 40", "4, 3, 80000, 3"})
  void summariesTreesAndHistogramsAgreeWithTheReport(
      long seed, int threads, int events, int windows) throws IOException {
    System.out.println("seed=" + seed);
    Path path = RandomCalls.recording(seed, threads, events).write(directory.resolve("r"));
    SplittableRandom random = new SplittableRandom(seed);
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      check(
          path,
          timeline,
          new TimelineSelection(0, Long.MAX_VALUE / 2, tracks(timeline, random, true)));
      for (int i = 0; i < windows; i++) {
        long from = random.nextLong(timeline.duration());
        long to = from + random.nextLong(timeline.duration() >> random.nextInt(6));
        check(
            path, timeline, new TimelineSelection(from, to, tracks(timeline, random, i % 2 == 0)));
      }
    }
  }

  private static List<Integer> tracks(Timeline timeline, SplittableRandom random, boolean all) {
    List<Integer> tracks = new ArrayList<>();
    timeline.tracks().forEach(track -> tracks.add(track.id()));
    tracks.removeIf(track -> !all && random.nextBoolean());
    return tracks;
  }

  private static void check(Path path, Timeline timeline, TimelineSelection selection)
      throws IOException {
    Map<Integer, MethodSummary> report = report(path, timeline, selection);
    List<MethodCost> costs = SelectionSummary.of(timeline, selection, new Progress());
    assertThat(costs).hasSameSizeAs(report.values());
    for (MethodCost cost : costs) {
      MethodSummary row = report.get(cost.method());
      assertThat(row).isNotNull();
      assertThat(cost.calls()).isEqualTo(row.calls());
      assertThat(cost.total()).isEqualTo(row.total());
      assertThat(cost.self()).isEqualTo(row.self());
      assertThat(cost.average()).isEqualTo(row.average());
      assertThat(cost.percentile(0.5)).isEqualTo(row.p50());
      assertThat(cost.percentile(0.99)).isEqualTo(row.p99());
      checkDurations(timeline, selection, cost);
    }
    checkTrees(timeline, selection, costs);
  }

  private static Map<Integer, MethodSummary> report(
      Path path, Timeline timeline, TimelineSelection selection) throws IOException {
    List<Track> tracks = selection.tracks().stream().map(timeline.tracks()::get).toList();
    try (Recording recording = Recording.open(path)) {
      Map<Integer, MethodSummary> rows = new HashMap<>();
      SummaryQuery query =
          new SummaryQuery(
              selection.from(),
              selection.to(),
              thread -> tracks.stream().anyMatch(t -> t.thread() == thread.thread()),
              false);
      Summary.of(CallPass.open(recording), query, ProgressListener.NONE)
          .rows()
          .forEach(row -> rows.put(row.method().id(), row));
      return rows;
    }
  }

  private static void checkDurations(
      Timeline timeline, TimelineSelection selection, MethodCost cost) {
    DurationHistogram durations =
        DurationHistogram.of(timeline, selection, cost.method(), new Progress());
    assertThat(durations.calls()).isEqualTo(cost.calls());
    assertThat(durations.outliers())
        .hasSize((int) Math.min(DurationHistogram.OUTLIERS, cost.calls()))
        .startsWith(cost.longest().orElseThrow())
        .isSortedAccordingTo(PlacedCall.LONGEST_FIRST);
    long[] bounds = durations.bounds();
    assertThat(bounds).isSorted().hasSize(durations.counts().length + 1);
    long longest = cost.max();
    assertThat(bounds[bounds.length - 2]).isLessThanOrEqualTo(longest);
    assertThat(bounds[bounds.length - 1]).isGreaterThan(longest);
  }

  private static void checkTrees(
      Timeline timeline, TimelineSelection selection, List<MethodCost> costs) {
    Map<Integer, Sums> expected = new HashMap<>();
    costs.forEach(c -> expected.put(c.method(), new Sums(c.calls(), 0, c.self())));
    CallTree down = CallTree.of(timeline, selection, false, new Progress());
    assertThat(down.cut()).isZero();
    Map<Integer, Sums> sums = new HashMap<>();
    down.rows().forEach(row -> add(sums, row, 0));
    assertThat(sums).isEqualTo(expected);
    checkShape(down.rows(), true);
    CallTree up = CallTree.of(timeline, selection, true, new Progress());
    Map<Integer, Sums> roots = new HashMap<>();
    up.rows().stream().filter(row -> row.parent() < 0).forEach(row -> add(roots, row, 0));
    assertThat(roots).isEqualTo(expected);
    checkShape(up.rows(), false);
  }

  private static void add(Map<Integer, Sums> sums, CallTree.Row row, long total) {
    sums.merge(
        row.method(),
        new Sums(row.calls(), total, row.self()),
        (a, b) -> new Sums(a.calls + b.calls, a.total + b.total, a.self + b.self));
  }

  private static void checkShape(List<CallTree.Row> rows, boolean down) {
    long[] inChildren = new long[rows.size()];
    long[] lastChild = new long[rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      CallTree.Row row = rows.get(i);
      lastChild[i] = Long.MAX_VALUE;
      if (row.parent() >= 0) {
        assertThat(row.parent()).isLessThan(i);
        inChildren[row.parent()] += row.total();
        assertThat(row.total()).isLessThanOrEqualTo(lastChild[row.parent()]);
        lastChild[row.parent()] = row.total();
      }
    }
    for (int i = 0; i < rows.size(); i++) {
      CallTree.Row row = rows.get(i);
      if (down) {
        assertThat(row.total()).isEqualTo(row.self() + inChildren[i]);
      } else {
        assertThat(inChildren[i]).isLessThanOrEqualTo(row.total());
      }
    }
  }

  @Test
  void treesTooLargeKeepWhatCostsMost() throws IOException {
    Path path = RandomCalls.recording(7, 2, 20_000).write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      TimelineSelection all = new TimelineSelection(0, timeline.duration(), List.of(0, 1));
      PathCollector paths =
          CallWalk.run(timeline, all, new Progress(), () -> new PathCollector(all, 500));
      assertThat(paths.nodes().count()).isBetween(100, 500);
      assertThat(paths.leftOut()).isPositive();
      CallTree tree = CallTree.of(CalleeNode.roots(paths), 3, 20);
      assertThat(tree.rows()).hasSize(20);
      assertThat(tree.cut()).isGreaterThan(3);
      long outside =
          tree.rows().stream().filter(r -> r.parent() < 0).mapToLong(CallTree.Row::total).sum();
      CallTree whole = CallTree.of(timeline, all, false, new Progress());
      long expected =
          whole.rows().stream().filter(r -> r.parent() < 0).mapToLong(CallTree.Row::total).sum();
      assertThat(outside).isBetween(expected / 2, expected);
      CallTree up = CallTree.of(CallerNode.roots(paths), 0, 20);
      assertThat(up.rows()).hasSize(20);
      assertThat(up.cut()).isPositive();
    }
  }

  @Test
  void lossesAreFoundWhereTheyAre() throws IOException {
    var recording = RandomCalls.recording(9, 2, 100);
    recording.ring(1, 1, 1).lose(5).enter(2_000_000, 1).leave(2_000_100, 1);
    Path path = recording.write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      long end = timeline.duration();
      assertThat(new TimelineSelection(0, end, List.of(0, 1)).lossy(timeline)).isTrue();
      assertThat(new TimelineSelection(0, end, List.of(1)).lossy(timeline)).isFalse();
      assertThat(new TimelineSelection(0, 10, List.of(0, 1)).lossy(timeline)).isFalse();
    }
  }
}
