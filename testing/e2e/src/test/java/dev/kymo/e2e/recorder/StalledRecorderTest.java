package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recorder that does not run for a while, as in a suspended laptop or a starved container, and
 * one that is killed.
 */
@Tag("slow")
@Tag("survival")
class StalledRecorderTest {
  /** Longer than any wait for a sign of life should be. */
  private static final int STALL_SECONDS = 13;

  @TempDir Path folder;

  private Path recording;
  private Path end;

  @BeforeEach
  void prepare() {
    recording = folder.resolve("r.kymo");
    end = folder.resolve("end");
  }

  @Test
  void aJavaProgramIsRecordedOnAfterwards() throws Exception {
    stall(
        "Steady.step",
        Jdk.running().java().toString(),
        "-cp",
        Programs.CLASSES.toString(),
        "Steady");
  }

  @Test
  void aNativeProgramIsRecordedOnAfterwards() throws Exception {
    stall("step", steady().toString());
  }

  private void stall(String counted, String... command) throws Exception {
    Process kymo = start(List.of("--buffer", "16M"), List.of(command), List.of());
    BufferedReader out = kymo.inputReader();
    assertThat(out.readLine()).isEqualTo("ready");
    Kymo.signal(kymo, "STOP");
    TimeUnit.SECONDS.sleep(STALL_SECONDS);
    Kymo.signal(kymo, "CONT");
    TimeUnit.MILLISECONDS.sleep(500);
    Files.createFile(end);
    long calls = Long.parseLong(out.readLine());
    Kymo.Result result = Kymo.finish(kymo, "");
    assertThat(result.err()).doesNotContain("gone");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls(counted)).isEqualTo(calls);
    }
    assertThat(Kymo.run("info", recording.toString()).out()).containsPattern("lost +0 events");
  }

  @Test
  void aJavaProgramThatWaitsForRoomGoesOnWhenTheRecorderIsKilled() throws Exception {
    kill(
        List.of(Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString(), "Steady"),
        List.of("busy"));
  }

  private void kill(List<String> command, List<String> more) throws Exception {
    Process kymo = start(List.of("--when-full", "block", "--buffer", "128K"), command, more);
    BufferedReader out = kymo.inputReader();
    assertThat(out.readLine()).isEqualTo("ready");
    ProcessHandle program = kymo.children().findFirst().orElseThrow();
    Kymo.signal(kymo, "STOP"); // now it fills its rings and waits
    TimeUnit.MILLISECONDS.sleep(500);
    kymo.destroyForcibly();
    Files.createFile(end);
    program.onExit().get(600, TimeUnit.SECONDS);
    assertThat(kymo.waitFor(600, TimeUnit.SECONDS)).isTrue();
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @Test
  void theNextRecorderRemovesWhatAKilledOneLeft() throws Exception {
    Process kymo =
        start(
            List.of(),
            List.of(Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString(), "Steady"),
            List.of());
    assertThat(kymo.inputReader().readLine()).isEqualTo("ready");
    ProcessHandle program = kymo.children().findFirst().orElseThrow();
    kymo.destroyForcibly();
    assertThat(kymo.waitFor(600, TimeUnit.SECONDS)).isTrue();
    Files.createFile(end);
    program.onExit().get(600, TimeUnit.SECONDS);
    assertThat(Kymo.sharedMemory(folder)).hasSize(1);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    for (int i = 0; !Kymo.sharedMemory(folder).isEmpty(); i++) {
      assertThat(System.nanoTime()).as("still there").isLessThan(limit);
      Path other = folder.resolve("other-" + i + ".kymo");
      Kymo.run("record", "-q", "-o", other.toString(), "--", "sleep", "1");
    }
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Steady.step")).isPositive();
    }
    assertThat(Files.exists(recording.resolve(".rings"))).isFalse();
  }

  private Path steady() throws Exception {
    return NativePrograms.compile(
        Path.of("src/native/steady.c"), folder.resolve("steady"), "-finstrument-functions");
  }

  private Process start(List<String> options, List<String> command, List<String> more)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("record", "-q", "-o", recording.toString()));
    arguments.addAll(options);
    arguments.add("--");
    arguments.addAll(command);
    arguments.add(end.toString());
    arguments.addAll(more);
    return Kymo.start(folder, Map.of(), arguments.toArray(String[]::new));
  }
}
