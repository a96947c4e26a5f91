package dev.kymo.analysis.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.analysis.whole.PathCollector;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees of samples of a part of a timeline. */
class SampleTreeTest {
  private static final int CPU = 8;
  private static final int ALLOCATION = 9;

  @TempDir Path directory;

  /**
   * Two threads, whose samples are 10 ns apart; a method of stack 5 is not defined, stack 6 is
   * stack 2 once more.
   */
  private RecordingBuilder small() {
    RecordingBuilder r = new RecordingBuilder().process(1);
    r.thread(1, 1, "main").thread(1, 2, "other");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.B", "run").method(1, 3, "a.C", "sum");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2).stack(1, 3, 2, 3).stack(1, 4, 2, 2).stack(1, 5, 2, 77);
    r.stack(1, 6, 1, 2).stack(1, 7, 0, 77);
    kinds(r);
    StreamWriter main = r.ring(1, 0, 1).own(100, CPU, cpu(3, 5)).own(110, CPU, cpu(3, 7));
    main.own(120, CPU, cpu(4, 1)).own(130, ALLOCATION, allocation("x", 2, 1000));
    main.own(140, CPU, cpu(5, 1)).own(150, CPU, cpu(6, 2));
    StreamWriter other = r.ring(1, 1, 2).own(155, CPU, cpu(0, 3)).own(160, CPU, cpu(99, 3));
    other.own(170, CPU, cpu(7, 4)).own(180, CPU, cpu(1, 20));
    return r;
  }

  private static void kinds(RecordingBuilder r) {
    r.define(1, new Definition.Subsystem(1, 1, Definition.Stack.SAMPLES, "", ""));
    int kind = EventKind.INSTANT.number();
    String fields = "u32 stack; str what; u64 weight;";
    r.define(1, new Definition.Event(ALLOCATION, 1, 1, kind, "allocation", "", fields));
    r.define(1, new Definition.Event(CPU, 1, 2, kind, "cycles:u", "", "u32 stack; u64 period;"));
  }

