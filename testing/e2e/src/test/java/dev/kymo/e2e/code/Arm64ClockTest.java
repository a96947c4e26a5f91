package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.format.Clock;
import dev.kymo.recorder.platform.TscClock;
import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ARM64's counter, as libkymo reads it and as Kymo's Java does: QEMU runs the machine code that
 * Java is given.
 */
@Tag("arm64")
class Arm64ClockTest {
  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    Arm64Programs.assumeInstalled();
    Path base = SourceTree.path("recording/native/src/base");
    program =
        Arm64Programs.compile(
            Path.of("src/native/clock.c"),
            folder.resolve("clock"),
            base.resolve("session.c").toString(),
            base.resolve("guest.c").toString(),
            base.resolve("unfollowed.c").toString());
  }

  private static String code(long what) {
    return TscClock.code("aarch64", what).replace(" ", "");
  }

  private Kymo.Result read(String clock) throws Exception {
    Files.writeString(
        folder.resolve("session"),
        "uuid=00000000-0000-0000-0000-000000000000\nclock=%s\nbufferSize=65536\nwhenFull=0\n"
            .formatted(clock));
    List<String> command =
        Arm64Programs.run("", program, code(0), code(1), folder.toAbsolutePath().toString());
    return Kymo.exec(folder, command.toArray(String[]::new));
  }

  @Test
  void ticksAreAsLongAsTheProcessorSays() throws Exception {
    Kymo.Result result = read(Clock.CNTVCT);
    assertThat(result.err()).isEmpty();
    Map<String, Long> said = new TreeMap<>();
    result
        .out()
        .lines()
        .map(line -> line.split(" "))
        .forEach(words -> said.put(words[0], Long.parseLong(words[1])));
    assertThat(said).containsEntry("session", 1L).containsEntry("backward", 0L);
    long frequency = said.getOrDefault("frequency", 0L);
    Clock clock = new Clock(Clock.CNTVCT, frequency, 0);
    long least = said.getOrDefault("least", 0L);
    long most = said.getOrDefault("most", 0L);
    // The system may let its clock run faster or slower, by at most 0.05 %.
    assertThat(clock.nanos(said.getOrDefault("ticks", 0L)))
        .isBetween(least - least / 1000 - 100, most + most / 1000 + 100);
  }

  @Test
  void anotherProcessorsClockIsRefused() throws Exception {
    Kymo.Result result = read(Clock.TSC);
    assertThat(result.out()).startsWith("session 0\n");
    assertThat(result.err())
        .startsWith(
            "kymo: this processor does not have the clock of the recording: clock=tsc;"
                + " record with --clock monotonic\n");
  }
}
