package dev.kymo.cli.print;

import dev.kymo.cli.terminal.Printable;
import dev.kymo.format.Definition;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file for each process or each thread. No file is kept open, as there may be more than a process
 * may open: lines are collected, and appended when there are enough of them.
 */
final class SplitOutput implements EventOutput {
  private static final int MOST_OF_ONE = 64 << 10;
  private static final int MOST_OF_ALL = 16 << 20;
  private static final int MAX_FILES = 1 << 18;
  private static final int MAX_NAME = 64;

  private final Path directory;
  private final PrintOptions.Split by;
  private final LineFormat format;
  private final Map<Integer, String> commands = new HashMap<>();
  private final Map<Key, Part> parts = new HashMap<>();
  private @Nullable Part current;
  private long gathered;
  private long events;

  /**
   * What gets a separate file; the name distinguishes processors from each other and from the
   * process.
   */
  private record Key(int process, int thread, String name) {}

  /** A file, and the lines that are not in it yet. */
  private static final class Part {
    private final Key key;
    private final Path file;
    private StringBuilder lines = new StringBuilder();
    private long before = LineFormat.NONE;

    Part(Key key, Path file) {
      this.key = key;
      this.file = file;
    }
  }

  SplitOutput(
      Path directory, PrintOptions.Split by, LineFormat format, List<TracedProcess> processes) {
    this.directory = directory;
    this.by = by;
    this.format = format;
    processes.forEach(process -> commands.put(process.process(), process.command()));
  }

  @Override
  public void write(PrintedEvent event) throws IOException {
    Part part = part(event.process(), event.thread());
    int length = part.lines.length();
    format.append(event, part.before, part.lines);
    part.before = event.time();
    gathered += part.lines.length() - length;
    events++;
    if (part.lines.length() >= MOST_OF_ONE) {
      flush(part);
    }
    if (gathered >= MOST_OF_ALL) {
      flushAll();
    }
  }

  @Override
  public void end() throws IOException {
    flushAll();
  }

  /** How much there is, in words. */
  String written() {
    return "%d events in %d files".formatted(events, parts.size());
  }

  private Part part(int process, Definition.TracedThread thread) {
    Part same = current;
    boolean threads = by == PrintOptions.Split.thread;
    if (same != null
        && same.key.process == process
        && (!threads
            || (same.key.thread == thread.thread() && same.key.name.equals(thread.name())))) {
      return same;
    }
    Key key =
        threads
            ? new Key(process, thread.thread(), thread.name())
            : new Key(process, 0, commands.getOrDefault(process, ""));
    Part found = parts.computeIfAbsent(key, this::newPart);
    current = found;
    return found;
  }

  private Part newPart(Key key) {
    if (parts.size() >= MAX_FILES) {
      throw new UsageException(
          "too many threads for a file each: most=%d; choose with --thread, or --split process"
              .formatted(MAX_FILES));
    }
    String numbers =
        by == PrintOptions.Split.thread ? key.process + "-" + key.thread : "" + key.process;
    String safe = key.name.replaceAll("[^A-Za-z0-9._-]+", "_");
    String name = safe.substring(0, Math.min(safe.length(), MAX_NAME));
    String file = numbers + (name.isEmpty() ? "" : "-" + name) + format.ending();
    Part part = new Part(key, directory.resolve(file));
    part.lines.append(format.head());
    gathered += part.lines.length();
    return part;
  }

  private void flushAll() throws IOException {
    for (Part part : parts.values()) {
      flush(part);
    }
    gathered = 0;
  }

  private void flush(Part part) throws IOException {
    if (!part.lines.isEmpty()) {
      gathered -= part.lines.length();
      append(part.file, Printable.lines(part.lines).toString());
      part.lines = new StringBuilder(); // most of thousands of threads have ended
    }
  }

  private static void append(Path file, String lines) throws IOException {
    try {
      Files.write(
          file,
          lines.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new IOException(
          "lines cannot be written: file=%s error=\"%s\"".formatted(file, e.getMessage()), e);
    }
  }
}
