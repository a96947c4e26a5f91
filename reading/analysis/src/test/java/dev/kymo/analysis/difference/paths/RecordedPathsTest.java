package dev.kymo.analysis.difference.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The trees have what the report of the same recording has. */
class RecordedPathsTest {
  @TempDir Path directory;

  static List<Path> stored() throws IOException {
    try (Stream<Path> all = Files.list(SourceTree.path("corpus/succeed"))) {
      return all.sorted().map(version -> version.resolve("recording")).toList();
    }
  }

  private static RecordedPaths read(Recording recording, NameKeys names, int most) {
    CallPass pass = CallPass.open(recording);
    Set<Integer> counted = RecordedPaths.counted(pass, names);
    return RecordedPaths.read(pass, names, counted, name -> false, most, ProgressListener.NONE);
  }

  private static void add(PathNode node, NameKeys names, Map<String, double[]> sums) {
    for (PathNode child : node.children()) {
      double[] sum = sums.computeIfAbsent(names.name(child.key()), n -> new double[2]);
      sum[0] += child.calls();
      sum[1] += child.self();
      add(child, names, sums);
    }
  }

  private static Map<String, double[]> sums(RecordedPaths paths, NameKeys names) {
    Map<String, double[]> sums = new HashMap<>();
    for (RolePaths role : paths.roles()) {
      add(role.root(), names, sums);
      role.counted()
          .forEach((key, counted) ->
              sums.computeIfAbsent(names.name(key), n -> new double[2])[0] += counted.calls());
    }
    return sums;
  }

  @ParameterizedTest
  @MethodSource("stored")
  void hasTheCallsOfTheReport(Path path) throws IOException {
    NameKeys names = new NameKeys();
    Map<String, double[]> sums;
    try (Recording recording = Recording.open(path)) {
      sums = sums(read(recording, names, 100_000), names);
    }
    Map<String, Long> expected = new HashMap<>();
    try (Recording recording = Recording.open(path)) {
      SummaryQuery query = new SummaryQuery(0, Long.MAX_VALUE, thread -> true, false);
      for (MethodSummary row :
          Summary.of(CallPass.open(recording), query, ProgressListener.NONE).rows()) {
        expected.merge(names.name(MethodKeys.key(row.method(), names)), row.calls(), Long::sum);
      }
    }
    assertThat(sums.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    expected.forEach((name, calls) ->
        assertThat(sums.getOrDefault(name, new double[2])[0]).as(name).isEqualTo((double) calls));
  }

  @Test
  void countedMethodsAreNotInTheTreeAndTheirTimeIsTheirCallers() throws IOException {
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "main");
    builder.method(1, 1, "a.B", "outer").method(1, 2, "a.B", "hot").method(1, 3, "a.B", "inner");
    builder.at(500).step(1, 2, MethodMode.TIMED, MethodMode.EVENTS, "hot");
    StreamWriter ring = builder.ring(1, 0, 1);
    ring.enter(100, 1).enter(200, 2).enter(250, 3).leave(300, 3).leave(400, 2).leave(600, 1);
    NameKeys names = new NameKeys();
    try (Recording recording = Recording.open(builder.write(directory.resolve("counted")))) {
      RecordedPaths paths = read(recording, names, 1000);
      RolePaths role = paths.roles().iterator().next();
      PathNode outer = role.root().children().getFirst();
      assertThat(outer.children()).hasSize(1);
      assertThat(names.name(outer.children().getFirst().key())).isEqualTo("a.B.inner");
      assertThat(outer.self()).isEqualTo(450);
      RolePaths.Counted hot = Objects.requireNonNull(role.counted().get(names.of("a.B.hot")));
      assertThat(hot.calls()).isEqualTo(1);
      assertThat(hot.self()).isEqualTo(150);
    }
  }

  @Test
  void leavesOutTheSmallestPathsWhenThereAreTooMany() throws IOException {
    long seed = 5;
    SplittableRandom random = new SplittableRandom(seed);
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "main");
    for (int method = 0; method < 40; method++) {
      builder.method(1, method, "a.B", "m" + method);
    }
    StreamWriter ring = builder.ring(1, 0, 1);
    long now = 100;
    for (int i = 0; i < 20_000; i++) {
      int[] path = random.ints(1 + random.nextInt(5), 0, 40).toArray();
      for (int method : path) {
        ring.enter(now++, method);
      }
      now += i % 10 == 0 ? 1000 : 1;
      for (int at = path.length - 1; at >= 0; at--) {
        ring.leave(now++, path[at]);
      }
    }
    Path path = builder.write(directory.resolve("many"));
    NameKeys names = new NameKeys();
    double all = 0;
    try (Recording recording = Recording.open(path)) {
      RecordedPaths paths = read(recording, names, 500);
      PathNode root = paths.roles().iterator().next().root();
      assertThat(count(root)).isLessThanOrEqualTo(502);
      all = time(root);
    }
    try (Recording recording = Recording.open(path)) {
      double exact = time(read(recording, names, 1 << 20).roles().iterator().next().root());
      assertThat(all).isCloseTo(exact, within(1.0)); // no time is lost
    }
  }

  private static int count(PathNode node) {
    return 1 + node.children().stream().mapToInt(RecordedPathsTest::count).sum();
  }

  /** Of a node and all below it. */
  private static double time(PathNode node) {
    return node.self()
        + node.foldedTime()
        + node.children().stream().mapToDouble(RecordedPathsTest::time).sum();
  }

  /** A prune that looks at all below each node for each node takes minutes here. */
  @Test
  void leavesOutDeepPathsAgainAndAgain() throws IOException {
    RecordingBuilder builder = new RecordingBuilder().process(1).thread(1, 1, "main");
    for (int method = 0; method < 600; method++) {
      builder.method(1, method, "a.B", "m" + method);
    }
    StreamWriter ring = builder.ring(1, 0, 1);
    SplittableRandom random = new SplittableRandom(7);
    long now = 100;
    int[] path = new int[500];
    int depth = 0;
    for (int i = 0; i < 400_000; i++) {
      if (depth < path.length && (depth < 300 || random.nextBoolean())) {
        path[depth] = random.nextInt(600);
        ring.enter(now++, path[depth++]);
      } else {
        ring.leave(now++, path[--depth]);
      }
    }
    while (depth > 0) {
      ring.leave(now++, path[--depth]);
    }
    try (Recording recording = Recording.open(builder.write(directory.resolve("deep")))) {
      PathNode root = read(recording, new NameKeys(), 5_000).roles().iterator().next().root();
      assertThat(count(root)).isLessThanOrEqualTo(5_002);
      assertThat(time(root)).isCloseTo((double) (now - 101), within(1.0));
    }
  }
}
