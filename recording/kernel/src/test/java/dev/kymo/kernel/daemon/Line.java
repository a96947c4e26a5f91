package dev.kymo.kernel.daemon;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An event that a client was given: its fields as text. */
record Line(String name, Map<String, String> fields) {
  static Line of(String text) {
    String[] parts = text.split("\t");
    Map<String, String> fields = new HashMap<>();
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      int equals = part.indexOf('=');
      fields.put(part.substring(0, Math.max(0, equals)), part.substring(equals + 1));
    }
    return new Line(parts[0], fields);
  }

  boolean is(String event, String field, Object value) {
    return name.equals(event) && String.valueOf(value).equals(fields.get(field));
  }

  /** What a user's client gets while it runs a command. */
  static List<Line> watch(Daemons.Served daemon, String services, String command)
      throws IOException, InterruptedException {
    Process client =
        Daemons.run(
            Daemons.NOBODY, ClientProgram.class, daemon.socket.toString(), services, command);
    try (BufferedReader lines = client.inputReader()) {
      Daemons.linesUpTo("started", lines);
      return Daemons.linesUpTo("end", lines).stream().map(Line::of).toList();
    } finally {
      client.waitFor();
    }
  }

  static long count(List<Line> lines, String event, Object thread) {
    return lines.stream().filter(line -> line.is(event, "thread", thread)).count();
  }

  /** The process that ran a program, told from its exec event; empty if there is none. */
  static String runner(List<Line> lines, Path program) {
    return lines.stream()
        .filter(line -> line.is("sched_process_exec", "filename", program))
        .map(line -> line.fields.get("pid"))
        .findFirst()
        .orElse("");
  }
}
