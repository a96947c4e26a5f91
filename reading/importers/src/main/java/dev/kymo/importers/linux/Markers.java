package dev.kymo.importers.linux;

import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Texts that programs write into the kernel's trace, and Android's marks of calls, counters and
 * things that overlap.
 *
 * <pre>
 *   B|pid|name                E|pid                 a call begins, the innermost ends
 *   S|pid|name|cookie         F|pid|name|cookie     something begins and ends, on any thread
 *   G|pid|row|name|cookie     H|pid|row|name|cookie the same on a row of its own
 *   C|pid|name|value          I|pid|name            a counter; something happens
 *   N|pid|row|name                                  something happens on a row
 * </pre>
 */
public final class Markers {
  /** What a text became, as the import's tally has it. */
  public enum Became {
    CALLS("calls"),
    COUNTERS("counters"),
    EVENTS("events");

    private final String plural;

    Became(String plural) {
      this.plural = plural;
    }

    @Override
    public String toString() {
      return plural;
    }
  }

  /** Rows of things that overlap, in one process. */
  private static final int MOST_ROWS = 1_000;

  private static final List<EventFields.Field> TEXT = List.of(Fields.of(FieldType.STR, "text"));
  private static final List<EventFields.Field> COOKIE = List.of(Fields.of(FieldType.STR, "cookie"));
  private static final List<EventFields.Field> VALUE = List.of(Fields.of(FieldType.I64, "value"));

  private final ThreadTracks tracks;
  private final Map<Key, TargetTrack> rows = new HashMap<>();
  private final Map<Key, TargetTrack> running = new HashMap<>();
  private final Map<TargetTrack, Boolean> busy = new HashMap<>();

  private record Key(TargetProcess process, String name, String cookie) {}

  /** Who writes. */
  public record Writer(int cpu, int tid, int pid, String name) {}

  public Markers(Target target) {
    this.tracks = new ThreadTracks(target, "markers");
  }

  /** Takes a text as a thread has written it. */
  public Became text(long clock, Writer by, String text) throws IOException {
    String line = text.strip();
    boolean mark =
        line.length() >= 2
            ? line.charAt(1) == '|' && "BESFGHCIN".indexOf(line.charAt(0)) >= 0
            : line.equals("E");
    Became became = mark ? mark(clock, by, line.split("\\|", -1)) : null;
    if (became == null) {
      TargetTrack track = tracks.thread(by.cpu, by.tid, by.pid, by.name);
      track.event(clock, track.process().event("ftrace", "print", EventKind.INSTANT, TEXT), line);
      return Became.EVENTS;
    }
    return became;
  }

  private @Nullable Became mark(long clock, Writer by, String... part) throws IOException {
    int pid = part.length > 1 ? pid(part[1]) : 0;
    char kind = part[0].charAt(0);
    if (part.length < least(kind) || (pid < 0 && kind != 'E')) {
      return null;
    }
    TargetTrack track = tracks.thread(by.cpu, by.tid, Math.max(pid, 0), by.name);
    TargetProcess process = pid > 0 ? tracks.process(pid, by.name) : track.process();
    switch (kind) {
      case 'B' -> track.enter(clock, track.process().function(part[2]));
      case 'E' -> track.leave(clock);
      case 'S' -> begin(clock, process, part[2], part[2], part[3]);
      case 'F' -> finish(clock, process, part[2], part[3]);
      case 'G' -> begin(clock, process, part[2], part[3], part[4]);
      case 'H' ->
          finish(clock, process, part[3].isEmpty() ? part[2] : part[3], part[part.length - 1]);
      case 'C' -> {
        return count(clock, process, part[2], part[3]);
      }
      case 'I' -> {
        track.event(clock, track.process().event("mark", part[2], EventKind.INSTANT, List.of()));
        return Became.EVENTS;
      }
      default -> {
        row(process, part[2])
            .event(clock, process.event("mark", part[3], EventKind.INSTANT, List.of()));
        return Became.EVENTS;
      }
    }
    return Became.CALLS;
  }

  /** Parts that a mark needs. */
  private static int least(char kind) {
    return switch (kind) {
      case 'E' -> 1;
      case 'B', 'I' -> 3;
      case 'G' -> 5;
      default -> 4;
    };
  }

  private static int pid(String text) {
    if (text.isEmpty() || text.length() > 9) {
      return -1;
    }
    int pid = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return -1;
      }
      pid = pid * 10 + text.charAt(i) - '0';
    }
    return pid;
  }

  private TargetTrack row(TargetProcess process, String name) throws IOException {
    Key key = new Key(process, name, "");
    TargetTrack known = rows.get(key);
    if (known == null) {
      known = process.track(name);
      rows.put(key, known);
    }
    return known;
  }

  /** Something begins on the first free row of this name. */
  private void begin(long clock, TargetProcess process, String rowName, String name, String cookie)
      throws IOException {
    TargetTrack row = row(process, rowName);
    for (int i = 2; busy.containsKey(row) && i < MOST_ROWS; i++) {
      row = row(process, rowName + " " + i);
    }
    busy.put(row, true);
    running.put(new Key(process, name, cookie), row);
    row.begin(clock, process.event("mark", name, EventKind.BEGIN, COOKIE), cookie);
  }

  private void finish(long clock, TargetProcess process, String name, String cookie)
      throws IOException {
    TargetTrack row = running.remove(new Key(process, name, cookie));
    if (row == null) {
      row(process, name).leave(clock);
    } else {
      busy.remove(row);
      row.leave(clock);
    }
  }

  private @Nullable Became count(long clock, TargetProcess process, String name, String value)
      throws IOException {
    try {
      long number = Long.parseLong(value.strip());
      row(process, "counters")
          .event(clock, process.event("counter", name, EventKind.COUNTER, VALUE), number);
      return Became.COUNTERS;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
