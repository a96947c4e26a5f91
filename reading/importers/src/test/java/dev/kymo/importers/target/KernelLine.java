package dev.kymo.importers.target;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An event of the kernel as a recording has it.
 *
 * @param clock nanoseconds of the recording's clock
 * @param event {@code sched:sched_switch}
 * @param fields their texts by their names
 */
public record KernelLine(long clock, int cpu, int tid, String event, Map<String, String> fields) {

  /** All of them, in the order of time. */
  public static List<KernelLine> of(Path recording) throws IOException {
    List<KernelLine> lines = new ArrayList<>();
    try (Recording open = Recording.open(recording)) {
      KernelMerge merge =
          KernelMerge.all(
              open, CallPass.open(open).definitions().kernelEvents().values(), new Diagnostics());
      for (KernelStream at = merge.until(Long.MAX_VALUE);
          at != null;
          at = merge.until(Long.MAX_VALUE)) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (KernelEventFormat.Field field : at.format().fields()) {
          fields.put(field.name(), at.text(field));
        }
        lines.add(new KernelLine(at.clock(), at.cpu(), at.tid(), at.format().toString(), fields));
      }
    }
    return lines;
  }

  /** {@code 1000 2 sched:sched_switch 7}: when, where, what, who. */
  public String head() {
    return "%d %d %s %d".formatted(clock, cpu, event, tid);
  }
}
