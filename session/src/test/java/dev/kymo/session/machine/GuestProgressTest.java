package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes that get on, and others, however long that takes. */
class GuestProgressTest {
  private static final Duration LONG = Duration.ofDays(1);
  private static final int LOOKS = 50;

  private final List<Process> started = new ArrayList<>();

  private Process start(String... words) throws IOException {
    Process process = new ProcessBuilder(words).start();
    started.add(process);
    return process;
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  private static void signal(Process process, String name) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  private static char state(Process process) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  private static String lookUntilItEnds(GuestProgress progress) throws InterruptedException {
    while (true) {
      String why = progress.look(1);
      if (why != null) {
        return why;
      }
      Thread.sleep(10);
    }
  }

  @Test
  void whoIsBusyAndSilentIsGivenUpByProcessorTime() throws Exception {
    Process process = start("sh", "-c", "while :; do :; done");
    GuestProgress progress =
        new GuestProgress(process.toHandle(), Duration.ofSeconds(1), Integer.MAX_VALUE);
    assertThat(lookUntilItEnds(progress))
        .isEqualTo("it has said nothing for 1 s of processor time");
    assertThat(progress.used()).isGreaterThan(Duration.ofSeconds(1));
    assertThat(progress.look(2)).as("it has said something").isNull();
  }

  @Test
  void whoIsStoppedIsNot() throws Exception {
    Process process = start("sh", "-c", "while :; do :; done");
    signal(process, "STOP");
    while (state(process) != 'T') {
      Thread.sleep(1);
    }
    GuestProgress progress = new GuestProgress(process.toHandle(), Duration.ofSeconds(1), LOOKS);
    for (int i = 0; i < 100 * LOOKS; i++) {
      assertThat(progress.look(1)).isNull();
    }
    signal(process, "CONT");
    assertThat(lookUntilItEnds(progress)).contains("processor time");
  }

  @Test
  void whoIsAsleepForEverIsGivenUp() throws Exception {
    Process process = start("cat"); // nobody writes to it
    GuestProgress progress = new GuestProgress(process.toHandle(), LONG, LOOKS);
    assertThat(lookUntilItEnds(progress)).isEqualTo("it is idle, and nothing wakes it");
    for (int i = 0; i < 10 * LOOKS; i++) {
      assertThat(progress.look(2 + i)).as("it says something").isNull();
    }
  }

  @Test
  void whoHasEndedIsNotLookedAt() throws Exception {
    Process process = start("true");
    process.waitFor();
    GuestProgress progress = new GuestProgress(process.toHandle(), LONG, 1);
    assertThat(progress.look(1)).isNull();
    assertThat(progress.look(1)).as("that is not sleep").isNull();
  }
}
