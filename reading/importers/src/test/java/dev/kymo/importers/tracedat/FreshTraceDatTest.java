package dev.kymo.importers.tracedat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.importers.target.Converted;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of this machine's kernel, of which trace-cmd makes a file, are those that it reports. Root
 * only. The kernel is asked through an instance of its own, so that nothing else that is traced
 * changes.
 */
@Tag("peer")
@Tag("kernel")
class FreshTraceDatTest {
  private static final Path INSTANCES = Path.of("/sys/kernel/tracing/instances");

  /** In {@code trace-cmd report -t -R}: thread, processor, time, event, fields. */
  private static final Pattern LINE =
      Pattern.compile(".*-(\\d+) +\\[(\\d+)] +(\\d+)\\.(\\d{9}): (\\S+): +(.*)");

  @TempDir Path folder;

  @Test
  void eventsAreThoseOfTraceCmdReport() throws Exception {
    Tool.assume("trace-cmd");
    assumeTrue(Files.isWritable(INSTANCES), "skipped: no instance of tracing can be made here");
    List<Path> raw = traced("sched", "task", "irq", "timer");
    Path file = file(raw);
    Path recording = Files.createDirectory(folder.resolve("recording"));
    new TraceDatFormat().convert(ForeignFile.of(file), new Import(recording, (done, all) -> {}));
    List<KernelLine> events = KernelLine.of(recording);
    List<String> heads = new ArrayList<>();
    for (String line : Tool.lines("trace-cmd", "report", "-t", "-R", "-i", file.toString())) {
      Matcher is = LINE.matcher(line);
      if (!is.matches()) {
        assertThat(line).matches("cpus=\\d+|CPU \\d+ is empty");
        continue;
      }
      KernelLine event = events.get(heads.size());
      heads.add(
          "%s%s %d %s %s"
              .formatted(
                  is.group(3),
                  is.group(4),
                  Integer.parseInt(is.group(2)),
                  is.group(5),
                  is.group(1)));
      if (event.event().startsWith("sched:") && head(event).equals(heads.getLast())) {
        for (Map.Entry<String, String> field : event.fields().entrySet()) {
          if (!field.getKey().equals("target_cpu")) { // which it writes with zeroes before it
            assertThat(" " + is.group(6) + " ")
                .contains(" " + field.getKey() + "=" + field.getValue() + " ");
          }
        }
      }
    }
    assertThat(events).hasSizeGreaterThan(20);
    assertThat(events.stream().map(FreshTraceDatTest::head).sorted())
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

  private static String head(KernelLine event) {
    String name = event.event().substring(event.event().indexOf(':') + 1);
    return event.clock() + " " + event.cpu() + " " + name + " " + event.tid();
  }

  /** Traces some processes; returns the pages of each processor. */
  private List<Path> traced(String... subsystems) throws Exception {
    Path instance = INSTANCES.resolve("kymo-importers-" + ProcessHandle.current().pid());
    Files.createDirectory(instance);
    try {
      for (String subsystem : subsystems) {
        Files.writeString(instance.resolve("events/" + subsystem + "/enable"), "1");
      }
      Tool.lines("sh", "-c", "for i in 1 2 3; do sleep 0.01; ls /; done");
      Files.writeString(instance.resolve("events/enable"), "0");
      return pages(instance);
    } finally {
      Files.delete(instance);
    }
  }

  private List<Path> pages(Path instance) throws IOException, InterruptedException {
    List<Path> raw = new ArrayList<>();
    for (int cpu = 0; Files.exists(instance.resolve("per_cpu/cpu" + cpu)); cpu++) {
      Path to = folder.resolve("cpu" + cpu);
      Path from = instance.resolve("per_cpu/cpu" + cpu + "/trace_pipe_raw");
      Tool.run( // ends with an error when there is no more
          folder.resolve("output"),
          List.of("dd", "if=" + from, "of=" + to, "bs=4096", "iflag=nonblock"));
      raw.add(to);
    }
    return raw;
  }

  /** The file that trace-cmd makes of pages. */
  private Path file(List<Path> raw) throws IOException, InterruptedException {
    Path head = folder.resolve("head.dat");
    Path file = folder.resolve("trace.dat");
    Path output = folder.resolve("output");
    assumeTrue(
        Tool.run(output, List.of("trace-cmd", "restore", "-c", "-o", head.toString())),
        "skipped: trace-cmd cannot read this kernel's formats");
    List<String> command = new ArrayList<>(List.of("trace-cmd", "restore", "-i", head.toString()));
    command.addAll(List.of("-o", file.toString()));
    raw.forEach(path -> command.add(path.toString()));
    assertThat(Tool.run(output, command)).isTrue();
    return file;
  }
}
