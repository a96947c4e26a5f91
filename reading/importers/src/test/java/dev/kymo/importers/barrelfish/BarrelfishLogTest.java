package dev.kymo.importers.barrelfish;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.target.Converted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs made into recordings, and what a reader finds in the recordings. */
class BarrelfishLogTest {
  private static final long GIGAHERTZ = 1_000_000_000L;

  @TempDir Path folder;

  static List<String> samples() throws IOException {
    return Samples.names();
  }

  private Path directory() throws IOException {
    return Files.createTempDirectory(folder, "r");
  }

  private Converted convert(String... lines) throws IOException {
    Path log = folder.resolve("made-up.log");
    Files.writeString(log, String.join("\n", lines), ISO_8859_1);
    Path recording = directory();
    BarrelfishLog.convert(log, recording, GIGAHERTZ, null, (done, all) -> {});
    return Converted.read(recording);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void allOfRealLogsIsInTheRecording(String name) throws IOException {
    Map<String, Long> expected = Samples.expected(name);
    Path recording = directory();
    BarrelfishLog.convert(Samples.path(name), recording, GIGAHERTZ, null, (done, all) -> {});
    Converted found = Converted.read(recording);
    assertThat(found.oddities()).isEmpty();
    assertThat((long) found.events().size()).isEqualTo(expected.get("events"));
    assertThat((long) found.tracks().size()).isEqualTo(expected.get("cores"));
    assertThat((long) found.calls().size()).isEqualTo(expected.get("cswitch"));
    assertThat((long) found.messages()).isEqualTo(expected.get("paired"));
    assertThat(found.duration()).isEqualTo(expected.getOrDefault("tmax", -1L));
    assertThat(found.notices())
        .singleElement()
        .asString()
        .startsWith("made of a Barrelfish trace log: file=" + name + " events=");
  }

  @Test
  void applicationsRunFromSwitchToSwitch() throws IOException {
    Converted found =
        convert(
            "# Core 3 LOG DUMP =====",
            "3 100 ffffcccc0713aa00",
            "# DCB 3 ffffff000713aa00 fish",
            "# DCB 2 ffffff000445aa00 pixels",
            "3 150 ffffcccc0445aa00",
            "3 170 ffffcccc00000000",
            "3 200 eeee01000000002a");
    assertThat(found.tracks()).containsExactly("core 3");
    assertThat(found.calls())
        .containsExactly(
            "core 3: application.fish 0-50",
            "core 3: application.445aa00 50-70",
            "core 3: application.idle 70-100");
    assertThat(found.events())
        .containsExactly(
            "core 3: 0 kernel.CSWITCH argument=118729216",
            "core 3: 50 kernel.CSWITCH argument=71674368",
            "core 3: 70 kernel.CSWITCH argument=0",
            "core 3: 100 threads.BARRIER_ENTER argument=42");
    assertThat(found.notices()).hasSize(1);
  }

  @Test
  void currentNumbersHaveTheirNames() throws IOException {
    Converted found =
        convert(
            "# Min_timestamp 5000",
            "# Core 0 LOG DUMP =====",
            "# Offset 0 0",
            "# Core 1 LOG DUMP =====",
            "# Offset 1 -100",
            "0 5000 1234ab00",
            "0 5010 ea00000000001000",
            "1 4920 eb00000000001000",
            "1 4930 100000007");
    assertThat(found.events())
        .containsExactly(
            "core 0: 0 kernel.CSWITCH argument=305441536",
            "core 0: 10 ump.send key=4096",
            "core 1: 20 ump.receive key=4096",
            "core 1: 30 kernel.BZERO argument=7");
    assertThat(found.messages()).isEqualTo(1);
  }

  @Test
  void timeThatStepsBackIsSaidWithItsPlace() throws IOException {
    Converted found = convert("0 100 bbbb", "0 90 aaaa", "0 95 bbb", "0 120 aaa", "1 95 bbbb");
    assertThat(found.events())
        .containsExactly(
            "core 0: 5 marker.blocked word=48059",
            "core 0: 5 marker.running word=43690",
            "core 0: 5 marker.polling on word=3003",
            "core 0: 25 marker.polling off word=2730",
            "core 1: 0 marker.blocked word=48059");
    assertThat(found.notices().getLast())
        .isEqualTo(
            "time steps back within a core; these events are shown at the time of the event before:"
                + " count=2 first=made-up.log:2 core=0 time=90 before=100");
  }

  @Test
  void linesThatAreNoneOfALogAreSaidWithTheirPlace() throws IOException {
    Converted found = convert("", "0 100 bbbb", "kernel 1: booted", "x", "0 110 aaaa");
    assertThat(found.events()).hasSize(2);
    assertThat(found.notices().getLast())
        .isEqualTo(
            "lines that do not belong to a trace log were left out: count=2 first=made-up.log:3");
  }

  @Test
  void theFrequencyIsAskedFor() throws IOException {
    Path recording = directory();
    BarrelfishLog.convert(Samples.path("npc_1_1_0_8.0.log"), recording, 0, null, (done, all) -> {});
    assertThat(Converted.notices(recording).getFirst())
        .isEqualTo(
            "a Barrelfish trace log does not give its processor's frequency: one cycle is shown as 1 ns; give it with --frequency HZ");
    Path faster = directory();
    BarrelfishLog.convert(
        Samples.path("npc_1_1_0_8.0.log"), faster, 2 * GIGAHERTZ, null, (done, all) -> {});
    assertThat(Converted.read(faster).duration()).isEqualTo(57846 / 2);
  }

  @Test
  void aFileThatIsNoLog() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "hello\n\nworld\n");
    assertThatThrownBy(() -> BarrelfishLog.convert(file, directory(), 0, null, (done, all) -> {}))
        .isInstanceOf(NotALogException.class)
        .hasMessage("not a Barrelfish trace log, nor a recording: path=" + file + " lines=3");
  }

  /** However large a file is, it is not read to its end to find out what it is not. */
  @Test
  void whatComesAfterALotOfNoiseIsNotLookedAt() throws IOException {
    Path file = folder.resolve("large.json");
    String event = "\n3 100 ffffcccc0713aa00\n";
    try (FileChannel sparse =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      sparse.write(ByteBuffer.wrap(event.getBytes(ISO_8859_1)), BarrelfishLog.MOST_NOISE);
    }
    long[] read = {0};
    assertThatThrownBy(
            () -> BarrelfishLog.convert(file, directory(), 0, null, (done, all) -> read[0] = done))
        .isInstanceOf(NotALogException.class);
    assertThat(read[0]).isBetween(1L, (long) BarrelfishLog.MOST_NOISE);
    Files.writeString(file, event + "x".repeat(BarrelfishLog.MOST_NOISE) + event, ISO_8859_1);
    Path recording = directory();
    BarrelfishLog.convert(file, recording, 0, null, (done, all) -> read[0] = all - done);
    assertThat(Converted.read(recording).events()).hasSize(2);
    assertThat(read[0]).as("what is left").isZero();
  }

  @Test
  void damagedLogsNeverFail() throws IOException {
    long seed = System.nanoTime();
    System.out.println("BarrelfishLogTest seed=" + seed);
    Random random = new Random(seed);
    List<String> names = Samples.names();
    for (int i = 0; i < 60; i++) {
      byte[] log = damaged(Samples.bytes(names.get(random.nextInt(names.size()))), random);
      Path file = Files.write(folder.resolve("damaged.log"), log);
      Path recording = directory();
      try {
        LogFacts facts = BarrelfishLog.convert(file, recording, GIGAHERTZ, null, (done, all) -> {});
        Converted found = Converted.read(recording);
        assertThat((long) found.events().size()).as("seed=%d", seed).isEqualTo(facts.events());
        assertThat(found.messages()).as("seed=%d", seed).isEqualTo((int) facts.paired());
        assertThat(found.oddities()).as("seed=%d", seed).isEmpty();
      } catch (NotALogException e) {
        assertThat(Samples.facts(log).understood()).as("seed=%d", seed).isZero();
      }
    }
  }

  private static byte[] damaged(byte[] log, Random random) {
    byte[] part = java.util.Arrays.copyOf(log, random.nextInt(log.length + 1));
    for (int hits = part.length == 0 ? 0 : random.nextInt(200); hits > 0; hits--) {
      int at = random.nextInt(part.length);
      part[at] = (byte) (random.nextBoolean() ? random.nextInt() : '0' + random.nextInt(10));
    }
    return part;
  }
}
