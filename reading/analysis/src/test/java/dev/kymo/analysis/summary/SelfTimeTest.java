package dev.kymo.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.costs.MethodCost;
import dev.kymo.analysis.costs.SelfTime;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.summary.CallTrees.Call;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls, and what else is told of their threads, nanosecond by nanosecond. */
class SelfTimeTest {
  private static final int METHODS = 5;
  private static final int THREADS = 2;
  private static final int NANOS = 300_000;

  /** The states' methods, in the order in which they count. */
  private static final List<String> USES =
      List.of("weaving", "monitor", "GC pauses", "blocked", "runnable", "Class loading", "running");

  private static final int COMPILER = 60;

  @TempDir Path directory;

  /** By thread and nanosecond: whose self time it is, and what it was used for; -1 = nothing. */
  private final int[][] methods = new int[THREADS][NANOS];

  private final int[][] uses = new int[THREADS][NANOS];
  private long begin = Long.MAX_VALUE;

  private Path record(SplittableRandom random) {
    RecordingBuilder recording = new RecordingBuilder().process(1);
    for (int method = 0; method < METHODS; method++) {
      recording.method(1, method, "a.B", "m" + method);
    }
    for (int use = 0; use < USES.size(); use++) {
      recording.method(1, 50 + use, USES.get(use), "what");
    }
    recording.method(1, COMPILER, "JIT compiler", "a.B.m");
    recording.jvm(1, 30, "GC pauses").jvm(1, 31, "JIT compiler");
    for (int thread = 0; thread < THREADS; thread++) {
      Arrays.fill(methods[thread], -1);
      Arrays.fill(uses[thread], USES.size());
      recording.thread(1, thread + 1, "t").states(1, thread + 11, thread + 1, "t");
      recording.define(
          1, new TracedThread(thread + 21, TracedThread.SCHEDULED, 1001, 2000 + thread + 1, "t"));
      StreamWriter ring = recording.ring(1, thread, thread + 1);
      List<Call> calls = new CallTrees(random, ring, METHODS, 200).write(300);
      for (Call call : calls.reversed()) { // the outer one first, so that inner ones are left
        Arrays.fill(methods[thread], (int) call.begin, (int) call.end, call.method);
        begin = Math.min(begin, call.begin);
      }
      states(
          random,
          recording.ring(1, thread + 10, thread + 11),
          List.of(thread),
          new int[] {0, 1},
          0);
      StreamWriter kernel = recording.ring(1, thread + 20, thread + 21);
      states(random, kernel, List.of(thread), new int[] {3, 4, 6}, 0);
      // Two at a time, as if loading one class had loaded another.
      for (int of = 0; of < 2; of++) {
        int loads = 40 + thread * 2 + of;
        recording.jvm(1, loads, "Class loading " + loads);
        StreamWriter machine = recording.ring(1, loads, loads);
        states(random, machine, List.of(thread), new int[] {5}, thread + 11);
      }
    }
    states(random, recording.ring(1, 30, 30), List.of(0, 1), new int[] {2}, 0);
    recording.ring(1, 31, 31).enter(begin, COMPILER).leave(begin + 5000, COMPILER);
    return recording.write(directory.resolve("r"));
  }

  private void states(
      SplittableRandom random, StreamWriter ring, List<Integer> threads, int[] which, int whose) {
    int now = (int) begin + random.nextInt(500);
    while (now < NANOS / 2) {
      int use = which[random.nextInt(which.length)];
      int end = now + random.nextInt(2000);
      ring.enter(now, 50 + use);
      if (whose != 0) {
        ring.detail(end, 0, whose);
      }
      ring.leave(end, 50 + use);
      for (int thread : threads) {
        for (int at = now; at < end; at++) {
          uses[thread][at] = Math.min(uses[thread][at], use);
        }
      }
      now = end + random.nextInt(3) * random.nextInt(1000);
    }
  }

  private SelfTime expected(int method, long from, long to) {
    long[] sums = new long[USES.size() + 1];
    for (int thread = 0; thread < THREADS; thread++) {
      for (int at = (int) Math.max(0, from); at < Math.min(NANOS, to); at++) {
        if (methods[thread][at] == method) {
          sums[uses[thread][at]]++;
        }
      }
    }
    return new SelfTime(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6]);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void isWhatWasToldOfEachNanosecond(long seed) throws IOException {
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path path = record(random);
    check(path, 0, Long.MAX_VALUE);
    for (int i = 0; i < 20; i++) {
      long from = random.nextLong(50_000);
      check(path, from, from + random.nextLong(50_000));
    }
  }

  private void check(Path path, long from, long to) throws IOException {
    List<MethodSummary> rows;
    try (Recording recording = Recording.open(path)) {
      SummaryQuery query = new SummaryQuery(from, to, thread -> true, false);
      rows = Summary.of(CallPass.open(recording), query, ProgressListener.NONE).rows();
    }
    long end = to == Long.MAX_VALUE ? to : begin + to;
    for (MethodSummary row : rows) {
      assertThat(row.selfTime()).isEqualTo(expected(row.method().id(), begin + from, end));
    }
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      List<Integer> tracks = IntStream.range(0, timeline.tracks().size()).boxed().toList();
      TimelineSelection selection = new TimelineSelection(from, Math.min(to, 1L << 60), tracks);
      List<MethodCost> costs = SelectionSummary.of(timeline, selection, new Progress());
      assertThat(costs).hasSameSizeAs(rows);
      for (MethodCost cost : costs) {
        assertThat(cost.selfTime()).isEqualTo(expected(cost.method(), begin + from, end));
      }
    }
  }
}
