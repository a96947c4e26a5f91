package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real program's events are in the files when they were asked to be there. */
@Timeout(600)
class FlushTest {
  @TempDir Path folder;

  private Path recording() {
    return folder.resolve("run.kymo");
  }

  private Process record(String flush, String rounds) throws Exception {
    Path program =
        NativePrograms.compile(
            Path.of("src/native/stepwise.c").toAbsolutePath(),
            folder.resolve("stepwise"),
            "-finstrument-functions");
    return Kymo.start(
        folder,
        Map.of(),
        "record",
        "-q",
        "--flush",
        flush,
        "-o",
        recording().toString(),
        "--",
        program.toString(),
        folder.resolve("go").toString(),
        "waits",
        rounds);
  }

  private String printed() throws Exception {
    return Kymo.run("print", recording().toString()).out();
  }

  private static void end(Process record) {
    record.descendants().forEach(ProcessHandle::destroyForcibly);
    record.destroyForcibly();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1h", "900M"})
  void notYet(String flush) throws Exception {
    Process record = record(flush, "3");
    try {
      BufferedReader out = record.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("waits");
      assertThat(printed()).doesNotContain("halfway");
      long pid =
          record
              .children()
              .filter(child -> child.info().command().orElse("").endsWith("stepwise"))
              .findFirst()
              .orElseThrow()
              .pid();
      Kymo.Result flushed = Kymo.run("ctl", Long.toString(pid), "flush");
      assertThat(flushed.err()).isEmpty();
      assertThat(printed()).contains("enter halfway").doesNotContain("done");
      Files.createFile(folder.resolve("go"));
      assertThat(out.readLine()).isNull();
      assertThat(record.waitFor()).isZero();
      assertThat(printed()).contains("leave done");
    } finally {
      end(record);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "100ms", "64K"})
  void byItself(String flush) throws Exception {
    Process record = record(flush, "500"); // each thread has 40 kB, in blocks of 128 kB
    try {
      BufferedReader out = record.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("waits");
      while (!printed().contains("enter odd")) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      Files.createFile(folder.resolve("go"));
      assertThat(out.readLine()).isNull();
      assertThat(record.waitFor()).isZero();
      assertThat(printed()).contains("leave done");
    } finally {
      end(record);
    }
  }
}
