package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.analysis.summary.MethodSummary;
import dev.kymo.analysis.summary.Summary;
import dev.kymo.analysis.summary.SummaryQuery;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hidden classes that a program defines are recorded under the names that the program gave them.
 */
class HiddenClassesTest {
  /** What {@code HiddenServer} calls of each class on command. */
  private static final long TIMES = 10;

  private static final String WORK = "HiddenServer$Work.applyAsInt";

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void everyCallAndTheSameOutput(Jdk jdk) throws Exception {
    String[] program = {jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Hidden"};
    Kymo.Result plain = Kymo.exec(folder, program);
    assertThat(plain.exit()).as(plain.err()).isZero();
    Path recording = folder.resolve("hidden.kymo");
    List<String> record = new ArrayList<>(List.of("record", "-q", "-o", recording.toString()));
    record.add("--");
    record.addAll(List.of(program));
    assertThat(Kymo.run(record.toArray(String[]::new))).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(hiddenCalls(recorded)).isEqualTo(said(plain));
      assertThat(recorded.unwound.get("Hidden$Sum.applyAsInt")).isEqualTo(4L);
      assertThat(recorded.unbalanced).isEmpty();
      assertThat(recorded.calls.keySet()).noneMatch(name -> name.contains("$$"));
    }
  }

  /** The calls that the program reports; each {@code Outer} calls a {@code Sum}. */
  private static Map<String, Long> said(Kymo.Result result) {
    Map<String, Long> said = new HashMap<>();
    result
        .out()
        .lines()
        .filter(line -> line.startsWith("called "))
        .map(line -> line.split(" "))
        .forEach(words -> said.merge("Hidden$" + words[1], Long.parseLong(words[2]), Long::sum));
    said.merge("Hidden$Sum", said.get("Hidden$Outer"), Long::sum);
    said.merge("Hidden$Mate", 1L, Long::sum); // the method that is not allowed to do what it wants
    return said;
  }

  private static Map<String, Long> hiddenCalls(Recorded recorded) {
    Map<String, Long> calls = new HashMap<>();
    recorded.calls.forEach((name, count) -> {
      if (name.endsWith(".applyAsInt")) {
        calls.put(name.substring(0, name.lastIndexOf('.')), count);
      }
    });
    return calls;
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void recordersComeAndGo(Jdk jdk) throws Exception {
    try (Server server = new Server(jdk, folder.resolve("err"))) {
      server.tell("define", 0);
      server.tell("call", TIMES);
      for (int time = 1; time <= 2; time++) {
        long sum = (time + 1) * TIMES;
        Path recording = folder.resolve("time-" + time + ".kymo");
        record(
            recording,
            server,
            "none",
            () -> {
              server.tell("define", 0);
              server.tell("call", sum);
            });
        server.tell("call", sum); // unrecorded
        // Not calls of the first class: it existed before. Calls of the second class go on.
        assertCalls(recording, time * TIMES);
      }
      server.end();
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void whatIsLeftOutKeepsItsProbes(Jdk jdk) throws Exception {
    try (Server server = new Server(jdk, folder.resolve("err"))) {
      Path leftOut = folder.resolve("left-out.kymo");
      record(
          leftOut,
          server,
          "5%",
          () -> {
            server.tell("define", 0);
            do {
              server.tell("heat", 0);
            } while (!soFar(leftOut, WORK).map(MethodSummary::leftOut).orElse(false));
            server.tell("define", 0);
            server.tell("call", 2 * TIMES);
          });
      assertThat(Kymo.run("info", leftOut.toString()).out()).doesNotContain("not recorded:");
      Path again = folder.resolve("again.kymo");
      record(again, server, "none", () -> server.tell("call", 2 * TIMES));
      assertCalls(again, 2 * TIMES);
      server.end();
    }
  }

  private static void assertCalls(Path recording, long calls) throws Exception {
    assertThat(soFar(recording, WORK).map(MethodSummary::calls)).contains(calls);
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains(", stopped, ")
        .contains("lost         0 events")
        .contains("oddities     0");
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Records the program while it does something. */
  private void record(Path recording, Server server, String budget, Work work) throws Exception {
    Process recorder =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "--strict",
            "--budget",
            budget,
            "-o",
            recording.toString(),
            "--pid",
            server.pid());
    try {
      do {
        assertThat(recorder.isAlive()).isTrue();
        server.tell("beat", 0);
      } while (soFar(recording, "HiddenServer.beat").isEmpty());
      work.run();
      recorder.toHandle().destroy(); // leaves its streams to be read
      Kymo.Result result = Kymo.finish(recorder, "");
      assertThat(List.of(result.out(), result.err())).containsOnly("");
    } finally {
      recorder.destroyForcibly();
    }
  }

  /** What is in a recording so far, if anything. */
  private static Optional<MethodSummary> soFar(Path recording, String method) throws Exception {
    if (!Files.exists(recording.resolve("p1-ring-1"))) {
      return Optional.empty();
    }
    try (Recording open = Recording.open(recording)) {
      return Summary.of(CallPass.open(open), SummaryQuery.ALL, (done, all) -> {}).rows().stream()
          .filter(row -> row.method().qualifiedName().equals(method))
          .findFirst();
    }
  }

  /** The running program. */
  private static final class Server implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final Path err;

    Server(Jdk jdk, Path err) throws IOException {
      this.err = err;
      process =
          new ProcessBuilder(
                  jdk.java().toString(),
                  "-XX:+EnableDynamicAgentLoading",
                  "-cp",
                  Programs.CLASSES.toString(),
                  "HiddenServer")
              .redirectError(err.toFile())
              .start();
      out = process.inputReader(StandardCharsets.UTF_8);
      in = process.outputWriter(StandardCharsets.UTF_8);
    }

    String pid() {
      return Long.toString(process.pid());
    }

    void tell(String command, long sum) throws IOException {
      in.write(command + "\n");
      in.flush();
      assertThat(out.readLine()).isEqualTo(command + " " + sum);
    }

    void end() throws Exception {
      in.close();
      assertThat(out.readLine()).isNull();
      assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(err).isEmptyFile();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
