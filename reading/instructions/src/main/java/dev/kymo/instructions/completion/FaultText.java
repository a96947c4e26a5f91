package dev.kymo.instructions.completion;

import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.TracedModule;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Says where recording has stopped at a fault. */
final class FaultText {
  private FaultText() {}

  /**
   * A sentence.
   *
   * @param process that met the fault
   * @param functions of the process, by their begin
   */
  static String of(
      ProcessFacts process, ProcessFacts.Fault fault, SortedMap<Long, String> functions) {
    TracedModule file = process.module(fault.address());
    String path = file == null ? "" : file.path();
    return "recording has stopped at a fault: %s instruction=%d process=%d pid=%d thread=%d address=0x%x function=%s file=%s"
        .formatted(
            fault.name(),
            fault.clock(),
            process.number(),
            process.pid(),
            fault.thread(),
            fault.address(),
            function(fault.address(), file, functions),
            path.isEmpty() ? "none" : path);
  }

  private static String function(
      long address, @Nullable TracedModule file, SortedMap<Long, String> functions) {
    SortedMap<Long, String> before = functions.headMap(address + 1);
    if (file == null || before.isEmpty() || !file.contains(before.lastKey())) {
      return "unknown";
    }
    long begin = before.lastKey();
    String name = functions.getOrDefault(begin, "");
    return "%s+0x%x".formatted(name.isEmpty() ? "0x%x".formatted(begin) : name, address - begin);
  }
}
