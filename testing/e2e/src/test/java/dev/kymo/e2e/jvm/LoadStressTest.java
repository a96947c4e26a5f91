package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All that takes locks in a program at once, for minutes: its threads load classes, begin, end and
 * wait, while the governor takes probes out, recordings begin and end, waits are written, and
 * commands switch what is recorded and flush definitions.
 */
@Tag("stress")
class LoadStressTest {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(90);

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void recordingsComeAndGoWhileClassesAreLoaded(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process program =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-Xmx1g",
                "-cp",
                Programs.CLASSES.toString(),
                "Loads",
                end.toString())
            .redirectError(folder.resolve("err").toFile())
            .start();
    try {
      BufferedReader out = program.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("loaded");
      long begin = System.nanoTime();
      for (int round = 0; round < 2 || System.nanoTime() - begin < NANOS; round++) {
        record(Long.toString(program.pid()), round);
        assertThat(program.isAlive()).isTrue();
      }
      Files.createFile(end);
      assertThat(Kymo.finish(program, "")).isEqualTo(new Kymo.Result(0, "fine\n", ""));
      assertThat(folder.resolve("err")).isEmptyFile();
    } finally {
      program.destroyForcibly();
    }
  }

  private void record(String pid, int round) throws Exception {
    Path recording = folder.resolve("r" + round + ".kymo");
    String budget = round % 2 == 0 ? "5%" : "none";
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "--max-size",
            "50M",
            "--budget",
            budget,
            "--waits",
            "on",
            "-o",
            recording.toString(),
            "--pid",
            pid);
    try {
      while (!Kymo.run("ctl", pid, "status").out().startsWith("recording")) {
        assertThat(kymo.isAlive()).isTrue();
      }
      for (String command : List.of("flush", "level events", "flush", "level all", "flush")) {
        String[] words = ("ctl " + pid + " " + command).split(" ");
        assertThat(Kymo.run(words).exit()).as(command).isZero();
      }
      kymo.toHandle().destroy();
      assertThat(Kymo.finish(kymo, "").exit()).isZero();
    } finally {
      kymo.destroyForcibly();
    }
  }
}
