package dev.kymo.editing.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.analysis.names.ThreadFilter;
import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.SampledStacks;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.HoppingThreads;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slices of recordings, against the same range of the whole. */
class RecordingSliceTest {
  @TempDir Path directory;

  private int slices;

  /** A call as far as it lies in a range; clocks as recorded. */
  private record Seen(
      int process,
      int thread,
      int depth,
      String method,
      long begin,
      long end,
      int flags,
      boolean untold) {}

  private Path slice(Path from, SliceQuery query) throws IOException {
    Path to = Files.createDirectory(directory.resolve("slice-" + slices++));
    try (Recording recording = Recording.open(from)) {
      RecordingSlice.of(recording, query, ProgressListener.NONE).write(to, ProgressListener.NONE);
    }
    return to;
  }

  @ParameterizedTest
  @CsvSource({"1, 300, false", "2, 4000, false", "3, 4000, true", "4, 8000, true", "5, 900, true"})
  void aSliceSaysWhatTheWholeSaysOfItsRange(long seed, int events, boolean losses)
      throws IOException {
    System.out.println("seed=" + seed);
    Path whole = HoppingThreads.recording(seed, events, losses).write(directory.resolve("whole"));
    SplittableRandom random = new SplittableRandom(seed);
    long duration;
    try (Recording recording = Recording.open(whole)) {
      CallPass pass = CallPass.open(recording);
      pass.run(CallSink.NONE, t -> true, ProgressListener.NONE);
      duration = pass.nanoClock().nanos(pass.end());
    }
    int compared = 0;
    for (int i = 0; i < 40; i++) {
      long from = i % 5 == 0 ? 0 : random.nextLong(duration);
      long to =
          i % 7 == 0
              ? Long.MAX_VALUE
              : from + random.nextLong(1 + (duration >> random.nextInt(20)));
      ThreadFilter threads =
          new ThreadFilter(i % 3 == 0 ? List.of("platform-1", "virtual-2*") : List.of());
      SliceQuery query = new SliceQuery(from, to, threads);
      Path slice = slice(whole, query);
      String where = "from=%d to=%d filtered=%s".formatted(from, to, i % 3 == 0);
      List<Seen> expected = calls(whole, query);
      // Told by nothing but a leave behind the range: a slice cannot know of it.
      boolean untold = expected.removeIf(Seen::untold);
      assertThat(calls(slice, everything())).as(where).containsExactlyElementsOf(expected);
      if (!untold) {
        compared++;
        areNear(costs(slice, everything()), costs(whole, query), where);
      }
      assertThat(calls(slice(slice, everything()), everything()))
          .as("slice of a slice, " + where)
          .containsExactlyElementsOf(calls(slice, everything()));
    }
    assertThat(compared).isGreaterThan(losses ? 5 : 39);
  }

