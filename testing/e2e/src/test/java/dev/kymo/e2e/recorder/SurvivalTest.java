package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Full disks, little memory, killed recorders: the program runs on, and what was written is
 * readable.
 */
@Tag("slow")
@Tag("survival")
class SurvivalTest {
  @TempDir Path folder;

  @Test
  void diskFull() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "64k")) {
      Path recording = disk.path().resolve("full.kymo");
      Kymo.Result result = known(recording, Map.of(), "--buffer", "128K");
      assertThat(result.exit()).isZero();
      assertThat(result.out()).isNotEmpty();
      assertThat(result.err())
          .matches(
              "kymo: cannot write: file=.*full.kymo/p1-ring-\\d error=No space left on device; "
                  + "recording stops, the program runs on, what was written is kept\n");
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("Known.fib")).isPositive();
        assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
      }
      assertThat(Kymo.run("info", recording.toString()).out())
          .contains("the recording ends here, it could not be written: cannot write: file=");
    }
  }

  @Test
  void noMemoryForTheSession() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("shm"), "4k")) {
      Path recording = folder.resolve("none.kymo");
      Path other = Files.write(disk.path().resolve("other"), new byte[4096]);
      Kymo.Result result = known(recording, Map.of("KYMO_SHARED_MEMORY", disk.path().toString()));
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.err())
          .matches(
              "kymo: shared memory cannot be written: directory=.*/shm/.* error=\"No space left on device\"; "
                  + "make room, or name another directory in KYMO_SHARED_MEMORY\n");
      assertThat(disk.path()).isDirectoryNotContaining(file -> !file.equals(other));
      assertThat(recording).doesNotExist();
    }
  }

  @Test
  void aRecordingOfFullSizeSaysSo() throws Exception {
    Path recording = folder.resolve("full.kymo");
    Kymo.Result result = busy(recording, "-q", "--max-size", "1M");
    assertThat(result.err())
        .isEqualTo(
            "kymo: recording has reached its maximum size and stops, the program runs on: max_size=1.0 MB\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
    }
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("the recording ends here, because it reached its maximum size: max_size=1.0 MB");
  }

  @Test
  void theSizeIsThatOfWhatIsKept() throws Exception {
    Path recording = folder.resolve("newest.kymo");
    Kymo.Result result = busy(recording, "--max-size", "1M", "--at-full", "overwrite");
    Matcher said = Pattern.compile("process, (\\d+) kB in ").matcher(result.err());
    assertThat(said.find()).as(result.err()).isTrue();
    try (Stream<Path> files = Files.list(recording)) {
      long bytes =
          files
              .filter(file -> file.getFileName().toString().startsWith("p1-"))
              .mapToLong(file -> file.toFile().length())
              .sum();
      assertThat(Double.parseDouble(said.group(1))).isCloseTo(bytes / 1e3, within(10.0));
    }
  }

  @Test
  void noMemoryForRings() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("shm"), "1100k")) {
      Path recording = folder.resolve("lost.kymo");
      Kymo.Result result = known(recording, Map.of("KYMO_SHARED_MEMORY", disk.path().toString()));
      assertThat(result.exit()).isZero();
      assertThat(result.err())
          .contains("kymo: no memory for a thread's ring, its events are lost and counted: ");
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.total).isZero();
        assertThat(recorded.timeline.processes().getFirst().lost()).isGreaterThan(6000);
      }
      assertThat(Kymo.run("info", recording.toString()).out())
          .contains(": no memory for a thread's ring, its events are lost and counted: directory=");
      assertThat(disk.path()).isEmptyDirectory();
    }
  }

  /** Each ring is a part of what is left: of full size, eight would fill it. */
  @Test
  void manyThreadsInLittleMemory() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("shm"), "16m")) {
      Path recording = folder.resolve("crowd.kymo");
      Kymo.Result result =
          Kymo.runIn(
              folder,
              Map.of("KYMO_SHARED_MEMORY", disk.path().toString()),
              "",
              "record",
              "-q",
              "-o",
              recording.toString(),
              "--waits",
              "off",
              "--",
              "java",
              "-cp",
              Programs.CLASSES.toString(),
              "Crowd",
              "50");
      assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.calls("Crowd.step")).isEqualTo(500);
        assertThat(recorded.timeline.processes().getFirst().lost()).isZero();
      }
    }
  }

  @Test
  void noMemoryAtAll() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("shm"), "100k")) {
      Path recording = folder.resolve("none.kymo");
      Kymo.Result plain = known(folder.resolve("plain.kymo"), Map.of());
      Kymo.Result result = known(recording, Map.of("KYMO_SHARED_MEMORY", disk.path().toString()));
      assertThat(result.out()).isEqualTo(plain.out());
      assertThat(result.err())
          .contains("kymo: the agent cannot start, the program runs on unrecorded: ")
          .contains("No space left on device")
          .contains("kymo: nothing recorded: shared memory is full: directory=" + disk.path());
    }
  }

  @Test
  void theRecordingIsRenamed() throws Exception {
    Path recording = folder.resolve("before.kymo");
    Path renamed = folder.resolve("after.kymo");
    Path end = folder.resolve("end");
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Steady",
            end.toString());
    assertThat(kymo.inputReader().readLine()).isEqualTo("ready");
    Kymo.awaitFile(recording.resolve("p1-ring-1"), kymo);
    Files.move(recording, renamed);
    Files.createFile(end);
    Kymo.Result result = Kymo.finish(kymo, "");
    assertThat(result.exit()).isZero();
    assertThat(result.err())
        .contains("kymo: the recording is not there any more, was it renamed? path=" + recording);
    Kymo.Result info = Kymo.run("info", renamed.toString());
    assertThat(info.exit()).isZero();
    assertThat(info.out())
        .contains("the recording ends here, it could not be written: the recording is not there");
  }

  /** When the index is begun the clock is written a second time, if possible. */
  @Test
  void theClockCannotBeWrittenMeanwhile() throws Exception {
    Path recording = folder.resolve("clock.kymo");
    Path end = folder.resolve("end");
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Steady",
            end.toString(),
            "fast");
    assertThat(kymo.inputReader().readLine()).isEqualTo("ready");
    Path obstacle = Files.createDirectory(recording.resolve(".metadata"));
    Kymo.awaitFile(recording.resolve(".index"), kymo);
    Files.delete(obstacle);
    Files.createFile(end);
    Kymo.Result result = Kymo.finish(kymo, "");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).doesNotContain("recording stops").contains("kymo: recorded 1 process");
    assertThat(Kymo.run("info", recording.toString()).out())
        .doesNotContain("the recording ends here");
  }

  @Test
  void theRecorderIsKilled() throws Exception {
    Path recording = folder.resolve("killed.kymo");
    Path end = folder.resolve("end");
    Process kymo =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Server",
            end.toString());
    assertThat(kymo.inputReader().readLine()).isEqualTo("ready");
    ProcessHandle server = kymo.children().findFirst().orElseThrow();
    TimeUnit.MILLISECONDS.sleep(300);
    kymo.destroyForcibly();
    assertThat(kymo.waitFor(600, TimeUnit.SECONDS)).isTrue();
    assertThat(server.isAlive()).as("the program runs on").isTrue();
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(info.out())
        .contains("the recorder was killed; what the programs did after that is not recorded");
    Files.createFile(end);
    server.onExit().get(600, TimeUnit.SECONDS);
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("Server.serve")).isPositive();
      assertThat(recorded.calls("Server.step"))
          .isGreaterThan(100 * (recorded.calls("Server.serve") - 1));
    }
    assertThat(Files.exists(recording.resolve(".rings"))).isFalse();
  }

  private Kymo.Result busy(Path recording, String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "record", "--when-full", "block", "--buffer", "128K", "-o", recording.toString()));
    arguments.addAll(List.of(options));
    arguments.addAll(
        List.of("--", Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString(), "Busy"));
    return Kymo.run(arguments.toArray(String[]::new));
  }

  private Kymo.Result known(Path recording, Map<String, String> environment, String... options)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("record", "-q", "--when-full", "block", "-o", recording.toString()));
    arguments.addAll(List.of(options));
    arguments.addAll(
        List.of(
            "--", Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString(), "Known"));
    return Kymo.runIn(folder, environment, "", arguments.toArray(String[]::new));
  }
}
