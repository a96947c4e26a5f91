package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.timeline.Track;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded of programs for ARM64: calls of C and of Java. */
@Tag("arm64")
class Arm64Test {
  @TempDir Path folder;

  /** A recording of a program of the tests with the library in it. */
  private Recorded recorded(String arguments) throws Exception {
    Arm64Programs.assumeInstalled();
    Path program =
        Arm64Programs.compile(
            Path.of("src/native/functions.c"), folder.resolve("program"), "-finstrument-functions");
    String library = Arm64Programs.library("libkymo.so").toString();
    return record(Arm64Programs.run(library, program, arguments.split(" ")));
  }

  private Recorded record(List<String> command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    Kymo.Result result = Arm64Programs.record(recording, command);
    said = result.out();
    assertThat(said).as(result.err()).isNotEmpty();
    return new Recorded(recording);
  }

  private String said = "";

  /** What the program has counted itself. */
  private Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    for (String line : said.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (!words[1].equals("0")) {
        counts.put(words[0], Long.parseLong(words[1]));
      }
    }
    return counts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"calls 3000", "jumps 20", "threads 5 100", "stacks 10"})
  void functionsOfPrograms(String arguments) throws Exception {
    try (Recorded recorded = recorded(arguments)) {
      Map<String, Long> calls = new TreeMap<>(recorded.calls);
      calls.keySet().removeAll(List.of("main", "after"));
      assertThat(calls).isEqualTo(counts());
      assertThat(recorded.unbalanced).isEmpty();
      if (arguments.startsWith("jumps")) {
        assertThat(recorded.unwound).isEqualTo(Map.of("deep", 80L, "throws", 40L, "handler", 40L));
        assertThat(deepest(recorded)).as("main, tries and four of deep").isEqualTo(5);
      }
    }
  }

  /** How many calls are around the innermost one: those left by a jump are over at once. */
  private static int deepest(Recorded recorded) {
    int[] deepest = {0};
    for (Track track : recorded.timeline.tracks()) {
      recorded.timeline.slices(
          track.id(),
          0,
          recorded.timeline.duration() + 1,
          0,
          (depth, method, begin, end, count, flags) -> deepest[0] = Math.max(deepest[0], depth));
    }
    return deepest[0];
  }

  /** QEMU 7.2 does not tell children that they are. */
  @ParameterizedTest
  @CsvSource({"bare 30, 1", "forks 30, 2"})
  void children(String arguments, long ended) throws Exception {
    try (Recorded recorded = recorded(arguments)) {
      Map<String, Long> expected = counts();
      expected.merge("leaf", ended - 1, Long::sum); // what a child calls at its end, it cannot say
      Map<String, Long> calls = new TreeMap<>(recorded.calls);
      assertThat(calls.remove("after")).isEqualTo(ended);
      assertThat(calls.remove("main")).isEqualTo(expected.getOrDefault("child", 0L) + ended);
      assertThat(calls).isEqualTo(expected);
      assertThat(recorded.unbalanced).containsOnlyKeys("main 4");
    }
  }

  /** What counts its calls itself. */
  private static List<String> javaProgram(int feature, String... options) {
    Arm64Programs.assumeInstalled(Arm64Programs.QEMU, "qemu-user");
    Arm64Programs.assumeInstalled(
        Arm64Programs.java(feature), "Debian's Java for ARM64, see config/arm64-java.sh");
    List<String> command = Arm64Programs.runJava(feature, options);
    command.addAll(List.of("-cp", Programs.CLASSES.toString(), "OwnCounts", "2", "1", "10"));
    return command;
  }

  private void countsAreTheSame(Recorded recorded) {
    Map<String, Long> counts = counts();
    assertThat(counts).containsKey("OwnCounts.small");
    counts.forEach(
        (method, count) -> assertThat(recorded.calls(method)).as(method).isEqualTo(count));
    assertThat(recorded.unbalanced).isEmpty();
  }

  @Test
  void callsOfJava() throws Exception {
    try (Recorded recorded = record(javaProgram(17))) {
      countsAreTheSame(recorded);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 25})
  void callsOfJavaByTheAgentAlone(int feature) throws Exception {
    Path recording = folder.resolve("alone.kymo");
    String agent = "-javaagent:" + Kymo.AGENT + "=quiet,when-full=block,out=" + recording;
    List<String> program = javaProgram(feature, agent);
    Kymo.Result result = Kymo.exec(folder, program.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    said = result.out();
    try (Recorded recorded = new Recorded(recording)) {
      countsAreTheSame(recorded);
    }
  }
}