  private static byte[] cpu(int stack, long period) {
    return ByteBuffer.allocate(12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(stack)
        .putLong(period)
        .array();
  }

  private static byte[] allocation(String what, int stack, long bytes) {
    ByteBuffer to = ByteBuffer.allocate(14 + what.length()).order(ByteOrder.LITTLE_ENDIAN);
    to.putInt(stack).putShort((short) what.length());
    what.chars().forEach(c -> to.put((byte) c));
    return to.putLong(bytes).array();
  }

  private static SampleTree tree(
      Timeline timeline, TimelineSelection selection, String unit, boolean up, String... kinds) {
    SampleTree.Question question = new SampleTree.Question(Set.of(kinds), unit, up);
    return SampleTree.of(timeline, selection, question, new Progress());
  }

  private static TimelineSelection all(Timeline timeline) {
    return new TimelineSelection(
        0, Long.MAX_VALUE / 2, IntStream.range(0, timeline.tracks().size()).boxed().toList());
  }

  /** A row a line: method, calls, total and self, indented by depth. */
  private static String text(Timeline timeline, SampleTree tree) {
    List<Integer> depths = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (CallTree.Row row : tree.tree().rows()) {
      int depth = row.parent() < 0 ? 0 : depths.get(row.parent()) + 1;
      depths.add(depth);
      text.append(" ".repeat(depth)).append(timeline.method(row.method()).name());
      text.append(" %d %d %d%n".formatted(row.calls(), row.total(), row.self()));
    }
    return text.toString();
  }

  @Test
  void eachPathIsANode() throws Exception {
    try (Timeline timeline = Timelines.open(small().write(directory), ProgressListener.NONE)) {
      SampleTree tree = tree(timeline, all(timeline), "", false, "cycles:u");
      assertThat(text(timeline, tree))
          .isEqualTo(
              """
              main 6 6 1
               run 5 5 2
                sum 2 2 2
                run 1 1 1
              """);
      assertThat(tree.unknown()).isEqualTo(3);
      assertThat(tree.kinds())
          .containsExactly(
              new SampleTree.Kind("allocation", 1), new SampleTree.Kind("cycles:u", 9));
    }
  }

  @Test
  void widthsAreWeights() throws Exception {
    try (Timeline timeline = Timelines.open(small().write(directory), ProgressListener.NONE)) {
      assertThat(text(timeline, tree(timeline, all(timeline), "cycles", false, "cycles:u")))
          .isEqualTo(
              """
              main 6 36 20
               run 5 16 3
                sum 2 12 12
                run 1 1 1
              """);
      // Only those that have the unit.
      SampleTree bytes = tree(timeline, all(timeline), "bytes", false, "cycles:u", "allocation");
      assertThat(text(timeline, bytes))
          .isEqualTo(
              """
              main 1 1000 0
               run 1 1000 1000
              """);
    }
  }

  @Test
  void upwardsTheRootsAreWhatWasSeenRunning() throws Exception {
    try (Timeline timeline = Timelines.open(small().write(directory), ProgressListener.NONE)) {
      assertThat(text(timeline, tree(timeline, all(timeline), "", true, "cycles:u")))
          .isEqualTo(
              """
              run 3 3 3
               main 2 2 2
               run 1 1 1
                main 1 1 1
              sum 2 2 2
               run 2 2 2
                main 2 2 2
              main 1 1 1
              """);
    }
  }

  @Test
  void aPartHasItsSamplesOnly() throws Exception {
    try (Timeline timeline = Timelines.open(small().write(directory), ProgressListener.NONE)) {
      TimelineSelection main = new TimelineSelection(10, 20, List.of(0));
      assertThat(text(timeline, tree(timeline, main, "", false, "cycles:u")))
          .isEqualTo(
              """
              main 2 2 0
               run 2 2 0
                run 1 1 1
                sum 1 1 1
              """);
      TimelineSelection other = new TimelineSelection(0, 1000, List.of(1));
      assertThat(text(timeline, tree(timeline, other, "", false, "cycles:u")))
          .isEqualTo("main 1 1 1\n");
      SampleTree nothing =
          tree(timeline, new TimelineSelection(11, 19, List.of(0, 1)), "", false, "cycles:u");
      assertThat(nothing.tree().rows()).isEmpty();
      assertThat(nothing.kinds()).isEmpty();
      assertThat(nothing.unknown()).isZero();
    }
  }

  /** More stacks than there may be nodes: those with the fewest samples are left out. */
  @Test
  void theSmallestOfVeryManyStacksAreLeftOut() throws Exception {
    int many = PathCollector.MAX_NODES + 1000;
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "main").method(1, 2, "a.B", "run").method(1, 3, "a.C", "sum");
    r.stack(1, 1, 0, 1).stack(1, 2, 1, 2);
    for (int stack = 3; stack <= many; stack++) {
      r.stack(1, stack, stack % 100 == 0 ? 2 : stack - 1, 3);
    }
    kinds(r);
    StreamWriter main = r.ring(1, 0, 1);
    for (int stack = 99; stack <= many; stack += 100) {
      main.own(stack, CPU, cpu(stack, 1));
      if (stack > many / 2) {
        main.own(stack, CPU, cpu(stack, 1));
      }
    }
    try (Timeline timeline = Timelines.open(r.write(directory), ProgressListener.NONE)) {
      SampleTree tree = tree(timeline, all(timeline), "", false, "cycles:u");
      CallTree.Row root = tree.tree().rows().getFirst();
      long samples = tree.kinds().getFirst().samples();
      assertThat(root.total()).isEqualTo(samples);
      assertThat(root.calls()).isEqualTo(samples);
      assertThat(tree.tree().cut()).isGreaterThan(many / 3);
      assertThat(tree.unknown()).isZero();
    }
  }

