package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records a program that runs already, twice, and leaves it as it was. */
class AttachTest {
  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void twiceForAWhile(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process server =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Programs.CLASSES.toString(),
                "Server",
                end.toString())
            .redirectError(ProcessBuilder.Redirect.to(folder.resolve("err").toFile()))
            .start();
    try {
      BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      for (int time = 0; time < 2; time++) {
        Path recording = folder.resolve(time + ".kymo");
        Kymo.Result result =
            Kymo.run(
                "record",
                "-q",
                "--strict",
                "-o",
                recording.toString(),
                "--pid",
                Long.toString(server.pid()),
                "--duration",
                time == 0 ? "400ms" : "250ms"); // the probes are being measured then
        assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
        try (Recorded recorded = new Recorded(recording)) {
          assertThat(recorded.calls("Server.serve")).isPositive();
          assertThat(recorded.calls.keySet())
              .isSubsetOf("Server.serve", "Server.step", "Server.shift");
          assertThat(recorded.calls("Server.step"))
              .isBetween(
                  100 * (recorded.calls("Server.serve") - 2),
                  100 * (recorded.calls("Server.serve") + 1));
          assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
        }
      }
      Files.createFile(end);
      assertThat(out.readLine()).isEqualTo("fine");
      assertThat(out.readLine()).as("threads left behind").isNull();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(folder.resolve("err")).isEmptyFile();
      assertThat(Kymo.sharedMemory(folder)).isEmpty();
    } finally {
      server.destroyForcibly();
    }
  }
}
