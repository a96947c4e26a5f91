package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Counted;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recording that is being written can be read up to the present, and what a killed recorder has
 * written is not written again.
 */
class RunningTest {
  /**
   * Long for a drainer, which needs 50 ms, but short compared with the time that a full packet
   * would take.
   */
  private static final long PATIENCE_MILLIS = 120_000;

  private static final int CALLS_BETWEEN_RESTS = 10;

  @TempDir Path folder;

  private @Nullable Process recorder;
  private @Nullable ProcessHandle program;

  @AfterEach
  void endAll() {
    if (recorder != null) {
      recorder.destroyForcibly();
    }
    if (program != null) {
      program.destroyForcibly();
    }
  }

  @Test
  void othersReadItWhileItGrows() throws Exception {
    Path recording = start();
    for (int round = 0; round < 20; round++) {
      awaitPresent(recording);
      assertNothingOdd(recording);
    }
    endProgram();
    assertThat(recorder().waitFor(600, TimeUnit.SECONDS)).isTrue();
    assertEverythingOnce(recording);
    assertNothingOdd(recording);
  }

  @Test
  void theRecorderIsKilledWhilePacketsAreOpen() throws Exception {
    for (int round = 0; round < 5; round++) {
      Path recording = start();
      awaitPresent(recording);
      TimeUnit.MILLISECONDS.sleep(round * 20L);
      Kymo.signal(recorder(), "STOP"); // a program whose recorder is dead stops recording soon
      TimeUnit.MILLISECONDS.sleep(100);
      program().destroyForcibly();
      recorder().destroyForcibly().waitFor(); // until then nobody learns of the program's end
      endProgram();
      assertThat(Kymo.run("info", recording.toString()).exit()).isZero();
      assertEverythingOnce(recording);
      assertNothingOdd(recording);
    }
  }

  /** Records a program with two threads that need about a second to fill a packet. */
  private Path start() throws Exception {
    Path recording = folder.resolve(System.nanoTime() + ".kymo");
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "--when-full",
            "block",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Counting",
            counters(recording).toString(),
            Integer.toString(CALLS_BETWEEN_RESTS));
    recorder = kymo;
    while (Counted.byProgram(counters(recording))[0] == 0) {
      assertThat(kymo.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(10);
    }
    program = kymo.children().findFirst().orElseThrow();
    return recording;
  }

  private static Path counters(Path recording) {
    return recording.resolveSibling(recording.getFileName() + ".counters");
  }

  private Process recorder() {
    Process started = recorder;
    if (started == null) {
      throw new AssertionError();
    }
    return started;
  }

  private ProcessHandle program() {
    ProcessHandle started = program;
    if (started == null) {
      throw new AssertionError();
    }
    return started;
  }

  private void endProgram() throws Exception {
    program().destroyForcibly();
    program().onExit().get(600, TimeUnit.SECONDS);
  }

  /** What the program has counted so far is soon in the recording. */
  private static void awaitPresent(Path recording) throws Exception {
    long[] counted = Counted.byProgram(counters(recording));
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (!isThere(recording, counted)) {
      assertThat(System.nanoTime()).as("not there in time").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static boolean isThere(Path recording, long[] counted) throws IOException {
    if (!Files.exists(recording.resolve("p1-ring-2"))) {
      return false;
    }
    long[] recorded = Counted.inRecording(recording);
    return recorded[0] >= counted[0] && recorded[1] >= counted[1];
  }

  private static void assertEverythingOnce(Path recording) throws IOException {
    long[] counted = Counted.byProgram(counters(recording));
    long[] recorded = Counted.inRecording(recording);
    assertThat(recorded[0] - counted[0]).isBetween(0L, 1L);
    assertThat(recorded[1] - counted[1]).isBetween(0L, 1L);
  }

  private static void assertNothingOdd(Path recording) throws Exception {
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.calls("Counting.counted")).isPositive();
    }
    if (Files.isExecutable(Path.of("/usr/bin/babeltrace2"))) {
      Kymo.Result read =
          Kymo.exec(Path.of("."), "babeltrace2", recording.toString(), "-c", "sink.utils.dummy");
      assertThat(List.of(read.err(), read.exit())).isEqualTo(List.of("", 0));
    }
  }
}