  @Test
  void kindsOfTimeComeFirst() throws Exception {
    try (Timeline timeline = Timelines.open(small().write(directory), ProgressListener.NONE)) {
      assertThat(SampleKind.of(timeline.events()))
          .containsExactly(
              new SampleKind("cycles:u", List.of("cycles")),
              new SampleKind("allocation", List.of("bytes")));
    }
  }

  /** Many stacks and threads in one stream: the sums by method are those of the report. */
  @Test
  void sumsAreThoseOfTheReport() throws Exception {
    long seed = System.nanoTime();
    System.out.println("SampleTreeTest seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path path = random(random).write(directory);
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE);
        Recording recording = Recording.open(path)) {
      for (int i = 0; i < 10; i++) {
        long from = i == 0 ? 0 : random.nextLong(timeline.duration());
        long to = i == 0 ? timeline.duration() : from + random.nextLong(timeline.duration() / 4);
        Set<Integer> tracks = new HashSet<>();
        IntStream.range(0, timeline.tracks().size())
            .filter(track -> random.nextBoolean())
            .forEach(tracks::add);
        Set<Integer> threads = new HashSet<>();
        tracks.forEach(track -> threads.add(timeline.tracks().get(track).thread()));
        SampleReport report =
            SampleReport.of(
                CallPass.open(recording),
                from,
                to,
                thread -> threads.contains(thread.thread()),
                ProgressListener.NONE);
        TimelineSelection selection = new TimelineSelection(from, to, List.copyOf(tracks));
        SampleTree tree = tree(timeline, selection, "", false, "cycles:u");
        Map<Integer, SampleReport.Row> expected = new HashMap<>();
        report.kinds().stream()
            .filter(kind -> kind.name().equals("cycles:u"))
            .flatMap(kind -> kind.rows().stream())
            .forEach(row -> expected.put(row.method().id(), row));
        assertThat(rows(timeline, tree)).isEqualTo(expected);
        assertThat(tree.kinds().stream().map(kind -> kind.name() + kind.samples()))
            .containsExactlyInAnyOrderElementsOf(
                report.kinds().stream().map(kind -> kind.name() + kind.samples()).toList());
      }
    }
  }

  /** Sums by method; a method that called itself has its samples once. */
  private static Map<Integer, SampleReport.Row> rows(Timeline timeline, SampleTree tree) {
    List<CallTree.Row> nodes = tree.tree().rows();
    Map<Integer, SampleReport.Row> rows = new HashMap<>();
    for (CallTree.Row node : nodes) {
      boolean nested = false;
      for (int above = node.parent(); above >= 0; above = nodes.get(above).parent()) {
        nested |= nodes.get(above).method() == node.method();
      }
      rows.merge(
          node.method(),
          new SampleReport.Row(
              timeline.method(node.method()), node.self(), nested ? 0 : node.total()),
          (a, b) -> new SampleReport.Row(a.method(), a.own() + b.own(), a.total() + b.total()));
    }
    return rows;
  }

  private static RecordingBuilder random(SplittableRandom random) {
    RecordingBuilder r = new RecordingBuilder().packetSize(600).process(1);
    for (int method = 1; method <= 20; method++) {
      r.method(1, method, "a.B", "m" + method);
    }
    for (int stack = 1; stack <= 500; stack++) {
      r.stack(1, stack, random.nextInt(stack), 1 + random.nextInt(20));
    }
    kinds(r);
    for (int thread = 1; thread <= 5; thread++) {
      r.thread(1, thread, "thread " + thread);
    }
    StreamWriter ring = r.ring(1, 0, 1);
    long clock = 1000;
    for (int i = 0; i < 3000; i++) {
      clock += random.nextInt(50);
      if (random.nextInt(4) == 0) {
        ring.switchTo(clock, 1 + random.nextInt(5));
      }
      byte[] allocation = allocation("y".repeat(random.nextInt(9)), random.nextInt(501), 8);
      boolean cpu = random.nextInt(3) > 0;
      ring.own(clock, cpu ? CPU : ALLOCATION, cpu ? cpu(random.nextInt(502), 3) : allocation);
    }
    return r;
  }
}
