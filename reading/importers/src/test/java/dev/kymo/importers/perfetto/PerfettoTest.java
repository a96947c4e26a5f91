package dev.kymo.importers.perfetto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of Perfetto are what their packets say. */
class PerfettoTest {
  private static final long WALL = 1_700_000_000_000_000_000L;

  @TempDir Path folder;

  private int recordings;

  private Path convert(byte[] trace) throws IOException {
    Path file = Files.write(folder.resolve("trace"), trace);
    ForeignFile foreign = ForeignFile.of(file);
    Path to = Files.createDirectory(folder.resolve("r" + recordings++));
    new PerfettoFormat().convert(foreign, new Import(to, (done, all) -> {}));
    return to;
  }

  private static Proto clock(int id, long time) {
    return new Proto().number(1, id).number(2, time);
  }

  private static Proto packet(long time, Proto event) {
    return new Proto().number(8, time).number(10, 7).message(11, event);
  }

  private static Proto named(long id, String name) {
    return new Proto().number(1, id).text(2, name);
  }

  /** Clocks, a thread with a counter, and another thread. */
  private static Proto head() {
    Proto trace = new Proto();
    Proto clocks =
        new Proto()
            .message(1, clock(1, WALL + 1000))
            .message(1, clock(3, 400))
            .message(1, clock(6, 1000));
    trace.message(1, new Proto().number(10, 7).message(6, clocks));
    Proto process = new Proto().number(1, 50).text(6, "program");
    trace.message(1, new Proto().message(60, new Proto().number(1, 1).message(3, process)));
    Proto thread = new Proto().number(1, 50).number(2, 51).text(5, "worker");
    trace.message(1, new Proto().message(60, new Proto().number(1, 2).message(4, thread)));
    Proto other = new Proto().number(1, 50).number(2, 52).text(5, "other");
    trace.message(1, new Proto().message(60, new Proto().number(1, 3).message(4, other)));
    Proto counter = new Proto().number(1, 4).number(5, 2).text(2, "queue");
    trace.message(1, new Proto().message(60, counter.message(8, new Proto())));
    Proto interned = new Proto().message(2, named(1, "outer")).message(1, named(1, "cat"));
    trace.message(1, new Proto().number(10, 7).number(13, 1).message(12, interned));
    return trace;
  }

  @Test
  void secretsInCommandLinesAreLeftOut() throws Exception {
    Proto trace = head();
    Proto command = new Proto().number(1, 60).text(2, "app").text(2, "--token").text(2, "a secret");
    trace.message(1, new Proto().message(60, new Proto().number(1, 9).message(3, command)));
    trace.message(1, packet(2000, new Proto().number(9, 1).text(23, "x").number(11, 9)));
    assertThat(Converted.read(convert(trace.bytes())).tracks())
        .contains("app --token ***")
        .noneMatch(track -> track.contains("secret"));
  }

  private static byte[] made() {
    Proto trace = head();
    trace.message(1, packet(2000, new Proto().number(9, 1).number(10, 1).number(11, 2)));
    Proto note = new Proto().text(10, "size").number(3, 12);
    Proto inner =
        new Proto().number(9, 1).text(23, "inner").number(3, 1).number(11, 2).message(4, note);
    trace.message(1, packet(2100, inner));
    trace.message(1, packet(2200, new Proto().number(9, 2).number(11, 2)));
    trace.message(1, packet(2300, new Proto().number(9, 4).number(11, 4).number(30, 5)));
    trace.message(
        1, packet(2400, new Proto().number(9, 3).text(23, "sent").number(11, 2).fixed(47, 9)));
    trace.message(
        1, packet(2500, new Proto().number(9, 3).text(23, "came").number(11, 3).fixed(48, 9)));
    // of the monotonic clock, which is 600 ns behind
    trace.message(1, packet(2000, new Proto().number(9, 2).number(11, 2)).number(58, 3));
    return trace.bytes();
  }

