package dev.kymo.cli.record;

import dev.kymo.drain.options.Defaults;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.budget.MemoryFile;
import dev.kymo.session.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of {@code kymo record} about which methods are recorded. */
final class MethodOptions {
  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description = "Record only these; repeatable.")
  private List<String> include = List.of();

  @Option(names = "--exclude", paramLabel = "PATTERN", description = "Leave these out; repeatable.")
  private List<String> exclude = List.of();

  @Option(
      names = "--min-size",
      paramLabel = "BYTES",
      defaultValue = Defaults.MIN_SIZE,
      description =
          "Minimum code size in bytes of simple methods that are recorded; default:"
              + " ${DEFAULT-VALUE}.")
  private int minSize;

  @Option(
      names = "--budget",
      paramLabel = "SHARE",
      defaultValue = Defaults.BUDGET,
      converter = BudgetConverter.class,
      description =
          "Part of each thread's time that probes may take, for instance 3%%; methods and functions"
              + " that cost more are counted instead, see docs/budget.md. none: record every call;"
              + " default: 5%%.")
  private int budget;

  @Option(
      names = "--keep-all",
      description =
          "Leave nothing out that costs more than the budget: calls of Java methods are counted even"
              + " so, waits recorded. Implies --no-memory.")
  private boolean keepAll;

  @Option(
      names = "--no-memory",
      description =
          "Start as if the program had never been recorded, and keep nothing for its next run; see"
              + " docs/budget.md.")
  private boolean noMemory;

  void check() {
    if (minSize < 0) {
      throw new UsageException("--min-size must not be negative");
    }
  }

  Session.Methods methods(Map<String, String> environment) {
    return new Session.Methods(include, exclude, minSize, budget, keepAll, memory(environment));
  }

  /** Where what is found out about methods is kept; empty = nowhere. */
  private String memory(Map<String, String> environment) {
    boolean none = noMemory || keepAll || budget == 0;
    Path directory = none ? null : MemoryFile.directory(environment);
    return directory == null ? "" : directory.toString();
  }
}
