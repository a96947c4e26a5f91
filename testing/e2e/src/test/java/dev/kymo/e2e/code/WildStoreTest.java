package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recorded C program writes wrong bytes into the memory that it shares with its recorder, as a
 * stray pointer may: the recording stays small and readable and reports it, and the program stays
 * as it is.
 */
@Tag("survival")
class WildStoreTest {
  private static final long MUCH = 64L << 20;

  @TempDir Path folder;

  @Test
  void intoThePositionOfARing() throws Exception {
    Path recording = record("ring-1", "64", "0x7fffffffffff0000");
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(info.out()).contains("a thread's shared memory was overwritten");
    Kymo.Result report = Kymo.run("report", recording.toString());
    assertThat(report.out()).contains("at least").contains("step");
  }

  @Test
  void intoThePositionByALittle() throws Exception {
    record("ring-1", "64", "0x100000");
  }

  @Test
  void intoTheNumberOfRings() throws Exception {
    Path recording = record("control", "24", "0x7fffffff7fffffff");
    assertThat(Kymo.run("info", recording.toString()).exit()).isZero();
  }

  private Path record(String file, String offset, String value) throws Exception {
    Path program =
        NativePrograms.compile(
            Path.of("src/native/steady.c"), folder.resolve("steady"), "-finstrument-functions");
    Path recording = folder.resolve("r.kymo");
    Path end = folder.resolve("end");
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "-o",
            recording.toString(),
            "--",
            program.toString(),
            end.toString(),
            file,
            offset,
            value);
    var out = kymo.inputReader();
    assertThat(out.readLine()).isEqualTo("ready");
    awaitCalls(recording.resolve("p1-ring-1"));
    Files.createFile(folder.resolve("end.damage"));
    assertThat(out.readLine()).matches("damaged [1-9]\\d*");
    TimeUnit.SECONDS.sleep(1);
    Files.createFile(end);
    assertThat(Long.parseLong(out.readLine())).isPositive();
    Kymo.Result result = Kymo.finish(kymo, "");
    assertThat(result.exit()).isEqualTo(7);
    assertThat(size(recording)).isLessThan(MUCH);
    return recording;
  }

  /** Until the recorder has written some. */
  private static void awaitCalls(Path ring) throws Exception {
    while (Files.notExists(ring) || Files.size(ring) < 1000) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static long size(Path recording) throws Exception {
    long bytes = 0;
    try (var files = Files.newDirectoryStream(recording)) {
      for (Path file : files) {
        bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
      }
    }
    return bytes;
  }
}
