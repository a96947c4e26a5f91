package dev.kymo.exporters.barrelfish;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A part of a log, as Barrelfish's writer makes them: names of applications, and the events of each
 * core in the order of time. Its size has six digits at most, because older clients can take no
 * more.
 *
 * <pre>
 *   # Start TIME Duration 0 Stop 18446744073709551615
 *   # Min_timestamp TIME
 *   # Core N LOG DUMP ====...
 *   # Offset N 0
 *   # DCB N HEX NAME
 *   N TIME HEX
 * </pre>
 */
final class Dump {
  private static final int MAX_SIZE = 900_000;

  /** More than a line of an event, or the lines of a core, can have. */
  private static final int LINE = 42;

  private static final int NAME_LINE = 100;
  private static final int CORE_LINES = 100;
  private static final int LONGEST_NAME = 64;

  private final List<Line> lines = new ArrayList<>();
  private final Map<Integer, List<String>> names = new TreeMap<>();
  private int size;

  private record Line(int core, long time, long word) {}

  void event(int core, long time, long word) {
    lines.add(new Line(core, time, word));
    size += LINE;
  }

  void application(int core, int dcb, String name) {
    StringBuilder text = new StringBuilder();
    name.chars().limit(LONGEST_NAME).forEach(c -> text.append(c > ' ' && c < 127 ? (char) c : '_'));
    names
        .computeIfAbsent(core, _ -> new ArrayList<>())
        .add("# DCB %d %x %s%n".formatted(core, dcb & 0xffffffffL, text));
    size += NAME_LINE;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  boolean isFull() {
    return size > MAX_SIZE - LogNumbers.CORES * CORE_LINES;
  }

  /** Time of the first event. */
  long first() {
    return lines.stream().mapToLong(Line::time).min().orElse(0);
  }

  /**
   * Returns the text, and begins the next dump.
   *
   * @param start when tracing began
   */
  byte[] take(long start) {
    StringBuilder text = new StringBuilder(size);
    text.append("# Start ").append(start).append(" Duration 0 Stop ");
    text.append(Long.toUnsignedString(-1)).append('\n');
    text.append("# Min_timestamp ").append(first()).append('\n');
    lines.sort(Comparator.comparingInt(Line::core).thenComparingLong(Line::time));
    int core = -1;
    for (Line line : lines) {
      if (line.core != core) {
        core = line.core;
        text.append("# Core ").append(core).append(" LOG DUMP ").repeat('=', 50).append('\n');
        text.append("# Offset ").append(core).append(" 0\n");
        names.getOrDefault(core, List.of()).forEach(text::append);
      }
      text.append(core).append(' ').append(line.time).append(' ');
      text.append(Long.toHexString(line.word)).append('\n');
    }
    lines.clear();
    names.clear();
    size = 0;
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
