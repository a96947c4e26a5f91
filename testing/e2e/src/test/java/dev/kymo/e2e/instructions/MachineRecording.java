package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A machine that was recorded once for all tests of a class. */
@Tag("peer")
abstract class MachineRecording {
  static final Path SOURCES = Path.of("src/native").toAbsolutePath();

  /** Column of a report. */
  private static final int CALLS = 5;

  @TempDir static Path shared;

  /** A machine that was recorded once for all tests: nested calls 12. */
  static Path recording;

  static String said;

  @TempDir Path folder;

  @BeforeAll
  static void record() throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-machine.so")),
        "skipped: libkymo-machine was not built, this is no x86-64 machine");
    Kymo.Result prepared = Kymo.run("machine", "prepare");
    assumeTrue(
        prepared.exit() == 0,
        "skipped: QEMU 10 and a kernel cannot be had from Debian: " + prepared.err());
    Path program =
        NativePrograms.compile(SOURCES.resolve("nested.c"), shared.resolve("nested"), "-no-pie");
    recording = shared.resolve("run.kymo");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "-q",
            "-o",
            recording.toString(),
            "--",
            program.toString(),
            "calls",
            "12");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    said = result.out();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
    try (Stream<Path> files = Files.list(recording.resolve("instructions"))) {
      assertThat(files.filter(f -> f.getFileName().toString().startsWith("replaying"))).isEmpty();
    }
  }

  static long number(String json, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\" ?: ?(\\d+)").matcher(json);
    assertThat(matcher.find()).as(json).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  static String use(Path of) throws Exception {
    return Kymo.run("report", "--instructions", "--json", of.toString()).out();
  }

  /** How often each method was called, by all processes. */
  static Map<String, Long> calls(Path of) throws Exception {
    Map<String, Long> calls = new HashMap<>();
    String csv = Kymo.run("report", "--csv", of.toString()).out();
    csv.lines()
        .skip(1)
        .map(line -> line.split(","))
        .forEach(words -> calls.merge(words[0], Long.valueOf(words[CALLS]), Long::sum));
    return calls;
  }
}
