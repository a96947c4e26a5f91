package dev.kymo.importers.perftext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.importers.ForeignFormats;
import dev.kymo.importers.mutants.Mutants;
import dev.kymo.importers.perf.PerfFormat;
import dev.kymo.importers.target.Converted;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.KernelLine;
import dev.kymo.importers.target.Tool;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of {@code perf script} gives the samples and events of the file it was made of. */
class PerfTextTest {
  private static final String TEXT =
      """
      # ========
      # captured on    : Wed Nov 25 15:44:09 2026
      # ========
      #
      Web Content  7/71 [001] 10.000001:     250000 cpu-clock:u:\s
      \t          401136 inner(int) const+0x6 (/tmp/a prog (deleted))
      \t          401200 [unknown] (/tmp/a prog (deleted))
      \t        7f001234 __libc_start_call_main+0x7a (/usr/lib/libc.so.6)

      kworker/u8:0-ex    12 [000] 10.000002000: sched:sched_switch: prev_comm=kworker/u8:0-ex \
      prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=Web Content next_pid=71 next_prio=120
      Web Content    71 [000] 10.000003: page-faults:       7f00aa00     ffffffff81000010 \
      do_fault+0x10 ([kernel.kallsyms])
      Web Content    71 [000] 10.000003500:   1 faults:         7f00aa00
      \t  401136 inner+0x6 (/tmp/a prog)

      Web Content    71 [000] 10.000004: PERF_RECORD_LOST lost 3
      Web Content    71 10.000005: probe:here: (401136) depth=3
      Web Content    71 [000] 10.000006: sched:sched_stat_runtime: comm=Web Content pid=71 \
      runtime=5 [ns] ffffffff813ad60a update_se ([kernel.kallsyms])
      :-1    -1 [001] 10.000007:          1 cycles: weight 12
      """;

  @TempDir Path folder;

  private int recordings;

