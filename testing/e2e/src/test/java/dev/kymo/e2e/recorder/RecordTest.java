package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records programs with known calls: the recording has what happened, and nothing else changes. */
class RecordTest {
  private static final String ENDLESS_INFERRED = "Known.endless " + Slice.INFERRED_END;

  private static final Pattern SIZE =
      Pattern.compile("kymo: recorded 1 process, ([0-9.]+) (kB|MB) in .*\n");

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  static List<Jdk> jdksWithVirtualThreads() {
    return Jdk.withVirtualThreads();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void everyCallOnceAndBalanced(Jdk jdk) throws Exception {
    Path recording = folder.resolve("known.kymo");
    Kymo.Result plain = plain(jdk, "Known");
    Kymo.Result result = record(recording, jdk, List.of("--when-full", "block"), "Known");
    assertThat(result.out()).isEqualTo(plain.out());
    assertThat(result.exit()).isZero();
    Matcher size = SIZE.matcher(result.err());
    assertThat(size.matches()).as(result.err()).isTrue();
    double unit = size.group(2).equals("kB") ? 1e3 : 1e6;
    assertThat(Double.parseDouble(size.group(1)) * unit)
        .isCloseTo(bytes(recording), within(unit)); // rounded
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      // The innermost frames of an overflow may have had no stack left to record their end.
      long unsaid = recorded.unbalanced.getOrDefault(ENDLESS_INFERRED, 0L);
      assertThat(recorded.unbalanced.keySet()).isSubsetOf(ENDLESS_INFERRED);
      assertKnownCalls(recorded);
      assertThat(recorded.calls("Known.endless")).isGreaterThan(100);
      assertThat(recorded.unwound.getOrDefault("Known.endless", 0L) + unsaid)
          .isEqualTo(recorded.calls("Known.endless"));
    }
  }

