package dev.kymo.importers.uftrace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code uftrace dump} says of a directory. */
final class Dump {
  private static final Pattern RECORD =
      Pattern.compile(
          "(\\d+)\\.(\\d{9})\\s+(\\d+): \\[(entry|exit |event)\\] (.*?)\\(([0-9a-f]+)\\).*");

  final List<String> calls = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  int records;
  long first = Long.MAX_VALUE;

  /** A record of the dump. */
  private record Line(long time, int tid, String type, String name) {}

  static Dump of(Path directory) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("uftrace", "dump", "--no-pager", "-d", directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("uftrace dump failed");
    }
    Dump dump = new Dump();
    List<Line> lines = new ArrayList<>();
    for (String line : text.split("\n")) {
      Matcher matcher = RECORD.matcher(line);
      if (matcher.matches()) {
        long time = Long.parseLong(matcher.group(1) + matcher.group(2));
        dump.first = Math.min(dump.first, time);
        lines.add(
            new Line(
                time,
                Integer.parseInt(matcher.group(3)),
                matcher.group(4).strip(),
                matcher.group(5)));
      }
    }
    dump.records = lines.size();
    dump.pair(lines);
    return dump;
  }

  /** Calls as {@code name begin-end}, nanoseconds after the first record. */
  private void pair(List<Line> lines) {
    List<Line> open = new ArrayList<>();
    for (Line line : lines) {
      switch (line.type) {
        case "entry" -> open.add(line);
        case "event" -> events.add(line.name + " " + (line.time - first));
        default -> {
          Line begin = open.isEmpty() ? null : open.get(open.size() - 1);
          if (begin != null && begin.tid == line.tid && begin.name.equals(line.name)) {
            open.remove(open.size() - 1);
            calls.add(line.name + " " + (begin.time - first) + "-" + (line.time - first));
          }
        }
      }
    }
  }
}