  @Test
  void aSliceHasTheStacksOfItsSamples() throws IOException {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    for (int method = 1; method <= 5; method++) {
      r.method(1, method, "a.B", "m" + method);
    }
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2).stack(1, 3, 2, 3).stack(1, 4, 0, 4).stack(1, 5, 1, 5);
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    r.define(1, new Definition.Event(9, 1, 1, EventKind.INSTANT.number(), "cpu", "", "u32 stack;"));
    r.ring(1, 0, 1).own(100, 9, 3).own(200, 9, 4).own(300, 9, 5);
    Path slice = slice(r.write(directory.resolve("whole")), new SliceQuery(150, 250, t -> true));
    SampledStacks late;
    try (Recording recording = Recording.open(slice)) {
      late = CallPass.open(recording).definitions().stacks();
    }
    assertThat(late.method(1, 5).orElseThrow().name()).isEqualTo("m5");
    assertThat(late.method(1, late.caller(1, 5)).orElseThrow().name()).isEqualTo("m1");
    assertThat(late.method(1, 3)).isEmpty();
    assertThat(late.method(1, 4)).isEmpty();
  }

  private static SliceQuery everything() {
    return new SliceQuery(0, Long.MAX_VALUE, thread -> true);
  }

  /** A slice counts nanoseconds from its own begin, so each time may be another one by one. */
  private static void areNear(
      List<MethodSummary> found, List<MethodSummary> expected, String where) {
    assertThat(found).as(where).hasSameSizeAs(expected);
    for (int i = 0; i < found.size(); i++) {
      MethodSummary one = found.get(i);
      MethodSummary other = expected.get(i);
      String method = where + " " + other.method().qualifiedName();
      assertThat(one.method().qualifiedName()).isEqualTo(other.method().qualifiedName());
      assertThat(one.calls()).as(method).isEqualTo(other.calls());
      assertThat(one.atLeast()).as(method).isEqualTo(other.atLeast());
      assertThat(one.max()).as(method).isCloseTo(other.max(), within(1L));
      assertThat(one.total()).as(method).isCloseTo(other.total(), within(other.calls()));
      // It lacks the times of the calls that it made, each of them rounded.
      assertThat(one.self()).as(method).isCloseTo(other.self(), within(1000L));
      assertThat(one.p50()).as(method).isCloseTo(other.p50(), within(2 + other.p50() / 30));
    }
  }

  private static List<MethodSummary> costs(Path path, SliceQuery query) throws IOException {
    List<MethodSummary> costs;
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      Summary summary =
          Summary.of(
              pass,
              new SummaryQuery(query.from(), query.to(), query.threads(), false),
              ProgressListener.NONE);
      costs =
          summary.rows().stream()
              .sorted(Comparator.comparing(row -> row.method().qualifiedName()))
              .toList();
      assertThat(pass.oddities()).isEmpty();
    }
    return costs;
  }

  private static List<Seen> calls(Path path, SliceQuery query) throws IOException {
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      long from = query.from() == 0 ? pass.base() : pass.nanoClock().ticks(query.from());
      long to = pass.nanoClock().ticks(query.to());
      List<Seen> calls = new ArrayList<>();
      CallSink sink =
          call -> {
            if (call.end() >= from && call.begin() <= to) {
              calls.add(seen(pass, call, from, to));
            }
          };
      pass.run(sink, query.threads(), ProgressListener.NONE);
      calls.sort(
          java.util.Comparator.comparingInt(Seen::process)
              .thenComparingInt(Seen::thread)
              .thenComparingInt(Seen::depth)
              .thenComparingLong(Seen::begin)
              .thenComparingLong(Seen::end));
      return calls;
    }
  }

  private static Seen seen(CallPass pass, CallCursor call, long from, long to) {
    ThreadCalls thread = call.thread();
    int depth = call.depth();
    int method = call.method();
    long begin = call.begin();
    long end = call.end();
    int flags = call.flags();
    int cut = flags & Slice.UNWOUND;
    boolean untold = (flags & Slice.OPEN_BEGIN) != 0 && begin >= from && end > to;
    if (begin < from || (flags & Slice.OPEN_BEGIN) != 0) {
      cut |= Slice.OPEN_BEGIN;
    }
    if (end > to || (flags & Slice.OPEN_END) != 0) {
      cut = (cut | Slice.OPEN_END) & ~Slice.UNWOUND;
    }
    return new Seen(
        thread.process(),
        thread.thread(),
        depth,
        pass.definitions().methods().get(method).qualifiedName(),
        Math.max(begin, from),
        Math.min(end, to),
        cut,
        untold);
  }

  @Test
  void aCallThatCoversTheWholeRangeIsSeenAsOpenAtBothEnds() throws IOException {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "run").method(1, 2, "a.B", "never");
    r.ring(1, 0, 1).enter(100, 1).enter(150, 2).leave(160, 2).leave(900, 1);
    Path slice = slice(r.write(directory.resolve("r")), new SliceQuery(200, 300, t -> true));
    int open = Slice.OPEN_BEGIN | Slice.OPEN_END;
    assertThat(calls(slice, everything()))
        .containsExactly(new Seen(1, 1, 0, "a.B.run", 300, 400, open, false));
    try (Recording recording = Recording.open(slice)) {
      CallPass pass = CallPass.open(recording);
      assertThat(pass.definitions().methods().size()).isEqualTo(1);
      assertThat(pass.definitions().notices())
          .extracting(n -> n.text())
          .containsExactly(
              "slice: recording=r from=200 to=300; calls that were running at its begin are shown"
                  + " from there on");
    }
  }

  @Test
  void anUnknownBeginIsKnownAsSuchFarBehindIt() throws IOException {
    RecordingBuilder r = new RecordingBuilder().packetSize(1000).process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "outer").method(1, 2, "a.B", "inner");
    StreamWriter ring = r.ring(1, 0, 1).enter(0, 1);
    for (int i = 1; i < 30_000; i++) {
      ring.enter(10L * i, 2).leave(10L * i + 5, 2);
    }
    ring.leave(300_000, 1);
    Path slice = slice(r.write(directory.resolve("r")), new SliceQuery(1000, 300_000, t -> true));
    try (Timeline timeline = Timelines.open(slice, ProgressListener.NONE)) {
      List<String> seen = new ArrayList<>();
      timeline.calls(
          0,
          298_990,
          299_000,
          (depth, method, begin, end, flags) ->
              seen.add("%d: %d to %d, flags %d".formatted(depth, begin, end, flags)));
      assertThat(seen)
          .containsExactly(
              "1: 298990 to 298995, flags 0", "0: 0 to 299000, flags " + Slice.OPEN_BEGIN);
    }
  }

  @Test
  void lossesKeepTheirNumbersAndTimes() throws IOException {
    RecordingBuilder r =
        new RecordingBuilder().process(1).thread(1, 1, "main").method(1, 1, "a", "b");
    r.ring(1, 0, 1)
        .enter(100, 1)
        .lose(5) // 100 to 300: reaches into the range
        .leave(300, 1)
        .enter(400, 1)
        .lose(7) // inside
        .leave(500, 1)
        .enter(550, 1)
        .lose(11) // 550 to 900: reaches out of it
        .leave(900, 1)
        .lose(13) // behind it
        .enter(1000, 1);
    Path slice = slice(r.write(directory.resolve("r")), new SliceQuery(100, 600, t -> true));
    try (Recording recording = Recording.open(slice)) {
      CallPass pass = CallPass.open(recording);
      Summary.of(pass, SummaryQuery.ALL, ProgressListener.NONE);
      var gaps = pass.threads().getFirst().gaps();
      List<String> all = new ArrayList<>();
      for (int i = 0; i < gaps.count(); i++) {
        all.add(gaps.from(i) + " to " + gaps.to(i) + ": " + gaps.lost(i));
      }
      assertThat(all).containsExactly("200 to 300: 5", "400 to 500: 7", "550 to 700: 11");
      assertThat(pass.oddities()).isEmpty();
    }
  }
}
