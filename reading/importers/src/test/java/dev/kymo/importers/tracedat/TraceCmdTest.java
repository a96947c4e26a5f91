package dev.kymo.importers.tracedat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.KernelLine;
import dev.kymo.importers.target.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events have the times that {@code trace-cmd report} gives them. */
class TraceCmdTest {
  private static final int TIME_SHIFT = 12;
  private static final int GUEST = 13;
  private static final int TSC2NSEC = 14;

  /** In {@code trace-cmd report -t}: processor, time, event. */
  private static final Pattern LINE =
      Pattern.compile("\\s*\\S+-\\d+\\s+\\[(\\d+)]\\s+(?:\\S+\\s+)?(\\d+)\\.(\\d{9}): +(\\S+):.*");

  @TempDir Path folder;

  private int recordings;

  private Path convert(Path file) throws IOException {
    Path to = Files.createDirectory(folder.resolve("r" + recordings++));
    new TraceDatFormat().convert(ForeignFile.of(file), new Import(to, (done, all) -> {}));
    return to;
  }

  /** A switch each 700 ns on two processors. */
  private static MadeTrace trace(String compression) {
    MadeTrace trace = new MadeTrace(false, Long.BYTES, compression);
    for (int cpu = 0; cpu < 2; cpu++) {
      List<MadeTrace.Bytes> records = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        records.add(trace.record(i == 0 ? 0 : 700, trace.switches(i, 0, i + 1, "t" + (i + 1))));
      }
      trace.page(cpu, 1_002_000 + cpu * 50, 0, records.toArray(MadeTrace.Bytes[]::new));
    }
    return trace;
  }

  /** A virtual machine's file. */
  static byte[] guest() {
    MadeTrace trace = trace("none");
    trace.option(TIME_SHIFT, shift(trace, 1, 3, 1));
    return trace.option(TSC2NSEC, trace.bytes().number(4, 9).number(4, 2).number(8, 0)).file();
  }

  /** Samples of the first processor's times; the second one has a single one. */
  private static MadeTrace.Bytes shift(MadeTrace trace, int flags, int scale, int fraction) {
    long[][] samples = {
      {1_009_000, 39_300}, {1_003_000, 40_000}, {1_003_000, 40_000}, {1_005_000, 41_003}
    };
    MadeTrace.Bytes bytes = trace.bytes().number(8, 0xABCD).number(4, flags).number(4, 2);
    bytes.number(4, samples.length);
    for (int field = 0; field < 2; field++) {
      for (long[] sample : samples) {
        bytes.number(8, sample[field]);
      }
    }
    for (int i = 0; i < samples.length; i++) {
      bytes.number(8, scale);
    }
    bytes.number(4, 1).number(8, 1).number(8, 77_777).number(8, scale);
    for (int i = 0; i <= samples.length && fraction > 0; i++) {
      bytes.number(8, fraction);
    }
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "0,1,0,0,none",
    "1,1,0,0,none",
    "1,3,1,0,zstd",
    "0,5,2,0,zstd",
    "1,1,0,1000000000,none",
    "0,1,0,2100000000,''",
    "1,3,1,1500000000,''"
  })
  @Tag("peer")
  void timesOfGuestsAreThoseOfTheirHost(
      int flags, int scale, int fraction, long multiplier, String compression) throws Exception {
    Tool.assume("trace-cmd");
    MadeTrace trace = trace(compression);
    trace.option(TIME_SHIFT, shift(trace, flags, scale, fraction));
    if (multiplier > 0) {
      trace.option(TSC2NSEC, trace.bytes().number(4, multiplier).number(4, 29).number(8, 500));
    }
    Path file = Files.write(folder.resolve("guest.dat"), trace.file());
    List<String> expected = reported(file, 16_000);
    assertThat(expected).hasSize(40);
    Path recording = convert(file);
    assertThat(KernelLine.of(recording))
        .extracting(event -> event.clock() + " " + event.cpu() + " " + event.event())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(Converted.notices(recording))
        .contains("file of a virtual machine: its times are those of its host's trace abcd");
  }

  /**
   * Events as trace-cmd shows them.
   *
   * @param date nanoseconds that it adds to all times
   */
  private static List<String> reported(Path file, long date) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String line : Tool.lines("trace-cmd", "report", "-t", "-i", file.toString())) {
      Matcher is = LINE.matcher(line);
      if (is.matches()) {
        long time = Long.parseLong(is.group(2) + is.group(3)) - date;
        lines.add(time + " " + Integer.parseInt(is.group(1)) + " sched:" + is.group(4));
      }
    }
    return lines;
  }

  @Test
  void aHostSaysWhichThreadsAreAGuest() throws Exception {
    MadeTrace trace = trace("none");
    trace.option(
        GUEST,
        trace
            .bytes()
            .text("fedora\0")
            .number(8, 0x1234)
            .number(4, 2)
            .number(4, 0)
            .number(4, 700)
            .number(4, 1)
            .number(4, 701));
    assertThat(Converted.notices(convert(Files.write(folder.resolve("x"), trace.file()))))
        .contains("virtual machine fedora, trace 1234, processors and their threads: 0=700 1=701");
  }

  @Test
  void samplesThatAreNotThereAreRefused() throws Exception {
    MadeTrace trace = trace("none");
    trace.option(
        TIME_SHIFT, trace.bytes().number(8, 1).number(4, 0).number(4, 1).number(4, 1_000_000));
    Path file = Files.write(folder.resolve("x"), trace.file());
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessageStartingWith("samples of times are not in the option: file=" + file + " offset=")
        .hasMessageEndingWith(" cpu=0 n=1000000");
  }
}
