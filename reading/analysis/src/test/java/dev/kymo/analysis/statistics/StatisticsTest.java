package dev.kymo.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.RandomCalls;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.DurationMap.Cell;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.SelectionSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statistics against the report's sums, and against what is counted one by one. */
class StatisticsTest {
  private static final int COLUMNS = 7;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"1, 3, 300, 20", "2, 1, 2000, 20", "3, 4, 80000, 2"})
  void ofRandomPartsOfRandomRecordings(long seed, int threads, int events, int windows)
      throws IOException {
    System.out.println("seed=" + seed);
    Path path = RandomCalls.recording(seed, threads, events).write(directory.resolve("r"));
    SplittableRandom random = new SplittableRandom(seed);
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      check(path, timeline, 0, Long.MAX_VALUE / 2);
      for (int i = 0; i < windows; i++) {
        long from = random.nextLong(timeline.duration());
        check(path, timeline, from, from + random.nextLong(timeline.duration() >> i % 5));
      }
    }
  }

  private static TimelineSelection all(Timeline timeline, long from, long to) {
    return new TimelineSelection(from, to, timeline.tracks().stream().map(Track::id).toList());
  }

  private static void check(Path path, Timeline timeline, long from, long to) throws IOException {
    TimelineSelection selection = all(timeline, from, to);
    checkShares(timeline, selection);
    for (Grouping by : List.of(Grouping.NONE, Grouping.THREAD)) {
      Map<List<Integer>, MethodSummary> report = new HashMap<>();
      try (Recording open = Recording.open(path)) {
        SummaryQuery query = new SummaryQuery(from, to, thread -> true, by == Grouping.THREAD);
        Summary.of(CallPass.open(open), query, ProgressListener.NONE)
            .rows()
            .forEach(row ->
                report.put(
                    List.of(row.method().id(), row.thread().map(t -> t.thread()).orElse(0)), row));
      }
      Statistics statistics =
          Statistics.of(timeline, selection, Subject.CALLS, by, COLUMNS, new Progress());
      assertThat(statistics.rows()).hasSameSizeAs(report.values());
      for (StatisticsRow row : statistics.rows()) {
        int thread = by == Grouping.NONE ? 0 : timeline.tracks().get(row.group()).thread();
        check(row, report.get(List.of(row.number(), thread)));
        check(
            timeline, selection, statistics, row, by == Grouping.NONE ? HeatMap.ANY : row.group());
      }
    }
  }

  private static void check(StatisticsRow row, @Nullable MethodSummary expected) {
    assertThat(expected).isNotNull();
    assertThat(row.count()).isEqualTo(expected.calls());
    assertThat(row.total()).isEqualTo(expected.total());
    assertThat(row.p50()).isEqualTo(expected.p50());
    assertThat(row.p99()).isEqualTo(expected.p99());
    assertThat(row.max()).isEqualTo(expected.max());
  }

  /** Counts the row's calls one by one. */
  private static void check(
      Timeline timeline,
      TimelineSelection selection,
      Statistics statistics,
      StatisticsRow row,
      int track) {
    long[] begun = new long[COLUMNS];
    List<Long> times = new ArrayList<>();
    for (Track each : timeline.tracks()) {
      if (track != HeatMap.ANY && each.id() != track) {
        continue;
      }
      timeline.calls(
          each.id(),
          selection.from(),
          selection.to(),
          (depth, method, begin, end, flags) -> {
            if (method == row.number()) {
              times.add(selection.inside(begin, end));
              if (begin >= selection.from()) {
                begun[statistics.columns().of(begin)]++;
              }
            }
          });
    }
    assertThat(times).hasSize((int) row.count());
    assertThat(row.begun()).isEqualTo(begun);
    times.sort(null);
    assertThat(row.least()).isEqualTo(times.getFirst());
    double p90 = times.get((int) Math.ceil(0.9 * times.size()) - 1);
    assertThat((double) row.p90()).isBetween(p90 * 0.98 - 1, p90 * 1.02 + 1);
    BitSet number = new BitSet();
    number.set(row.number());
    HeatMap map =
        HeatMap.of(
            timeline,
            selection,
            new HeatMap.Choice(Subject.CALLS, number, Grouping.THREAD, track),
            COLUMNS,
            new Progress());
    assertThat(map.map().cells().stream().mapToLong(Cell::count).sum()).isEqualTo(row.count());
    long[] byColumn = new long[COLUMNS];
    map.map().cells().forEach(cell -> byColumn[cell.column()] += cell.count());
    byColumn[0] -= row.count() - Arrays.stream(begun).sum(); // those from before the selection
    assertThat(byColumn).isEqualTo(begun);
  }

  /** Self times by method; in each column they are the time of the outermost calls. */
  private static void checkShares(Timeline timeline, TimelineSelection selection) {
    Shares shares =
        Shares.of(timeline, selection, Subject.CALLS, Level.METHOD, COLUMNS, 1000, new Progress());
    Map<String, Long> self = new HashMap<>();
    SelectionSummary.of(timeline, selection, new Progress())
        .forEach(cost -> self.put(timeline.method(cost.method()).qualifiedName(), cost.self()));
    self.values().removeIf(time -> time == 0);
    long[] sums = new long[COLUMNS];
    Map<String, Long> found = new HashMap<>();
    for (Shares.Group group : shares.groups()) {
      found.put(group.name(), group.time());
      assertThat(Arrays.stream(group.byColumn()).sum()).isEqualTo(group.time());
      Arrays.setAll(sums, i -> sums[i] + group.byColumn()[i]);
    }
    assertThat(found).isEqualTo(self);
    long[] outermost = new long[COLUMNS];
    TimeColumns columns = shares.columns();
    for (int track : selection.tracks()) {
      timeline.calls(
          track,
          selection.from(),
          selection.to(),
          (depth, method, begin, end, flags) -> {
            for (int i = 0; depth == 0 && i < COLUMNS; i++) {
              long from = Math.max(Math.max(begin, columns.from()), columns.begin(i));
              long to = Math.min(Math.min(end, columns.to()), columns.begin(i + 1));
              outermost[i] += Math.max(0, to - from);
            }
          });
    }
    assertThat(sums).isEqualTo(outermost);
  }

  private static byte[] data(long key, long size) {
    return ByteBuffer.allocate(16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(key)
        .putLong(size)
        .array();
  }

  /** Three messages with sizes, one of them lost, and a thread that waited for the other. */
  private RecordingBuilder talk() {
    RecordingBuilder r = new RecordingBuilder().at(900);
    r.process(1).thread(1, 1, "main").thread(1, 2, "worker");
    r.states(1, 3, 1, "main").states(1, 4, 2, "worker");
    r.method(1, 1, "", "run").method(1, 3, "mutex", "queue");
    r.define(1, new Definition.Subsystem(1, 7, "net", "", ""));
    r.define(1, event(20, EventKind.SEND, "SEND"));
    r.define(1, event(21, EventKind.RECEIVE, "RECEIVE"));
    StreamWriter main = r.ring(1, 0, 1).enter(1000, 1);
    main.own(1010, 20, data(1, 100)).own(1020, 20, data(2, 50)).own(1030, 20, data(3, 7));
    main.leave(2000, 1);
    StreamWriter worker = r.ring(1, 1, 2).enter(1040, 1);
    worker.own(1110, 21, data(1, 100)).own(1220, 21, data(2, 50));
    worker.switchTo(1300, 4).enter(1300, 3).switchTo(1301, 2);
    worker.switchTo(1510, 4).detail(1510, 5, 3).leave(1510, 3).switchTo(1511, 2).leave(1900, 1);
    return r;
  }

  private static Definition.Event event(int method, EventKind kind, String name) {
    return new Definition.Event(method, 1, method, kind.number(), name, "", "u64 key; u64 size;");
  }

  @Test
  void saysWhoSendsHowMuchToWhom() throws IOException {
    try (Timeline timeline =
        Timelines.open(talk().write(directory.resolve("r")), ProgressListener.NONE)) {
      Matrix matrix =
          Matrix.of(
              timeline,
              all(timeline, 0, Long.MAX_VALUE / 2),
              MatrixKind.MESSAGES,
              Grouping.THREAD,
              new Progress());
      assertThat(matrix.cells()).hasSize(1);
      MatrixCell cell = matrix.cells().getFirst();
      assertThat(timeline.tracks().get(cell.from()).name()).isEqualTo("main");
      assertThat(timeline.tracks().get(cell.to()).name()).isEqualTo("worker");
      assertThat(cell.count()).isEqualTo(2);
      assertThat(cell.bytes()).isEqualTo(150);
      assertThat(cell.sized()).isEqualTo(2);
      assertThat(cell.total()).isEqualTo(300);
      assertThat(cell.least()).isEqualTo(100);
      assertThat(cell.most()).isEqualTo(200);
      assertThat(matrix.atLeast()).isFalse();
    }
  }

  @Test
  void saysWhoEndsWhoseWaits() throws IOException {
    try (Timeline timeline =
        Timelines.open(talk().write(directory.resolve("r")), ProgressListener.NONE)) {
      TimelineSelection all = all(timeline, 0, Long.MAX_VALUE / 2);
      Matrix matrix = Matrix.of(timeline, all, MatrixKind.WAITS, Grouping.THREAD, new Progress());
      assertThat(matrix.cells()).hasSize(1);
      MatrixCell cell = matrix.cells().getFirst();
      assertThat(timeline.tracks().get(cell.from()).name()).isEqualTo("main");
      assertThat(timeline.tracks().get(cell.to()).name()).isEqualTo("worker");
      assertThat(cell.count()).isEqualTo(1);
      assertThat(cell.total()).isEqualTo(210);
      TimelineSelection before = new TimelineSelection(0, 500, all.tracks());
      assertThat(
              Matrix.of(timeline, before, MatrixKind.WAITS, Grouping.THREAD, new Progress())
                  .cells())
          .isEmpty();
    }
  }
}
