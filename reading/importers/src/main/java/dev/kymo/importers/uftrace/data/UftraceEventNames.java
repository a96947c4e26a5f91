package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of events by their numbers; those of the program are in {@code events.txt}. */
public final class UftraceEventNames {
  private static final Pattern LINE =
      Pattern.compile("EVENT: (\\d{1,9}) ([^:]{1,200}):(\\S{1,200})");
  private static final int MOST = 100_000;
  private static final long BUILT_IN = 100_000;
  private static final long USER = 1_000_000;

  private static final Map<Long, String> KNOWN =
      Map.ofEntries(
          Map.entry(BUILT_IN + 1, "read:proc/statm"),
          Map.entry(BUILT_IN + 2, "read:page-fault"),
          Map.entry(BUILT_IN + 3, "diff:proc/statm"),
          Map.entry(BUILT_IN + 4, "diff:page-fault"),
          Map.entry(BUILT_IN + 5, "read:pmu-cycle"),
          Map.entry(BUILT_IN + 6, "diff:pmu-cycle"),
          Map.entry(BUILT_IN + 7, "read:pmu-cache"),
          Map.entry(BUILT_IN + 8, "diff:pmu-cache"),
          Map.entry(BUILT_IN + 9, "read:pmu-branch"),
          Map.entry(BUILT_IN + 10, "diff:pmu-branch"),
          Map.entry(BUILT_IN + 11, "watch:cpu"),
          Map.entry(BUILT_IN + 12, "watch:var"),
          Map.entry(BUILT_IN + 13, "uftrace:callsite"));

  private static final Map<String, List<String>> FIELDS =
      Map.of(
          "proc/statm", List.of("vmsize_kb", "vmrss_kb", "shared_kb"),
          "page-fault", List.of("major", "minor"),
          "pmu-cycle", List.of("cycles", "instructions"),
          "pmu-cache", List.of("references", "misses"),
          "pmu-branch", List.of("branches", "misses"),
          "cpu", List.of("cpu"),
          "var", List.of("address", "data"),
          "callsite", List.of("address"));

  private final Map<Long, String> names = new HashMap<>(KNOWN);

  private UftraceEventNames() {}

  /** Reads a file, which may be absent. */
  public static UftraceEventNames read(Path file) throws IOException {
    UftraceEventNames events = new UftraceEventNames();
    if (Files.isRegularFile(file)) {
      TextLines.each(
          file,
          MOST,
          line -> {
            Matcher matcher = LINE.matcher(line.strip());
            if (matcher.matches()) {
              events.names.put(
                  Long.parseLong(matcher.group(1)), matcher.group(2) + ":" + matcher.group(3));
            }
          });
    }
    return events;
  }

  /** {@code provider:name} of an event. */
  public String name(long number) {
    String kind =
        number >= USER ? "user:event" : number >= BUILT_IN ? "builtin:event" : "kernel:event";
    return names.getOrDefault(number, kind + number);
  }

  /** The names of an event's data; there may be more data than names. */
  public static List<String> fields(String name) {
    return FIELDS.getOrDefault(name.substring(name.indexOf(':') + 1), List.of());
  }
}
