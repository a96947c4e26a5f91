package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that go on after the command that started them has ended. */
class DaemonTest {
  private static final String SAID =
      "kymo: the command has ended, recording continues with what it has started: processes=1; it ends with the last one, or by Ctrl-C";

  /** Serves until a file exists, and reports with another file that it has served. */
  private static final String SOURCE =
      """
      #include <fcntl.h>
      #include <time.h>
      #include <unistd.h>
      __attribute__((noinline)) void served(void) { __asm__ volatile(""); }
      int main(int count, char **arguments) {
        struct timespec moment = {0, 10 * 1000 * 1000};
        while (access(arguments[1], F_OK) != 0) {
          served();
          nanosleep(&moment, NULL);
        }
        close(open(arguments[count - 1], O_CREAT | O_WRONLY, 0600));
        return 0;
      }
      """;

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("daemon.kymo");
  }

  private Path end() {
    return folder.resolve("end");
  }

  private Path ended() {
    return folder.resolve("ended");
  }

  /** Does something while the daemon runs and its command has ended. */
  private interface Action {
    void run(Process kymo) throws Exception;
  }

  private void record(Action action) throws Exception {
    Path source = Files.writeString(folder.resolve("daemon.c"), SOURCE);
    Path program =
        NativePrograms.compile(source, folder.resolve("daemon"), "-finstrument-functions");
    String command =
        "%s %s %s </dev/null >/dev/null 2>&1 & exit 3".formatted(program, end(), ended());
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "-o",
            recording().toString(),
            "--",
            "sh",
            "-c",
            command);
    try {
      assertThat(kymo.errorReader(StandardCharsets.UTF_8).readLine()).isEqualTo(SAID);
      action.run(kymo);
      assertThat(kymo.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(kymo.exitValue()).isEqualTo(3);
    } finally {
      if (Files.notExists(end())) {
        Files.createFile(end()); // the daemon ends in any case
      }
    }
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("served")).isPositive();
    }
  }

  @Test
  void isRecordedToItsEnd() throws Exception {
    record(kymo -> Files.createFile(end()));
    assertThat(ended()).exists();
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.unbalanced).as("it has ended").isEmpty();
    }
  }

  @Test
  void isLeftWhenThatIsEnough() throws Exception {
    record(kymo -> {
      kymo.destroy();
      assertThat(kymo.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(ended()).as("it runs on").doesNotExist();
    });
    for (int i = 0; i < 6000 && Files.notExists(ended()); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(ended()).exists();
  }
}
