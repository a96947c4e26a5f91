package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs for ARM64, which QEMU's user mode runs: the recorders in them are ARM64's, what drains
 * them is this machine's own.
 */
class Arm64Test {
  private static final Path COMPILER = Path.of("/usr/bin/aarch64-linux-gnu-gcc");
  private static final Path QEMU = Path.of("/usr/bin/qemu-aarch64");

  /** The cross compiler's C library. */
  private static final String LIBRARIES = "/usr/aarch64-linux-gnu";

  /** Where {@code config/arm64-java.sh} has unpacked it for {@code ./test}. */
  private static final Path JAVA = SourceTree.path("testing/e2e/target/arm64").toAbsolutePath();

  @TempDir static Path built;

  @TempDir Path folder;

  private static void assumeInstalled(Path program, String name) {
    assumeTrue(Files.isExecutable(program), "skipped: not installed: " + name);
  }

  private static Path library() throws Exception {
    Path library = built.resolve("libkymo.so");
    if (Files.notExists(library)) {
      Kymo.Result made =
          Kymo.exec(
              SourceTree.path("recording/native"),
              "make",
              "CC=" + COMPILER,
              "OUT=" + built,
              "JAVA_HOME=/none",
              library.toString());
      assertThat(made.exit()).as(made.err()).isZero();
    }
    return library;
  }

  private Recorded record(String... command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words =
        new ArrayList<>(List.of("record", "-q", "--strict", "--when-full", "block"));
    words.addAll(List.of("--clock", "monotonic", "-o", recording.toString(), "--"));
    words.addAll(List.of(QEMU.toString()));
    words.addAll(List.of(command));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
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
    assumeInstalled(COMPILER, "gcc-aarch64-linux-gnu");
    assumeInstalled(QEMU, "qemu-user");
    Path program = folder.resolve("program");
    Kymo.Result compiled =
        Kymo.exec(
            Path.of("."),
            COMPILER.toString(),
            "-O2",
            "-finstrument-functions",
            "-pthread",
            "-o",
            program.toString(),
            "src/native/functions.c");
    assertThat(compiled.exit()).as(compiled.err()).isZero();
    List<String> command =
        new ArrayList<>(
            List.of("-L", LIBRARIES, "-E", "LD_PRELOAD=" + library(), program.toString()));
    command.addAll(List.of(arguments.split(" ")));
    try (Recorded recorded = record(command.toArray(String[]::new))) {
      Map<String, Long> calls = new TreeMap<>(recorded.calls);
      calls.keySet().removeAll(List.of("main", "after"));
      assertThat(calls).isEqualTo(counts());
      assertThat(recorded.unbalanced).isEmpty();
      if (arguments.startsWith("jumps")) {
        assertThat(recorded.unwound).isEqualTo(Map.of("deep", 80L, "throws", 40L, "handler", 40L));
      }
    }
  }

  @Test
  void callsOfJava() throws Exception {
    assumeInstalled(QEMU, "qemu-user");
    Path java = JAVA.resolve("usr/lib/jvm/java-17-openjdk-arm64/bin/java");
    assumeInstalled(java, "Debian's Java for ARM64, see config/arm64-java.sh");
    try (Recorded recorded =
        record(
            "-U",
            "LD_PRELOAD",
            "-L",
            JAVA.toString(),
            java.toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "OwnCounts",
            "2",
            "1",
            "10")) {
      Map<String, Long> counts = counts();
      assertThat(counts).containsKey("OwnCounts.small");
      counts.forEach(
          (method, count) -> assertThat(recorded.calls(method)).as(method).isEqualTo(count));
      assertThat(recorded.unbalanced).isEmpty();
    }
  }
}