  private static double bytes(Path recording) throws IOException {
    try (Stream<Path> files = Files.list(recording)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("p1-"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  private static void assertKnownCalls(Recorded recorded) {
    Map<String, Integer> expected =
        Map.ofEntries(
            Map.entry("Known.main", 1),
            Map.entry("Known.fib", 1973),
            Map.entry("Known.catcher", 1),
            Map.entry("Known.thrower", 80),
            Map.entry("Known.locked", 11),
            Map.entry("Known$Derived.<init>", 6),
            Map.entry("Known$Base.<init>", 6),
            Map.entry("Known$Initialised.<clinit>", 1),
            Map.entry("Known$Initialised.count", 1),
            Map.entry("Known$Greeter.greet", 5),
            Map.entry("Known.lambda", 5),
            Map.entry("Known.lambda$lambda$0", 5),
            Map.entry("Known.wide", 5),
            Map.entry("Known.work", 40),
            Map.entry("Known.chooser", 2000));
    expected.forEach(
        (name, count) -> assertThat(recorded.calls(name)).as(name).isEqualTo((long) count));
    assertThat(recorded.unwound.get("Known.thrower")).isEqualTo(80);
    assertThat(recorded.unwound.get("Known$Derived.<init>")).isEqualTo(1);
    assertThat(recorded.tracks().stream().filter(t -> t.name().startsWith("worker-")))
        .hasSize(40)
        .allSatisfy(t -> assertThat(t.calls()).isEqualTo(51))
        .allSatisfy(t -> assertThat(t.tid()).isPositive());
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void exitHaltAndUncaughtExceptionsPassThrough(Jdk jdk) throws Exception {
    for (String how : List.of("exit", "halt", "throw")) {
      Path recording = folder.resolve(how + ".kymo");
      Kymo.Result plain = plain(jdk, "Known", how);
      Kymo.Result result =
          record(recording, jdk, List.of("-q", "--when-full", "block"), "Known", how);
      assertThat(result).isEqualTo(plain);
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("Known.chooser")).isEqualTo(2000);
        assertThat(recorded.timeline.processes())
            .extracting("end")
            .containsExactly(how.equals("halt") ? "killed" : "ended");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdksWithVirtualThreads")
  void everyVirtualThreadHasItsOwnTrack(Jdk jdk) throws Exception {
    Path recording = folder.resolve("virtual.kymo");
    Kymo.Result result = record(recording, jdk, List.of("--when-full", "block"), "Virtual", "500");
    assertThat(result.out()).isEqualTo("500\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.unbalanced).isEmpty();
      List<Track> virtual = recorded.tracks().stream().filter(Track::virtual).toList();
      assertThat(virtual).hasSize(500);
      // the submitted lambda, outer, 5 times inner and leaf
      assertThat(virtual).allSatisfy(t -> assertThat(t.calls()).isEqualTo(12));
      assertThat(virtual).allSatisfy(t -> assertThat(t.depth()).isEqualTo(4));
      assertThat(recorded.calls("Virtual.leaf")).isEqualTo(2500);
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void classLoadersThatKnowNothingOfTheAgent(Jdk jdk) throws Exception {
    Path recording = folder.resolve("isolated.kymo");
    Kymo.Result result = record(recording, jdk, List.of("--min-size", "0"), "Isolated");
    assertThat(result.out()).isEqualTo("42\n42\n42\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Isolated$Inmate.value")).isEqualTo(3);
      assertThat(recorded.timeline.oddities()).isEmpty();
      // the same name three times, from three loaders: three methods
      long methods = 0;
      for (int i = 0; i < recorded.timeline.methods(); i++) {
        methods += recorded.timeline.method(i).name().equals("value") ? 1 : 0;
      }
      assertThat(methods).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void aRedefinedClassIsStillRecorded(Jdk jdk) throws Exception {
    Path source = folder.resolve("Redefined.java");
    Files.writeString(
        source,
        Files.readString(Path.of("src/programs/Redefined.java"))
            .replace("parseInt(\"1\")", "parseInt(\"100\")"));
    Path other = folder.resolve("other");
    Programs.compile(source, 17, other);
    Path manifest = folder.resolve("manifest");
    Files.writeString(manifest, "Premain-Class: Redefined\nCan-Redefine-Classes: true\n");
    Path jar = folder.resolve("own-agent.jar");
    ToolProvider.findFirst("jar")
        .orElseThrow()
        .run(System.out, System.err, "cfm", jar.toString(), manifest.toString());
    Path recording = folder.resolve("redefined.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "--strict",
            "-o",
            recording.toString(),
            "--",
            jdk.java().toString(),
            "-javaagent:" + jar,
            "-cp",
            Programs.CLASSES.toString(),
            "Redefined",
            other.resolve("Redefined$Answer.class").toString());
    assertThat(result.out()).isEqualTo("1010\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Redefined$Answer.value")).isEqualTo(20);
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void childrenAreProcessesOfTheirOwn(Jdk jdk) throws Exception {
    Path recording = folder.resolve("parent.kymo");
    Kymo.Result result = record(recording, jdk, List.of(), "Parent");
    assertThat(result.out()).isEqualTo("child plain\nchild marked\nparent 0 true\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.processes()).hasSize(3);
      assertThat(recorded.calls("Parent.spawn")).isEqualTo(2);
      assertThat(recorded.calls("Parent.child")).isEqualTo(2);
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
  }

  @Test
  void aThreadHasTheNameItGotLast() throws Exception {
    Path recording = folder.resolve("renamed.kymo");
    record(recording, Jdk.running(), List.of(), "Renamed");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.tracks())
          .extracting(Track::name)
          .containsExactlyInAnyOrder("main", "after");
    }
  }

  @Test
  void scriptsThatRunJava() throws Exception {
    Path recording = folder.resolve("script.kymo");
    Path script = folder.resolve("run.sh");
    String java = "'%s' -cp '%s' Isolated\n".formatted(Jdk.running().java(), Programs.CLASSES);
    Files.writeString(script, java + java + "exit 9\n");
    Kymo.Result result =
        Kymo.run("record", "-o", recording.toString(), "--", "/bin/sh", script.toString());
    assertThat(result.exit()).isEqualTo(9);
    assertThat(result.out()).isEqualTo("42\n".repeat(6));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.processes()).hasSize(2);
      assertThat(recorded.calls("Isolated.main")).isEqualTo(2);
    }
  }

  @Test
  void includeAndExcludeSayWhatIsRecorded() throws Exception {
    Path recording = folder.resolve("some.kymo");
    record(
        recording,
        Jdk.running(),
        List.of("--include", "Known", "--exclude", "Known#fib", "--exclude", "Known$*"),
        "Known");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Known.fib")).isZero();
      assertThat(recorded.calls("Known$Derived.<init>")).isZero();
      assertThat(recorded.calls("Known.chooser")).isEqualTo(2000);
    }
    Path one = folder.resolve("one.kymo");
    record(one, Jdk.running(), List.of("--include", "K*#fib"), "Known");
    try (Recorded recorded = new Recorded(one)) {
      assertThat(recorded.calls.keySet()).containsExactly("Known.fib");
    }
  }

  @Test
  void flightRecorderKeepsTheNewest() throws Exception {
    Path recording = folder.resolve("newest.kymo");
    record(
        recording, Jdk.running(), List.of("--when-full", "overwrite", "--buffer", "128K"), "Known");
    try (Recorded recorded = new Recorded(recording)) {
      Track main =
          recorded.tracks().stream().filter(t -> t.name().equals("main")).findFirst().orElseThrow();
      assertThat(main.lost()).isPositive();
      assertThat(recorded.calls("Known.fib")).isZero(); // long overwritten by the endless recursion
      assertThat(recorded.calls("Known.work")).isEqualTo(40);
    }
  }

  private Kymo.Result record(Path recording, Jdk jdk, List<String> options, String... program)
      throws Exception {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of("record", "--strict", "--waits", "off", "-o", recording.toString()));
    arguments.addAll(options);
    arguments.addAll(List.of("--", jdk.java().toString(), "-cp", Programs.CLASSES.toString()));
    arguments.addAll(List.of(program));
    return Kymo.run(arguments.toArray(String[]::new));
  }

  private Kymo.Result plain(Jdk jdk, String... program) throws Exception {
    List<String> command =
        new java.util.ArrayList<>(
            List.of(jdk.java().toString(), "-cp", Programs.CLASSES.toString()));
    command.addAll(List.of(program));
    return Kymo.exec(folder, command.toArray(String[]::new));
  }
}
