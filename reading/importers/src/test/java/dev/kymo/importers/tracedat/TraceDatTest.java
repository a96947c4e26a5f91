package dev.kymo.importers.tracedat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ExchangeSamples.Expected;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.tracedat.file.TraceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TraceDatTest {
  private static final TraceDatFormat FORMAT = new TraceDatFormat();

  @TempDir Path directory;

  static List<Expected> samples() throws IOException {
    return ExchangeSamples.of("trace.dat/");
  }

  private Path convert(Path file) throws IOException {
    Path to = Files.createTempDirectory(directory, "r");
    ForeignFile foreign = ForeignFile.of(file);
    assertThat(FORMAT.recognises(foreign)).isTrue();
    FORMAT.convert(foreign, new Import(to, (done, all) -> {}));
    return to;
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("samples")
  void samplesHaveTheirEvents(Expected sample) throws Exception {
    ExchangeSamples.assume();
    Path file = ExchangeSamples.unpacked(sample.path(), directory);
    Converted read = Converted.read(convert(file));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.notices())
        .anyMatch(line ->
            line.startsWith("imported from trace.dat 6: ")
                && line.endsWith(" events=" + sample.events()));
    try (TraceFile trace = TraceFile.open(file)) {
      long first = trace.first();
      long last = 0;
      while (trace.next()) {
        last = trace.clock();
      }
      assertThat(first / 1000.0).isCloseTo(micros(sample.first()), within(1.0));
      assertThat(last / 1000.0).isCloseTo(micros(sample.last()), within(1.0));
    }
  }

  private static double micros(String text) {
    Matcher time = Pattern.compile("(\\d+)\\.(\\d{6}):").matcher(text);
    assertThat(time.find()).isTrue();
    return Long.parseLong(time.group(1)) * 1e6 + Long.parseLong(time.group(2));
  }

  private static byte[] made(boolean bigEndian, int longSize, String compression) {
    return made(new MadeTrace(bigEndian, longSize, compression), longSize);
  }

  private static byte[] made(MadeTrace trace, int longSize) {
    trace.page(
        0,
        1000,
        0,
        trace.record(0, trace.switches(0, 0, 7, "seven")),
        trace.record(10, trace.event(MadeTrace.PRINT, 7).number(longSize, 0).text("B|7|work\0")),
        trace.record(10, trace.event(MadeTrace.PRINT, 7).number(longSize, 0).text("E|7\n\0")),
        trace.record(
            5,
            trace
                .event(MadeTrace.BPRINT, 7)
                .number(longSize, 0)
                .number(longSize, 0x5000)
                .number(4, 3)
                .text("abc\0")
                .number(longSize, 0x2f)),
        trace.bytes().number(4, trace.header(29, 100)).number(4, 8).number(4, 0),
        trace.bytes().number(4, trace.header(30, 5)).number(4, 1),
        trace.record(0, trace.switches(7, 1, 8, "eight")));
    trace.page(
        1,
        2000,
        0,
        trace.record(0, trace.event(MadeTrace.ENTRY, 9).number(longSize, 0x1004).number(4, 0)),
        trace.record(10, trace.event(MadeTrace.ENTRY, 9).number(longSize, 0x2004).number(4, 1)),
        trace.record(10, trace.event(MadeTrace.EXIT, 9).number(longSize, 0x2004).number(4, 1)),
        trace.record(10, trace.event(MadeTrace.EXIT, 9).number(longSize, 0x1004).number(4, 0)),
        trace.bytes().number(4, trace.header(29, 0)).text("rest"));
    trace.page(
        1, 3000, 1L << 31 | 1L << 30, trace.record(0, trace.event(999, 9).text("x".repeat(200))));
    return trace.file();
  }

  @ParameterizedTest
  @CsvSource({
    "false,8,'',4096", "true,8,'',4096", "false,4,'',4096", "true,4,'',4096",
    "false,8,none,4096", "false,8,zlib,4096", "true,4,zlib,4096", "false,8,zstd,4096",
    "false,8,'',16384", "false,8,'',65536", "false,8,zlib,65536", "false,8,zstd,16384"
  })
  void eventsOfAllVersionsAreTheSame(
      boolean bigEndian, int longSize, String compression, int pageSize) throws Exception {
    MadeTrace trace = new MadeTrace(bigEndian, longSize, compression, pageSize);
    Path file = Files.write(directory.resolve("t"), made(trace, longSize));
    Converted read = Converted.read(convert(file));
    assertThat(read.oddities()).isEmpty();
    long end = (1L << 27) + 5 + 25;
    assertThat(read.calls())
        .contains(
            "seven: running.CPU 0 0-2000", // until events are missing
            "CPU 0: thread.seven 7 0-2000",
            "seven: blocked. %d-%d".formatted(end, end),
            "seven: work 10-20",
            "thread 9: first 1000-1030",
            "thread 9: second 1010-1020");
    assertThat(read.events()).contains("seven: 25 ftrace.print text=3 of abc at 2f");
    assertThat(read.notices())
        .contains(
            "imported as calls: 6 (ftrace:print 2, ftrace:funcgraph_entry 2, ftrace:funcgraph_exit 2)",
            "imported as events of the kernel: 3 (sched:sched_switch 2, unknown:event_999 1)");
  }

  @Test
  void whatIsSaidOfADamagedNameIsOneLine() throws Exception {
    byte[] bytes = made(false, 8, "");
    int name = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("header_page");
    bytes[name] = '\n';
    Path file = Files.write(directory.resolve("t"), bytes);
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "header is another one: file=%s offset=%d name=\"?eader_page\" wanted=header_page"
                .formatted(file, name + "header_page".length() + 1));
  }

  @Test
  void aCutFileIsRefused() throws Exception {
    byte[] whole = made(false, 8, "");
    Path file = Files.write(directory.resolve("t"), Arrays.copyOf(whole, whole.length - 5000));
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessageStartingWith(
            "file is cut: a processor's events are beyond its end: file=" + file + " offset=");
  }

  @Tag("formats")
  @Test
  void damagedFilesAreRefusedOrRead() throws Exception {
    List<byte[]> files =
        List.of(
            made(false, 8, ""),
            made(true, 4, ""),
            made(false, 8, "zlib"),
            made(false, 8, "zstd"),
            TraceCmdTest.guest());
    assertThat(Mutants.importMany(FORMAT, files)).isBetween(1, Mutants.MANY - 1);
  }
}
