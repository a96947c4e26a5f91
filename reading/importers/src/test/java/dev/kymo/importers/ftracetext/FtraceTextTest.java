package dev.kymo.importers.ftracetext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.importers.ftracetext.lines.FtraceLine;
import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.EarlyReader;
import dev.kymo.importers.target.ExchangeSamples;
import dev.kymo.importers.target.ExchangeSamples.Expected;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.Import;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FtraceTextTest {
  private static final FtraceTextFormat FORMAT = new FtraceTextFormat();
  private static final String TEXT =
      """
      # tracer: nop
      #
      #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
                <idle>-0       (-----) [000] d..2.  10.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=my prog-x next_pid=7 next_prio=120
             my prog-x-7       (     5) [000] .....  10.000010: tracing_mark_write: B|5|work
             my prog-x-7       (     5) [000] .....  10.000020: tracing_mark_write: E|5
             my prog-x-7       (     5) [000] .....  10.000025: tracing_mark_write: C|5|fill|12
             my prog-x-7       (     5) [000] d.h..  10.000030: irq_handler_entry: irq=27 name=virtio0-input
             my prog-x-7       (     5) [000] d.h..  10.000031: irq_handler_exit: irq=27 ret=handled
      CPU:1 [LOST 12 EVENTS]
             my prog-x-7       (     5) [000] .....  10.000040: sys_futex(uaddr: 7f, op: 80)
             my prog-x-7       (     5) [000] d..2.  10.000050: sched_switch: my prog-x:7 [120] S ==> swapper/0:0 [120]
                  sh-9         [001]  10.000060: funcgraph_entry:                   |  do_it() {
                  sh-9         [001]  10.000061: funcgraph_entry:        1.500 us   |    leaf();
                  sh-9         [001]  10.000065: funcgraph_exit:         5.000 us   |  }
                  sh-9         [001]  10.000070: schedule <-do_idle
                  sh-9         [001]  10.000080: my_event: a=0xff b={1 2} c=-3
      some other line
      """;

  @TempDir Path directory;

  static List<Expected> samples() throws IOException {
    return ExchangeSamples.of("ftrace-text/");
  }

  private Path convert(Path file) throws IOException {
    Path to = Files.createTempDirectory(directory, "r");
    FORMAT.convert(ForeignFile.of(file), new Import(to, (done, all) -> {}));
    return to;
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("samples")
  void samplesHaveTheirEvents(Expected sample) throws Exception {
    ExchangeSamples.assume();
    Path file = ExchangeSamples.unpacked(sample.path(), directory);
    assertThat(FORMAT.recognises(ForeignFile.of(file))).isTrue();
    Converted read = Converted.read(convert(file));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.notices())
        .anyMatch(line -> line.endsWith(" events=" + sample.events()))
        .noneMatch(line -> line.startsWith("lines that are not events"));
    List<FtraceLine> lines =
        Files.readAllLines(file).stream().map(FtraceLine::parse).filter(Objects::nonNull).toList();
    assertThat(same(lines.getFirst().toString(), sample.first())).isTrue();
    assertThat(same(lines.getLast().toString(), sample.last())).isTrue();
  }

  /** Whether an event is the expected one, which is cut, and may have columns of flags. */
  private static boolean same(String event, String expected) {
    String wanted = expected.replaceAll("\\s+", " ").replaceAll("(\\[\\d+]) [^ ]{4,5} ", "$1 ");
    wanted = wanted.endsWith("...") ? wanted.substring(0, wanted.length() - 3) : wanted;
    return event.startsWith(wanted);
  }

  /** Lines of two threads that take turns. */
  private Path turns(int lines, int swapped) throws IOException {
    StringBuilder text = new StringBuilder("# tracer: nop\n");
    for (int i = 0; i < lines; i++) {
      int at = i == swapped ? i - 2 : i;
      int from = 1 + i % 2;
      text.append(
          "  task-%d [000] d..2. %d.%06d: sched_switch: prev_comm=task prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=task next_pid=%d next_prio=120\n"
              .formatted(from, 100 + at / 1_000_000, at % 1_000_000, from, 3 - from));
    }
    return Files.writeString(directory.resolve("turns"), text);
  }

  @Test
  void linesInOrderAreSeenBeforeTheEnd() throws Exception {
    Path recording = Files.createDirectory(directory.resolve("early"));
    assertThat(EarlyReader.of(FORMAT, turns(200_000, -1), recording)).isPositive();
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.notices()).noneMatch(notice -> notice.contains("time steps back"));
    assertThat(read.calls()).hasSizeGreaterThan(500_000);
  }

  @Test
  void linesInAnotherOrderAreSorted() throws Exception {
    Path recording = Files.createDirectory(directory.resolve("late"));
    assertThat(EarlyReader.of(FORMAT, turns(200_000, 150_000), recording)).isZero();
    assertThat(Converted.notices(recording))
        .noneMatch(notice -> notice.contains("time steps back"));
  }

  private void isRead(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("t"), bytes);
    assertThat(FORMAT.recognises(ForeignFile.of(file))).isTrue();
    Converted read = Converted.read(convert(file));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.calls())
        .contains(
            "my prog-x: running.CPU 0 0-31000",
            "CPU 0: thread.my prog-x 7 0-31000",
            "my prog-x: blocked.futex 50000-50000",
            "my prog-x: interrupted.irq virtio0-input 30000-31000",
            "my prog-x: work 10000-20000",
            "sh: do_it 60000-65000",
            "sh: leaf 61000-62500",
            "sh: function.schedule 70000-70000");
    assertThat(read.events()).contains("counters: 25000 counter.fill value=12");
    assertThat(read.notices())
        .contains(
            "imported as calls: 6 (print 2, funcgraph_entry 2, funcgraph_exit 1, function 1)",
            "imported as counters: 1 (print 1)",
            "imported as events of the kernel: 6 (sched_switch 2, irq_handler_entry 1,"
                + " irq_handler_exit 1, sys_enter_futex 1, my_event 1)");
  }

  @Test
  void eventsOfTextBecomeStatesCallsAndEvents() throws Exception {
    isRead(TEXT.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] compressed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("capturing trace... done\nTRACE:\n".getBytes(StandardCharsets.UTF_8));
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(TEXT.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void textMayBeCompressed() throws Exception {
    byte[] bytes = compressed();
    isRead(bytes);
    Path cut = directory.resolve("cut");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - 100));
    assertThatThrownBy(() -> convert(cut))
        .isInstanceOf(ForeignException.class)
        .hasMessageStartingWith("compressed text is damaged: file=" + cut + " line=");
  }

  @Test
  void textMayBeInHtml() throws Exception {
    String html =
        "<!DOCTYPE html>\n<html><head><title>Android System Trace</title>\n"
            + "<script class=\"trace-data\" type=\"application/text\">\n"
            + TEXT
            + "</script>\n";
    isRead(html.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aTextWithoutEventsIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("t"), "# tracer: nop\n#\n");
    assertThatThrownBy(() -> convert(file))
        .hasMessage("text has no event: file=" + file + " line=1");
    assertThat(FORMAT.recognises(ForeignFile.of(Files.writeString(file, "a-b [x] 1.2: c\n"))))
        .isFalse();
  }

  @Tag("formats")
  @Test
  void damagedTextsAreRefusedOrRead() throws Exception {
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    assertThat(Mutants.importMany(FORMAT, List.of(text, compressed())))
        .isBetween(1, Mutants.MANY - 1);
  }
}