  @Test
  void callsCountersAndFlowsAreWhatTheyWere() throws Exception {
    Path file = Files.write(folder.resolve("trace"), made());
    assertThat(new PerfettoFormat().recognises(ForeignFile.of(file))).isTrue();
    Converted read = Converted.read(convert(made()));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.tracks()).containsExactlyInAnyOrder("worker", "other");
    assertThat(read.calls())
        .containsExactlyInAnyOrder("worker: outer 0-600", "worker: cat.inner 100-200");
    assertThat(read.events())
        .contains("worker: 100 cat.inner size=12", "worker: 300 queue value=5", "other: 500 came ");
    assertThat(read.messages()).isEqualTo(1);
    assertThat(read.notices())
        .contains(
            "imported from Perfetto's trace: file=trace events=7",
            "imported as calls: 2 (slice begin 2)",
            "imported as ends of calls: 2 (slice end 2)");
  }

  @Test
  void compressedPacketsAreThoseWithin() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream to = new DeflaterOutputStream(packed)) {
      to.write(made());
    }
    byte[] trace = new Proto().message(1, new Proto().raw(50, packed.toByteArray())).bytes();
    assertThat(Converted.read(convert(trace)).calls())
        .containsExactlyInAnyOrder("worker: outer 0-600", "worker: cat.inner 100-200");
  }

  private static Proto kernelEvent(long time, int tid, int kind, Proto fields) {
    return new Proto().number(1, time).number(2, tid).message(kind, fields);
  }

  @Test
  void switchesBecomeStatesOfThreads() throws Exception {
    Proto out =
        new Proto().text(1, "worker").number(2, 51).number(4, 1).text(5, "other").number(6, 52);
    Proto in = new Proto().text(1, "other").number(2, 52).text(5, "worker").number(6, 51);
    Proto bundle =
        new Proto()
            .number(1, 1)
            .message(2, kernelEvent(3000, 51, 4, out))
            .message(2, kernelEvent(3500, 52, 4, in));
    Proto compact =
        new Proto()
            .text(5, "late")
            .packed(1, 4000, 100)
            .packed(2, 1, 0)
            .packed(3, 53, 51)
            .packed(6, 0, 0);
    Proto trace = head().message(1, new Proto().message(1, bundle));
    trace.message(1, new Proto().message(1, new Proto().number(1, 0).message(4, compact)));
    Converted read = Converted.read(convert(trace.bytes()));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.calls())
        .contains("CPU 1: thread.other 52 0-500", "CPU 0: thread.late 53 1000-1100");
    assertThat(read.notices()).contains("imported as events of the kernel: 4 (sched_switch 4)");
  }

  @Test
  void tracksMayBeDescribedInACircle() throws Exception {
    Proto trace = head();
    for (long[] each : new long[][] {{8, 9}, {9, 8}}) {
      Proto counter = new Proto().number(1, each[0]).number(5, each[1]).text(2, "round");
      trace.message(1, new Proto().message(60, counter.message(8, new Proto())));
    }
    trace.message(1, packet(2300, new Proto().number(9, 4).number(11, 8).number(30, 5)));
    assertThat(Converted.read(convert(trace.bytes())).events()).hasSize(1);
  }

  @Test
  void whatIsDamagedIsToldWithItsPlace() throws Exception {
    byte[] trace = made();
    byte[] cut = Arrays.copyOf(trace, trace.length - 3);
    assertThatThrownBy(() -> convert(cut))
        .isInstanceOf(ForeignException.class)
        .hasMessageMatching("packet is longer than the file: file=.* offset=\\d+ bytes=\\d+");
  }

  @Tag("formats")
  @Test
  void mutantsAreReadOrRefused() throws Exception {
    assertThat(Mutants.importMany(new PerfettoFormat(), List.of(made())))
        .isBetween(1, Mutants.MANY - 1);
  }
}
