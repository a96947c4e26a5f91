package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hidden classes that a program defines are recorded under the names that it gave them. */
class HiddenClassesTest {
  /** What {@code HiddenServer} calls of each class when it is told to. */
  private static final long TIMES = 10;

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
      assertThat(recorded.calls.keySet()).noneMatch(name -> name.contains("TypeSwitch"));
    }
  }

  /** What the program says that it called; each {@code Outer} calls a {@code Sum}. */
  private static Map<String, Long> said(Kymo.Result result) {
    Map<String, Long> said = new HashMap<>();
    result
        .out()
        .lines()
        .filter(line -> line.startsWith("called "))
        .map(line -> line.split(" "))
        .forEach(words -> said.merge("Hidden$" + words[1], Long.parseLong(words[2]), Long::sum));
    said.merge("Hidden$Sum", said.get("Hidden$Outer"), Long::sum);
    said.merge("Hidden$Mate", 1L, Long::sum); // the one that may not do what it wants
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
    Process program =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Programs.CLASSES.toString(),
                "HiddenServer")
            .redirectError(folder.resolve("err").toFile())
            .start();
    try (BufferedReader out = program.inputReader(StandardCharsets.UTF_8);
        BufferedWriter in = program.outputWriter(StandardCharsets.UTF_8)) {
      tell(in, out, "define", 0);
      tell(in, out, "call", TIMES);
      for (int time = 1; time <= 2; time++) {
        Path recording = folder.resolve("time-" + time + ".kymo");
        record(recording, program, in, out, (time + 1) * TIMES);
        tell(in, out, "call", (time + 1) * TIMES); // unrecorded
        try (Recorded recorded = new Recorded(recording)) {
          // Not those of the first class: it was there before. Those of the second one go on.
          assertThat(recorded.calls("HiddenServer$Work.applyAsInt")).isEqualTo(time * TIMES);
          assertThat(recorded.timeline.oddities()).isEmpty();
          assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
        }
      }
      in.close();
      assertThat(out.readLine()).isNull();
      assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isZero();
      assertThat(folder.resolve("err")).isEmptyFile();
    } finally {
      program.destroyForcibly();
    }
  }

  private void record(
      Path recording, Process program, BufferedWriter in, BufferedReader out, long sum)
      throws Exception {
    Process recorder =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "--strict",
            "-o",
            recording.toString(),
            "--pid",
            Long.toString(program.pid()));
    try {
      do {
        assertThat(recorder.isAlive()).isTrue();
        tell(in, out, "beat", 0);
      } while (!isRecorded(recording, "HiddenServer.beat"));
      tell(in, out, "define", 0);
      tell(in, out, "call", sum);
      recorder.toHandle().destroy(); // leaves its streams to be read
      Kymo.Result result = Kymo.finish(recorder, "");
      assertThat(List.of(result.out(), result.err())).containsOnly("");
    } finally {
      recorder.destroyForcibly();
    }
  }

  private static boolean isRecorded(Path recording, String method) throws Exception {
    if (!Files.exists(recording.resolve("p1-ring-2"))) {
      return false;
    }
    try (Recorded recorded = new Recorded(recording)) {
      return recorded.calls(method) > 0;
    }
  }

  private static void tell(BufferedWriter in, BufferedReader out, String command, long sum)
      throws Exception {
    in.write(command + "\n");
    in.flush();
    assertThat(out.readLine()).isEqualTo(command + " " + sum);
  }
}
