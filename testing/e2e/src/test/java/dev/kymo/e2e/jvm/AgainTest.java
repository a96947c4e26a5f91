package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same program is recorded again and again: each recording has what was called during it. */
class AgainTest {
  /** So many that the budget has them counted. */
  private static final long ROUNDS = 20_000;

  private static final List<List<String>> WAYS =
      List.of(
          List.of("--budget", "1%"),
          List.of("--budget", "1%"),
          List.of("--budget", "none"),
          List.of("--budget", "1%", "--waits", "on", "--messages"),
          List.of("--budget", "3%", "--min-size", "1"));

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void threeTimes(Jdk jdk) throws Exception {
    again(jdk, 3);
  }

  @Tag("survival")
  @ParameterizedTest
  @MethodSource("jdks")
  void twentyTimes(Jdk jdk) throws Exception {
    again(jdk, 20);
  }

  private void again(Jdk jdk, int times) throws Exception {
    Process program =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Programs.CLASSES.toString(),
                "Rounds")
            .redirectError(ProcessBuilder.Redirect.to(folder.resolve("err").toFile()))
            .start();
    try (Writer in = program.outputWriter(StandardCharsets.UTF_8);
        BufferedReader out = program.inputReader(StandardCharsets.UTF_8)) {
      for (int i = 0; i < times; i++) {
        Path recording = folder.resolve(i + ".kymo");
        long warmed = record(program, in, out, recording, WAYS.get(i % WAYS.size()));
        assertHas(recording, warmed);
      }
    } finally {
      program.destroyForcibly();
    }
    assertThat(folder.resolve("err")).isEmptyFile();
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  /** Returns how often the program was told to warm up while it was recorded, or shortly before. */
  private long record(
      Process program, Writer in, BufferedReader out, Path recording, List<String> options)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict"));
    words.addAll(options);
    words.addAll(List.of("--when-full", "block", "-o", recording.toString()));
    words.addAll(List.of("--pid", Long.toString(program.pid())));
    Process kymo = Kymo.start(folder, Map.of(), words.toArray(String[]::new));
    try {
      long warmed = 0;
      while (!Files.exists(recording.resolve("p1-ring-1"))) {
        assertThat(kymo.isAlive()).isTrue();
        tell(in, out, "warm 1");
        warmed++;
        TimeUnit.MILLISECONDS.sleep(10);
      }
      tell(in, out, "call " + ROUNDS);
      kymo.toHandle().destroy();
      assertThat(Kymo.finish(kymo, "")).isEqualTo(new Kymo.Result(0, "", ""));
      return warmed;
    } finally {
      kymo.destroyForcibly();
    }
  }

  private static void tell(Writer in, BufferedReader out, String line) throws IOException {
    in.write(line + "\n");
    in.flush();
    assertThat(out.readLine()).isEqualTo(line);
  }

  private static void assertHas(Path recording, long warmed) throws Exception {
    try (Recording open = Recording.open(recording)) {
      CallPass pass = CallPass.open(open);
      Map<String, MethodSummary> rows = new HashMap<>();
      for (MethodSummary row : Summary.of(pass, SummaryQuery.ALL, (done, all) -> {}).rows()) {
        rows.put(row.method().qualifiedName(), row);
      }
      assertThat(pass.oddities()).isEmpty();
      String where = recording.getFileName() + " ";
      assertThat(row(rows, "Rounds.warm").calls()).as(where + "warm").isBetween(1L, warmed);
      assertCalls(where, row(rows, "Rounds.outer"), ROUNDS);
      assertCalls(where, row(rows, "Rounds.small"), 1000 * ROUNDS);
    }
  }

  private static MethodSummary row(Map<String, MethodSummary> rows, String name) {
    MethodSummary row = rows.get(name);
    if (row == null) {
      throw new AssertionError("not recorded: " + name);
    }
    return row;
  }

  private static void assertCalls(String where, MethodSummary row, long calls) {
    if (row.atLeast()) {
      assertThat(row.calls()).as(where + row).isBetween(1L, calls);
    } else {
      assertThat(row.calls()).as(where + row).isEqualTo(calls);
    }
  }
}
