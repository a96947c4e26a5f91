package dev.kymo.importers.jfr;

import dev.kymo.importers.jfr.reader.JfrField;
import dev.kymo.importers.jfr.reader.JfrType;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tracks of threads. A chunk has a key for each thread, which other chunks do not know. */
final class Threads {
  private final TargetProcess process;
  private final Map<Identity, Tracks> all = new HashMap<>();
  private final Map<Long, Tracks> ofChunk = new HashMap<>();

  private record Identity(long javaId, long tid, String name) {}

  /** A thread's track, and that of its states, which is made when it is needed. */
  static final class Tracks {
    private final TargetTrack track;
    private final long javaId;
    private final int tid;
    private final String name;
    private @Nullable TargetTrack states;

    Tracks(TargetTrack track, long javaId, int tid, String name) {
      this.track = track;
      this.javaId = javaId;
      this.tid = tid;
      this.name = name;
    }

    TargetTrack track() {
      return track;
    }

    TargetTrack states() throws IOException {
      TargetTrack known = states;
      if (known == null) {
        known = track.process().states(javaId, tid, name);
        states = known;
      }
      return known;
    }
  }

  Threads(TargetProcess process) {
    this.process = process;
  }

  /** Keys mean other threads from now on. */
  void nextChunk() {
    ofChunk.clear();
  }

  /** The thread that a field has; null if it has none. */
  @Nullable Tracks of(JfrField field, @Nullable Object value, Names names) throws IOException {
    if (!(value instanceof Long key)) {
      return value instanceof Object[] thread ? make(field.type(), thread, names) : null;
    }
    Tracks known = ofChunk.get(key);
    if (known == null && names.follow(field, value) instanceof Object[] thread) {
      known = make(field.type(), thread, names);
      ofChunk.put(key, known);
    }
    return known;
  }

  private Tracks make(JfrType type, Object[] thread, Names names) throws IOException {
    long javaId = number(type, thread, "javaThreadId");
    long tid = number(type, thread, "osThreadId");
    boolean virtual = Boolean.TRUE.equals(type.get(thread, "virtual"));
    String javaName = names.text(type, thread, "javaName");
    String name = javaName.isEmpty() ? names.text(type, thread, "osName") : javaName;
    Identity identity =
        javaId > 0 ? new Identity(javaId, 0, "") : new Identity(0, tid, tid == 0 ? name : "");
    Tracks known = all.get(identity);
    if (known == null) {
      int number = virtual ? 0 : (int) tid;
      TargetTrack track =
          javaId > 0
              ? process.javaThread(javaId, virtual, number, name)
              : process.thread(number, name);
      known = new Tracks(track, javaId, number, name);
      all.put(identity, known);
    }
    return known;
  }

  private static long number(JfrType type, Object[] thread, String field) {
    return type.get(thread, field) instanceof Long number ? number : 0;
  }
}
