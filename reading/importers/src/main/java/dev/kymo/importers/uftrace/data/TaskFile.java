package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tasks, programs and libraries that {@code task.txt} tells of, a line each:
 *
 * <pre>
 * SESS timestamp=1.000000000 pid=7 sid=0123456789abcdef exename="/bin/x"
 * TASK timestamp=1.000000000 tid=8 pid=7
 * FORK timestamp=1.000000000 pid=9 ppid=7
 * DLOP timestamp=1.000000000 tid=7 sid=0123456789abcdef base=7f00 libname="/lib/y"
 * </pre>
 */
public final class TaskFile {
  private static final Pattern FIELD = Pattern.compile("(\\w{1,20})=(\"[^\"]*\"|\\S+)");
  private static final int MOST_LINES = 2_000_000;

  private final Map<Integer, Integer> processes = new HashMap<>();
  private final Map<Integer, Integer> parents = new HashMap<>();
  private final Map<Integer, List<Session>> sessions = new HashMap<>();
  private final List<Library> libraries = new ArrayList<>();
  private int strange;

  /** A program that a process executes from a time on. */
  public record Session(long time, int pid, String id, String program) {}

  /** A library that was loaded later. */
  public record Library(long time, String session, long base, String path) {}

  /** Reads a file; what is not understood in it is counted. */
  public static TaskFile read(Path file) throws IOException {
    TaskFile tasks = new TaskFile();
    if (Files.exists(file)) {
      TextLines.each(file, MOST_LINES, tasks::line);
    }
    return tasks;
  }

  private void line(String line) {
    Map<String, String> fields = new HashMap<>();
    Matcher matcher = FIELD.matcher(line);
    while (matcher.find()) {
      fields.put(matcher.group(1), unquoted(matcher.group(2)));
    }
    try {
      add(line, fields);
    } catch (IllegalArgumentException e) {
      strange++;
    }
  }

  private static String unquoted(String text) {
    return text.length() > 1 && text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
  }

  private void add(String line, Map<String, String> fields) {
    long time = Times.nanos(get(fields, "timestamp"));
    if (line.startsWith("SESS")) {
      int pid = Integer.parseInt(fields.getOrDefault("pid", fields.getOrDefault("tid", "")));
      Session session = new Session(time, pid, get(fields, "sid"), get(fields, "exename"));
      sessions.computeIfAbsent(pid, none -> new ArrayList<>()).add(session);
    } else if (line.startsWith("TASK")) {
      processes.put(Integer.parseInt(get(fields, "tid")), Integer.parseInt(get(fields, "pid")));
    } else if (line.startsWith("FORK")) {
      int pid = Integer.parseInt(get(fields, "pid"));
      processes.put(pid, pid);
      parents.put(pid, Integer.parseInt(get(fields, "ppid")));
    } else if (line.startsWith("DLOP")) {
      long base = Long.parseUnsignedLong(get(fields, "base"), 16);
      libraries.add(new Library(time, get(fields, "sid"), base, get(fields, "libname")));
    } else {
      strange++;
    }
  }

  private static String get(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no such field: name=" + name);
    }
    return value;
  }

  /** Number of lines that are none of these. */
  public int strange() {
    return strange;
  }

  /** The process of a task; its own number if it is not known. */
  public int process(int tid) {
    return processes.getOrDefault(tid, tid);
  }

  /** The process that a process is a copy of; 0 if it is none. */
  public int parent(int pid) {
    return parents.getOrDefault(pid, 0);
  }

  /** What a process executes at a time; null if that is not known. */
  public @Nullable Session session(int pid, long time) {
    Session found = null;
    int process = pid;
    for (int i = 0; i < 1000 && found == null && process != 0; i++) {
      List<Session> all = sessions.getOrDefault(process, List.of());
      for (Session session : all) {
        if (session.time <= time || found == null) {
          found = session;
        }
      }
      process = parent(process);
    }
    return found;
  }

  /** Libraries that were loaded in a session, by time. */
  public List<Library> libraries(String session) {
    return libraries.stream().filter(library -> library.session.equals(session)).toList();
  }
}
