package dev.kymo.importers.uftrace;

import dev.kymo.importers.uftrace.data.PerfRecords;
import dev.kymo.importers.uftrace.data.TaskRecords;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a directory that have records.
 *
 * @param tasks by the number of the task
 * @param perf by the number of the processor
 * @param kernel bytes of the kernel's own traces
 * @param first time of the first record
 * @param bytes of tasks and perf
 */
record DataFiles(
    SortedMap<Integer, Path> tasks,
    SortedMap<Integer, Path> perf,
    long kernel,
    long external,
    long first,
    long bytes) {
  private static final Pattern TASK = Pattern.compile("(\\d{1,9})\\.dat");
  private static final Pattern PERF = Pattern.compile("perf-cpu(\\d{1,4})\\.dat");

  static DataFiles of(Path directory, ByteOrder order) throws IOException {
    SortedMap<Integer, Path> tasks = new TreeMap<>();
    SortedMap<Integer, Path> perf = new TreeMap<>();
    long kernel = 0;
    long external = 0;
    long bytes = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = String.valueOf(file.getFileName());
        Matcher task = TASK.matcher(name);
        Matcher processor = PERF.matcher(name);
        if (task.matches()) {
          tasks.put(Integer.parseInt(task.group(1)), file);
          bytes += Files.size(file);
        } else if (processor.matches()) {
          perf.put(Integer.parseInt(processor.group(1)), file);
          bytes += Files.size(file);
        } else if (name.startsWith("kernel-cpu")) {
          kernel += Files.size(file);
        } else if (name.equals("extern.dat")) {
          external += Files.size(file);
        }
      }
    }
    return new DataFiles(tasks, perf, kernel, external, first(tasks, perf, order), bytes);
  }

  private static long first(
      SortedMap<Integer, Path> tasks, SortedMap<Integer, Path> perf, ByteOrder order)
      throws IOException {
    long first = Long.MAX_VALUE;
    for (Path file : tasks.values()) {
      try (TaskRecords records = new TaskRecords(file, order)) {
        first = records.advance() ? Math.min(first, records.time()) : first;
      }
    }
    for (Path file : perf.values()) {
      try (PerfRecords records = new PerfRecords(file, order)) {
        first = records.advance() ? Math.min(first, records.time()) : first;
      }
    }
    return first == Long.MAX_VALUE ? 0 : first;
  }
}
