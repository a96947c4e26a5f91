package dev.kymo.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.analysis.costs.CorrectedTimes;
import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.CallTrees.Call;
import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls and counts, corrected call by call, against what the summaries say. */
class CorrectionTest {
  private static final int METHODS = 5;
  private static final long SECOND = 1_000_000_000L;
  private static final int INSIDE = 11_000;
  private static final int OUTSIDE = 14_000;
  private static final int SPREAD = 3_000;

  @TempDir Path directory;

  private final List<List<Call>> threads = new ArrayList<>();
  private double[] rates = {};
  private long begin = Long.MAX_VALUE;

  private Path record(SplittableRandom random) {
    RecordingBuilder recording = new RecordingBuilder().process(1);
    recording.define(
        1, new Definition.ProbeCost(1, 50_000, INSIDE, OUTSIDE, 20_000, 2_000, SPREAD));
    for (int method = 0; method < METHODS + 2; method++) {
      recording.method(1, method, "a.B", "m" + method);
    }
    rates = new double[3];
    for (int thread = 0; thread < 3; thread++) {
      recording.thread(1, thread + 1, "thread-" + thread);
      var ring = recording.ring(1, thread, thread + 1);
      threads.add(new CallTrees(random, ring, METHODS, 10_000_000).write(300));
      begin = Math.min(begin, threads.getLast().stream().mapToLong(c -> c.begin).min().orElse(0));
    }
    for (int thread = 0; thread < 2; thread++) {
      long calls = random.nextLong(1 << 24);
      rates[thread] = calls * 20.0;
      recording.counts(1).count(begin + SECOND, count(thread + 1, calls, random));
    }
    return recording.write(directory.resolve("r"));
  }

  private static CountRecord count(int thread, long calls, SplittableRandom random) {
    int[] histogram = new int[CountersLayout.BUCKETS];
    histogram[random.nextInt(histogram.length)] = (int) calls;
    long ticks = calls * 25;
    return new CountRecord(
        thread, METHODS, MethodMode.TIMED, calls, calls, ticks, ticks, 100, histogram);
  }

  /** What counted calls cost a thread: they lie evenly between the begin and the one reading. */
  private double counted(int thread, long from, long to) {
    long end = begin + SECOND;
    return rates[thread] * Math.max(0, Math.min(to, end) - Math.min(from, end)) / SECOND;
  }

  private long[] expected(int method, long from, long to) {
    double total = 0;
    double self = 0;
    double pairs = 0;
    double subtracted = 0;
    for (int thread = 0; thread < threads.size(); thread++) {
      for (Call call : threads.get(thread)) {
        if (call.method == method && call.overlaps(from, to)) {
          double own = counted(thread, Math.max(call.begin, from), Math.min(call.end, to));
          long below = call.below(from, to);
          long children = 0;
          double time = call.inside(from, to);
          double rest = time;
          double ownRest = own;
          for (Call child : call.made) {
            if (child.overlaps(from, to)) {
              children++;
              rest -= child.inside(from, to);
              ownRest -= counted(thread, Math.max(child.begin, from), Math.min(child.end, to));
            }
          }
          self += rest - INSIDE / 1e3 - children * OUTSIDE / 1e3 - ownRest;
          if (!call.nested) {
            total += time - INSIDE / 1e3 - below * (INSIDE + OUTSIDE) / 1e3 - own;
            pairs += (double) INSIDE / (INSIDE + OUTSIDE) + below;
            subtracted += own;
          }
        }
      }
    }
    double error = pairs * (SPREAD + 0.3 * (INSIDE + OUTSIDE)) / 1e3 + subtracted;
    return new long[] {
      Math.max(0, Math.round(total)), Math.max(0, Math.round(self)), (long) Math.ceil(error)
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void correctsAsIfCallByCall(long seed) throws IOException {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path path = record(random);
    check(path, 0, Long.MAX_VALUE);
    for (int i = 0; i < 20; i++) {
      long from = random.nextLong(2 * SECOND);
      check(path, from, from + random.nextLong(SECOND));
    }
  }

  private void check(Path path, long from, long to) throws IOException {
    List<MethodSummary> rows;
    try (Recording recording = Recording.open(path)) {
      SummaryQuery query = new SummaryQuery(from, to, thread -> true, false);
      rows = Summary.of(CallPass.open(recording), query, ProgressListener.NONE).rows();
    }
    for (MethodSummary row : rows) {
      if (row.counted() == 0) {
        long end = to == Long.MAX_VALUE ? to : begin + to;
        same(row.corrected().orElseThrow(), expected(row.method().id(), begin + from, end));
      }
    }
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      TimelineSelection selection =
          new TimelineSelection(from, Math.min(to, 1L << 60), List.of(0, 1, 2));
      List<MethodCost> costs = SelectionSummary.of(timeline, selection, new Progress());
      assertThat(costs).hasSameSizeAs(rows);
      for (MethodCost cost : costs) {
        MethodSummary row =
            rows.stream().filter(r -> r.method().id() == cost.method()).findAny().orElseThrow();
        assertThat(cost.calls()).isEqualTo(row.calls());
        assertThat(cost.counted()).isEqualTo(row.counted());
        assertThat(cost.total()).isEqualTo(row.total());
        assertThat(cost.self()).isEqualTo(row.self());
        assertThat(cost.average()).isEqualTo(row.average());
        assertThat(cost.percentile(0.5)).isEqualTo(row.p50());
        CorrectedTimes times = row.corrected().orElseThrow();
        same(
            cost.corrected().orElseThrow(),
            new long[] {times.total(), times.self(), times.error()});
      }
    }
  }

  private static void same(CorrectedTimes times, long[] expected) {
    assertThat(times.total()).isCloseTo(expected[0], within(1L));
    assertThat(times.self()).isCloseTo(expected[1], within(1L));
    assertThat(times.error()).isCloseTo(expected[2], within(1L));
  }
}
