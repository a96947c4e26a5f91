package dev.kymo.importers.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.perf.records.PerfData;
import dev.kymo.importers.perf.records.PerfRecord;
import dev.kymo.importers.perf.records.TimeOrder;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.EarlyReader;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Samples of perf.data files are those that perf itself shows. */
class PerfFormatTest {
  @TempDir Path folder;

  private int recordings;

  @BeforeEach
  void samplesAreFound() {
    assertThat(new PerfFormat().name()).isEqualTo("perf");
  }

  private Path convert(Path file) throws IOException {
    Path to = Files.createDirectory(folder.resolve("r" + recordings++));
    new PerfFormat().convert(ForeignFile.of(file), new Import(to, (done, all) -> {}));
    return to;
  }

  static List<ExchangeSamples.Expected> samples() throws IOException {
    List<ExchangeSamples.Expected> samples = ExchangeSamples.of("perf/");
    return samples.isEmpty()
        ? List.of(new ExchangeSamples.Expected("none", "", "0", "", ""))
        : samples;
  }

  @ParameterizedTest
  @MethodSource("samples")
  void samplesOfOthersAreWhatPerfSays(ExchangeSamples.Expected expected) throws Exception {
    ExchangeSamples.assume();
    Path file = ExchangeSamples.unpacked(expected.path(), folder);
    assertThat(new PerfFormat().recognises(ForeignFile.of(file))).isTrue();
    Path recording = convert(file);
    assertThat(Converted.notices(recording))
        .anyMatch(notice -> notice.endsWith(" events=" + expected.events()));
    List<String> lines = lines(file);
    assertThat(lines).hasSize((int) expected.events());
    assertThat(lines.get(0)).isEqualTo(expected.first());
    assertThat(lines.get(lines.size() - 1)).isEqualTo(expected.last());
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events()).hasSize((int) expected.events());
  }

  /** As {@code perf script -F comm,tid,time,event} has them, in the order of time. */
  private static List<String> lines(Path file) throws IOException {
    record Line(long time, String text) {}
    List<Line> lines = new ArrayList<>();
    java.util.Map<Integer, String> names = new java.util.HashMap<>();
    names.put(0, "swapper");
    try (PerfData data = new PerfData(file)) {
      TimeOrder records = new TimeOrder(data);
      for (PerfRecord next = records.next(); next != null; next = records.next()) {
        if (next instanceof PerfRecord.Comm comm) {
          names.put(comm.tid(), comm.name());
        } else if (next instanceof PerfRecord.Fork fork) {
          names.put(fork.tid(), names.getOrDefault(fork.parent(), ""));
        } else if (next instanceof PerfRecord.Sample s) {
          long micros = s.time() / 1000;
          String time = "%d.%06d".formatted(micros / 1_000_000, micros % 1_000_000);
          String name = names.getOrDefault(s.tid(), ":" + s.tid());
          lines.add(
              new Line(
                  s.time(), name + " " + s.tid() + " " + time + ": " + s.event().name() + ":"));
        }
      }
    }
    lines.sort(java.util.Comparator.comparingLong(Line::time));
    return lines.stream().map(Line::text).toList();
  }

  /** A processor's buffer is read after another's, which has later records. */
  @Test
  void recordsOfOneRoundAreSorted() throws Exception {
    Path file = Files.write(folder.resolve("x"), rounds());
    assertThat(lines(file))
        .containsExactly(
            "later 5 0.001000: cpu-clock:",
            "later 5 0.001000: cpu-clock:",
            "last 5 0.001000: cpu-clock:");
  }

  private static byte[] rounds() {
    ByteBuffer to = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    begin(to);
    sample(to, 1_000_020, 5);
    comm(to, 5, "later", 1_000_010);
    record(to, 68, 0, 0);
    sample(to, 1_000_015, 5);
    sample(to, 1_000_030, 5);
    record(to, 68, 0, 0);
    comm(to, 5, "last", 1_000_025);
    byte[] bytes = new byte[to.position()];
    to.get(0, bytes);
    return bytes;
  }

  @Test
  void completeRoundsAreSeenBeforeTheEnd() throws Exception {
    int rounds = 6;
    int samples = 40_000;
    ByteBuffer to =
        ByteBuffer.allocate(4096 + rounds * samples * 24).order(ByteOrder.LITTLE_ENDIAN);
    begin(to);
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < samples; i++) { // two processors, one after the other
        sample(to, 1_000_000L + (long) round * samples + i * 2L % samples + i * 2L / samples, 5);
      }
      record(to, 68, 0, 0);
    }
    byte[] bytes = new byte[to.position()];
    to.get(0, bytes);
    Path file = Files.write(folder.resolve("x"), bytes);
    Path recording = Files.createDirectory(folder.resolve("early"));
    assertThat(EarlyReader.of(new PerfFormat(), file, recording)).isPositive();
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events()).hasSize(rounds * samples);
    assertThat(read.notices()).noneMatch(notice -> notice.contains("time steps back"));
  }

  private static void begin(ByteBuffer to) {
    to.put("PERFILE2".getBytes(StandardCharsets.ISO_8859_1)).putLong(16);
    record(to, 64, 0, 64 + 8);
    to.putInt(1).putInt(64).putLong(0).putLong(1000);
    to.putLong(2 | 4).putLong(0).putLong(1L << 10 | 1L << 18).putLong(0).putLong(0);
    to.putLong(77);
  }

  private static void sample(ByteBuffer to, long time, int tid) {
    record(to, 9, 2, 16);
    to.putInt(tid).putInt(tid).putLong(time);
  }

  private static void comm(ByteBuffer to, int tid, String name, long time) {
    record(to, 3, 0, 8 + 8 + 16);
    byte[] text = java.util.Arrays.copyOf(name.getBytes(StandardCharsets.ISO_8859_1), 8);
    to.putInt(tid).putInt(tid).put(text).putInt(tid).putInt(tid).putLong(time);
  }

  /** A file in pipe mode: an attribute, names, a mapping, two samples with call chains. */
  private static byte[] made() {
    ByteBuffer to = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    to.put("PERFILE2".getBytes(StandardCharsets.ISO_8859_1)).putLong(16);
    record(to, 64, 0, 64 + 8);
    to.putInt(1).putInt(64).putLong(0).putLong(1000);
    to.putLong(1 | 2 | 4 | 32 | 256).putLong(0).putLong(1L << 10).putLong(0).putLong(0);
    to.putLong(77);
    record(to, 3, 0, 16);
    to.putInt(5).putInt(5).put("prog\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1));
    record(to, 1, 0, 48);
    to.putInt(5).putInt(5).putLong(0x400000).putLong(0x1000).putLong(0x2000);
    to.put("/bin/prog\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1));
    for (int i = 0; i < 2; i++) {
      record(to, 9, 2, 24 + 8 + 8 + 4 * 8);
      to.putLong(0x400010).putInt(5).putInt(6).putLong(1_000_000 + i).putLong(1000);
      to.putLong(4).putLong(-512).putLong(0x400010).putLong(0x400020).putLong(0x400030);
    }
    byte[] bytes = new byte[to.position()];
    to.get(0, bytes);
    return bytes;
  }

  private static void record(ByteBuffer to, int type, int misc, int body) {
    to.putInt(type).putShort((short) misc).putShort((short) (8 + body));
  }

  @Test
  void stacksAreOutermostFirst() throws Exception {
    Path recording = convert(Files.write(folder.resolve("x"), made()));
    Converted read = Converted.read(recording);
    assertThat(read.tracks()).containsExactly("thread 6");
    assertThat(read.events()).hasSize(2);
    assertThat(read.events().get(1))
        .isEqualTo("thread 6: 1 sample.cpu-clock stack=prog.0x2010 period=1000 cpu=-1 address=0");
    assertThat(read.notices()).contains("imported as samples with their stacks: 2 (cpu-clock 2)");
  }

  @Test
  void whatIsDamagedIsToldWithItsPlace() throws Exception {
    byte[] bytes = made();
    bytes[16 + 6] = 3; // the first record's size
    Path file = Files.write(folder.resolve("x"), bytes);
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessage("record is too small: file=" + file + " offset=16 size=3");
  }

  @Tag("formats")
  @Test
  void mutantsAreReadOrRefused() throws Exception {
    assertThat(Mutants.importMany(new PerfFormat(), List.of(made(), rounds())))
        .isBetween(1, Mutants.MANY - 1);
  }

  @Test
  @Tag("peer")
  void freshSamplesAreThoseOfPerfScript() throws Exception {
    Path perf = Path.of("/usr/bin/perf");
    assumeTrue(Files.isExecutable(perf), "skipped: perf is not installed, it was not asked");
    Path file = folder.resolve("perf.data");
    Process record =
        new ProcessBuilder(
                "perf",
                "record",
                "-q",
                "-e",
                "cpu-clock",
                "-F",
                "999",
                "-g",
                "-o",
                file.toString(),
                "--",
                "sh",
                "-c",
                "for i in 1 2 3; do ls -lR /usr/lib; done")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assumeTrue(record.waitFor() == 0, "skipped: perf may not record here");
    Process script =
        new ProcessBuilder(
                "perf", "script", "-i", file.toString(), "-F", "comm,tid,time,event", "-G")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> expected =
        new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.strip().replaceAll("\\s+", " "))
            .filter(line -> line.matches(".* cpu-clock(:u)?:")) // who is not root gets user space
            .toList();
    assertThat(script.waitFor()).isZero();
    assertThat(lines(file)).isNotEmpty().isEqualTo(expected);
    assertThat(Converted.read(convert(file)).events()).hasSameSizeAs(expected);
  }
}