  private Path convert(ForeignFormat format, Path file) throws IOException {
    Path to = Files.createDirectory(folder.resolve("r" + recordings++));
    format.convert(ForeignFile.of(file), new Import(to, (done, all) -> {}));
    return to;
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("text"), text);
  }

  private static String format(Path file) throws IOException {
    return ForeignFormats.of(ForeignFile.of(file)).map(ForeignFormat::name).orElse("none");
  }

  @Test
  void allKindsOfLinesAreRead() throws Exception {
    Path file = write(TEXT);
    assertThat(format(file)).isEqualTo("perf-script");
    Path recording = convert(new PerfTextFormat(), file);
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events())
        .containsExactlyInAnyOrder(
            "Web Content: 0 sample.cpu-clock:u stack=a prog.inner(int) const"
                + " period=250000 cpu=1 address=0",
            "Web Content: 2000 sample.page-faults stack=[kernel.kallsyms].do_fault"
                + " period=1 cpu=0 address=2130749952",
            "Web Content: 2500 sample.faults stack=a prog.inner"
                + " period=1 cpu=0 address=2130749952",
            "Web Content: 4000 sample.probe:here stack=0 period=1 cpu=-1 text=(401136) depth=3",
            "Web Content: 5000 sample.sched:sched_stat_runtime"
                + " stack=[kernel.kallsyms].update_se period=1 cpu=0 address=0",
            "ended threads: 6000 sample.cycles stack=0 period=1 cpu=1 text=weight 12");
    assertThat(read.calls()).contains("CPU 0: thread.Web Content 71 1000-1000");
    assertThat(KernelLine.of(recording))
        .extracting(KernelLine::head)
        .containsExactly(
            "10000002000 0 sched:sched_switch 12", "10000006000 0 sched:sched_stat_runtime 71");
    assertThat(KernelLine.of(recording).get(1).fields())
        .isEqualTo(Map.of("comm", "Web Content", "pid", "71", "runtime", "5 [ns]"));
    assertThat(read.notices())
        .contains(
            "imported from text of perf script: file=text events=7",
            "records that are no samples: PERF_RECORD_LOST 1");
  }

  @Test
  void textOfFtraceStaysItself() throws Exception {
    for (String line :
        List.of(
            "  bash-123   [000]    41.500000: sched_switch: prev_pid=1 ==> next_pid=2\n",
            "  bash-123     (  100) [000] d..2.   41.500000: print: 7 12.000001: a: b\n",
            "  Web Content 12-345 [001] d..2.   41.500000: sched_waking: pid=1\n")) {
      assertThat(format(write(line))).as(line).isEqualTo("ftrace");
    }
    assertThat(format(write("12 [000] 1.000000: a log: of others\n"))).isEqualTo("perf-script");
    assertThat(format(write("2026 12.000001: of others, too\n"))).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no sample at all | text has no sample with a thread and a time | 1 | ",
        "a 1 [4096] 1.000000: b: | processor has a number that no kernel gives | 1 |  cpu=4096"
      })
  void whatIsWrongIsToldWithItsLine(String text, String problem, int line, String facts)
      throws Exception {
    Path file = write(text + "\n");
    assertThatThrownBy(() -> convert(new PerfTextFormat(), file))
        .isInstanceOf(ForeignException.class)
        .hasMessage(
            "%s: file=%s line=%d%s"
                .formatted(problem, file, line, facts == null ? "" : " " + facts.strip()));
  }

  @Tag("formats")
  @Test
  void mutantsAreReadOrRefused() throws Exception {
    byte[] original = TEXT.getBytes(StandardCharsets.UTF_8);
    assertThat(Mutants.importMany(new PerfTextFormat(), List.of(original)))
        .isBetween(1, Mutants.MANY - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu-clock -F 999 -g | ",
        "cpu-clock -F 999 | --ns",
        "cpu-clock -F 999 -g | --ns --header",
        "sched:* -a | --ns",
        "sched:* -a -g | -F comm,pid,tid,cpu,time,period,event,ip,sym,dso,trace",
        "page-faults -d -c 1 | -F comm,tid,time,period,event,addr,ip,sym,symoff,dso --ns"
      })
  @Tag("peer")
  void textHasTheSamplesOfItsFile(String options) throws Exception {
    Tool.assume("perf");
    String[] option = options.split("\\|");
    Path file = folder.resolve("perf.data");
    List<String> record = new ArrayList<>(List.of("perf", "record", "-q", "-o", file.toString()));
    record.add("-e");
    record.addAll(List.of(option[0].strip().split(" ")));
    record.addAll(List.of("--", "sh", "-c", "ls -R " + SourceTree.path("docs") + "; sleep 0.01"));
    assumeTrue(Tool.run(folder.resolve("output"), record), "skipped: perf may not record here");
    Path text = folder.resolve("text");
    List<String> script = new ArrayList<>(List.of("perf", "script", "-i", file.toString()));
    List.of(option[1].strip().split(" ")).stream()
        .filter(word -> !word.isEmpty())
        .forEach(script::add);
    assertThat(Tool.run(text, script)).isTrue();
    assertThat(format(text)).isEqualTo("perf-script");
    boolean nanos = option[1].contains("--ns");
    Path ofFile = convert(new PerfFormat(), file);
    Path ofText = convert(new PerfTextFormat(), text);
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (KernelLine event : KernelLine.of(ofFile)) {
      expected.add(comparable(event, nanos));
    }
    for (KernelLine event : KernelLine.of(ofText)) {
      found.add(comparable(event, true));
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    Converted fromFile = Converted.read(ofFile);
    Converted fromText = Converted.read(ofText);
    assertThat(found.size() + fromText.events().size()).isPositive();
    assertThat(fromText.events())
        .map(PerfTextTest::samplePart)
        .containsExactlyInAnyOrderElementsOf(
            fromFile.events().stream().map(PerfTextTest::samplePart).toList());
    assertThat(fromText.notices()).noneMatch(notice -> notice.contains("left out"));
    if (nanos) {
      assertThat(running(fromText)).containsExactlyInAnyOrderElementsOf(running(fromFile));
    }
  }

  /** Who ran how long; names are longer in the file. */
  private static List<String> running(Converted read) {
    return read.calls().stream()
        .filter(call -> call.startsWith("CPU"))
        .map(call -> call.replaceFirst("thread\\..* (\\d+ \\d+-\\d+)$", "$1"))
        .toList();
  }

  private static String comparable(KernelLine event, boolean nanos) {
    long clock = nanos ? event.clock() : event.clock() / 1_000 * 1_000;
    return clock + " " + event.cpu() + " " + event.event() + " " + event.fields().get("next_pid");
  }

  /**
   * A sample without its time, which is of another begin, and its place, which has a name. Other
   * programs' threads may be given other names just then: perf says one, and its file the other.
   */
  private static String samplePart(String event) {
    return event
        .replaceFirst(": \\d+ ", ": ")
        .replaceFirst("stack=.* period", "period")
        .replaceFirst("^(?!(sh|ls|sleep|perf): ).*?: (?=sample)", "other: ");
  }
}
