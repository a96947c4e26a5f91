package dev.kymo.importers.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.importers.mutants.Mutants;
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
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tracepoints and switches of perf.data become events of the kernel, and states follow. */
class PerfKernelTest {

  @TempDir Path folder;

  private int recordings;

  private Path convert(Path file) throws IOException {
    Path to = Files.createDirectory(folder.resolve("r" + recordings++));
    new PerfFormat().convert(ForeignFile.of(file), new Import(to, (done, all) -> {}));
    return to;
  }

  private Path write(MadePerf made) throws IOException {
    return Files.write(folder.resolve("x" + recordings), made.bytes());
  }

  private static MadePerf switches(MadePerf made) {
    return made.comm(7, "seven")
        .sample(1_000, 0, 0, 0, 7, "seven")
        .sample(1_500, 1, 0, 0, 8, "eight")
        .sample(2_000, 0, 7, 1, 0, "swapper/0")
        .sample(2_500, 1, 8, 0, 7, "seven");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tracepointsAreEventsOfTheKernel(boolean bigEndian) throws Exception {
    Path recording = convert(write(switches(new MadePerf(bigEndian, false).formats())));
    Converted read = Converted.read(recording);
    assertThat(read.oddities()).isEmpty();
    assertThat(read.events()).isEmpty();
    assertThat(read.calls())
        .contains(
            "CPU 0: thread.seven 7 0-1000",
            "seven: running.CPU 0 0-1000",
            "seven: blocked. 1000-1500",
            "eight: running.CPU 1 500-1500",
            "eight: runnable.preempted 1500-1500");
    assertThat(read.notices())
        .contains("imported as events of the kernel: 4 (sched:sched_switch 4)");
    KernelLine third = KernelLine.of(recording).get(2);
    assertThat(third.head()).isEqualTo("2000 0 sched:sched_switch 7");
    assertThat(third.fields())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "prev_comm", "t7",
                "prev_pid", "7",
                "prev_prio", "120",
                "prev_state", "1",
                "next_comm", "swapper/0",
                "next_pid", "0",
                "next_prio", "120"));
  }

  @Test
  void stacksOfTracepointsAreSamples() throws Exception {
    Path recording = convert(write(switches(new MadePerf(false, true).formats())));
    Converted read = Converted.read(recording);
    assertThat(KernelLine.of(recording)).hasSize(4);
    assertThat(read.events())
        .contains(
            "seven: 1000 sample.sched:sched_switch"
                + " stack=[kernel.kallsyms].0x1010 period=1 cpu=0 address=0");
    assertThat(read.notices())
        .contains("events of the kernel that are samples, too, for their stacks: 4");
  }

  @Test
  void withoutFormatsTheBytesStay() throws Exception {
    Path recording = convert(write(switches(new MadePerf(false, false))));
    Converted read = Converted.read(recording);
    assertThat(KernelLine.of(recording)).isEmpty();
    assertThat(read.notices())
        .contains("imported as samples with their stacks: 4 (sched:sched_switch 4)");
    assertThat(read.events()).hasSize(4);
  }

  @Test
  void statesFollowFromRecordsOfSwitches() throws Exception {
    MadePerf made =
        new MadePerf(false, false)
            .withoutSwitches()
            .comm(7, "seven")
            .comm(8, "eight")
            .runs(1_000, 0, 7, 0)
            .stops(2_000, 0, 7, true, 8)
            .runs(2_000, 0, 8, 7)
            .stops(3_000, 0, 8, false, 7)
            .runs(3_001, 0, 7, 8)
            .stops(4_000, 0, 7, false, 0);
    Converted read = Converted.read(convert(write(made)));
    assertThat(read.oddities()).isEmpty();
    assertThat(read.calls())
        .containsExactlyInAnyOrder(
            "CPU 0: thread.seven 7 0-1000",
            "CPU 0: thread.eight 8 1000-2000",
            "CPU 0: thread.seven 7 2000-3000",
            "seven: running.CPU 0 0-1000",
            "seven: runnable.preempted 1000-2000",
            "seven: running.CPU 0 2000-3000",
            "seven: blocked. 3000-3000",
            "eight: running.CPU 0 1000-2000",
            "eight: blocked. 2000-3000");
    assertThat(read.notices())
        .contains("states of threads and processors follow from SWITCH records: 6");
  }

  @Test
  void damagedFormatsAreRefused() throws Exception {
    byte[] bytes = new MadePerf(false, false).formats().bytes();
    int at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("header_page");
    bytes[at] = 'H';
    Path file = Files.write(folder.resolve("x"), bytes);
    assertThatThrownBy(() -> convert(file))
        .isInstanceOf(ForeignException.class)
        .hasMessageStartingWith("header is another one: file=" + file + " offset=")
        .hasMessageEndingWith("name=\"Header_page\" wanted=header_page");
  }

  @Tag("formats")
  @Test
  void mutantsAreReadOrRefused() throws Exception {
    List<byte[]> files =
        List.of(
            switches(new MadePerf(false, true).formats()).bytes(),
            switches(new MadePerf(true, false).formats()).bytes());
    assertThat(Mutants.importMany(new PerfFormat(), files)).isBetween(1, Mutants.MANY - 1);
  }

  /** Numbers of a processor and a thread, a time, an event, and its fields. */
  private static final Pattern LINE =
      Pattern.compile("\\s*(-1|\\d+) \\[(\\d+)] +(\\d+)\\.(\\d{9}):\\s+(\\S+): (.*)");

  @ParameterizedTest
  @ValueSource(strings = {"", "-g", "-k CLOCK_MONOTONIC", "-z", "pipe"})
  @Tag("peer")
  void freshTracepointsAreThoseOfPerfScript(String option) throws Exception {
    Path file = record("sched:*", option);
    Path recording = convert(file);
    List<String> heads = new ArrayList<>();
    List<KernelLine> events = KernelLine.of(recording);
    List<String> lines =
        Tool.lines(
            "perf",
            "script",
            "--ns",
            "-G",
            "-F",
            "tid,cpu,time,event,trace",
            "-i",
            file.toString());
    for (String line : lines) {
      Matcher is = LINE.matcher(line);
      assertThat(is.matches()).as(line).isTrue();
      KernelLine event = events.get(heads.size());
      heads.add(
          "%d%s %d %s %s"
              .formatted(
                  Long.parseLong(is.group(3)),
                  is.group(4),
                  Integer.parseInt(is.group(2)),
                  is.group(5),
                  is.group(1).equals("-1") ? event.tid() : is.group(1))); // it has ended
      if (event.head().equals(heads.getLast())) {
        assertThat(fields(event)).as(line).allMatch(is.group(6)::contains);
      }
    }
    assertThat(events.stream().map(KernelLine::head).sorted())
        .isNotEmpty()
        .containsExactlyElementsOf(heads.stream().sorted().toList());
    long busy =
        events.stream()
            .filter(event -> event.event().equals("sched:sched_switch"))
            .filter(event -> !"0".equals(event.fields().get("next_pid")))
            .count();
    assertThat(Converted.read(recording).calls())
        .filteredOn(call -> call.startsWith("CPU ") && call.contains(": thread."))
        .hasSize((int) busy);
  }

  /** Events and fields that perf writes as they are. */
  private static final Set<String> PLAIN =
      Set.of(
          "sched:sched_switch",
          "sched:sched_waking",
          "sched:sched_wakeup",
          "sched:sched_stat_runtime",
          "sched:sched_process_exec",
          "sched:sched_process_fork",
          "sched:sched_migrate_task");

  private static final Set<String> OTHERWISE = Set.of("prev_state", "target_cpu");

  private static List<String> fields(KernelLine event) {
    List<String> fields = new ArrayList<>();
    event
        .fields()
        .forEach((name, value) -> {
          if (PLAIN.contains(event.event()) && !OTHERWISE.contains(name)) {
            fields.add(name.replaceFirst("^parent_", "") + "=" + value);
          }
        });
    return fields;
  }

  private Path record(String events, String option) throws Exception {
    Tool.assume("perf");
    Path file = folder.resolve("perf.data");
    List<String> command = new ArrayList<>(List.of("perf", "record", "-q", "-a", "-e", events));
    boolean pipe = option.equals("pipe");
    if (!pipe && !option.isEmpty()) {
      command.addAll(List.of(option.split(" ")));
    }
    command.addAll(List.of("-o", pipe ? "-" : file.toString(), "--", "sh", "-c"));
    command.add("for i in 1 2 3; do sleep 0.01; ls /; done >&2");
    Path output = pipe ? file : folder.resolve("output");
    assumeTrue(Tool.run(output, command), "skipped: perf may not record here");
    return file;
  }

  private static final Pattern SWITCHED =
      Pattern.compile(
          "\\s*(-?\\d+) \\[(\\d+)] +(\\d+)\\.(\\d{9}): PERF_RECORD_SWITCH_CPU_WIDE OUT"
              + "( preempt)?\\s+next pid/tid: *\\d+/(\\d+).*");

  @Test
  @Tag("peer")
  void freshSwitchesAreThoseOfPerfScript() throws Exception {
    Path file = record("cpu-clock", "--switch-events");
    List<String> expected =
        Tool.lines(
                "perf",
                "script",
                "--ns",
                "--show-switch-events",
                "-F",
                "tid,cpu,time,event",
                "-i",
                file.toString())
            .stream()
            .map(SWITCHED::matcher)
            .filter(Matcher::matches)
            .map(is ->
                "%d%s %d %s"
                    .formatted(
                        Long.parseLong(is.group(3)),
                        is.group(4),
                        Integer.parseInt(is.group(2)),
                        is.group(6)))
            .toList();
    assertThat(expected).isNotEmpty();
    assertThat(KernelLine.of(convert(file)))
        .extracting(
            event -> event.clock() + " " + event.cpu() + " " + event.fields().get("next_pid"))
        .containsAll(expected);
  }
}
