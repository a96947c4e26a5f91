package dev.kymo.analysis.locks;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Writes a recording of threads that use locks, and reports about it. Threads have the numbers from
 * 1 on and are called {@code t1}, {@code t2}, ...; nanosecond 0 is an event of thread 1.
 */
final class LockRecording {
  private static final String ACQUIRE = "u64 object; u64 caller; i32 result; u64 waited;";
  private static final String RELEASE = "u64 object; u64 caller; i32 result;";
  private static final int FIRST_EVENT = 100;

  final RecordingBuilder builder = new RecordingBuilder();
  private final List<String> events = new ArrayList<>();

  LockRecording(int threads) {
    builder.process(1).define(1, new Definition.Subsystem(1, 9, "pthread", "", ""));
    for (int i = 1; i <= threads; i++) {
      builder.thread(1, i, "t" + i);
    }
    for (String name : List.of("mutex_lock", "mutex_trylock", "mutex_timedlock", "rwlock_rdlock")) {
      event(name, ACQUIRE);
    }
    for (String name : List.of("rwlock_wrlock", "sem_wait", "barrier_wait", "spin_lock")) {
      event(name, ACQUIRE);
    }
    for (String name : List.of("mutex_unlock", "rwlock_unlock", "sem_post", "cond_signal")) {
      event(name, RELEASE);
    }
    event("cond_wait", "u64 object; u64 caller; u64 mutex;");
    event("cond_woken", ACQUIRE + " u64 mutex;");
    event("name", "u64 object; str name;");
    event("exit", "u64 object; u64 caller;");
    builder.method(1, 1, "", "main").method(1, 2, "", "work").method(1, 3, "", "inner");
    ring(1).enter(0, 1).leave(0, 1);
  }

  private void event(String name, String fields) {
    int number = FIRST_EVENT + events.size();
    events.add(name);
    builder.define(1, new Definition.Event(number, 1, number, 0, name, "", fields));
  }

  StreamWriter ring(int thread) {
    return builder.ring(1, thread, thread);
  }

  private LockRecording write(int thread, long at, String event, ByteBuffer data) {
    byte[] bytes = new byte[data.capacity()];
    data.get(0, bytes);
    ring(thread).own(at, FIRST_EVENT + events.indexOf(event), bytes);
    return this;
  }

  private static ByteBuffer data(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A thread has got something, or with a result not; the caller is 0x1000 and the object. */
  LockRecording get(int thread, long at, String event, long object, int result, long waited) {
    ByteBuffer data = data(28).putLong(object).putLong(0x1000 + object).putInt(result);
    return write(thread, at, event, data.putLong(waited));
  }

  LockRecording get(int thread, long at, String event, long object) {
    return get(thread, at, event, object, 0, 0);
  }

  LockRecording lock(int thread, long at, long object, long waited) {
    return get(thread, at, "mutex_lock", object, 0, waited);
  }

  LockRecording lock(int thread, long at, long object) {
    return lock(thread, at, object, 0);
  }

  LockRecording give(int thread, long at, String event, long object) {
    return write(thread, at, event, data(20).putLong(object).putLong(0x2000 + object).putInt(0));
  }

  LockRecording unlock(int thread, long at, long object) {
    return give(thread, at, "mutex_unlock", object);
  }

  LockRecording sleep(int thread, long at, long condition, long mutex) {
    ByteBuffer data = data(24).putLong(condition).putLong(0x3000).putLong(mutex);
    return write(thread, at, "cond_wait", data);
  }

  LockRecording woken(int thread, long at, long condition, int result, long waited, long mutex) {
    ByteBuffer data = data(36).putLong(condition).putLong(0x3000).putInt(result);
    return write(thread, at, "cond_woken", data.putLong(waited).putLong(mutex));
  }

  LockRecording name(int thread, long at, long object, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer data = data(10 + text.length).putLong(object).putShort((short) text.length);
    return write(thread, at, "name", data.put(text));
  }

  /** A thread takes the first lock, then the second one, and gives both back; takes 4 ns. */
  LockRecording nested(int thread, long at, long first, long second) {
    return lock(thread, at, first)
        .lock(thread, at + 1, second)
        .unlock(thread, at + 2, second)
        .unlock(thread, at + 3, first);
  }

  LockReport report(Path folder) throws IOException {
    return report(folder, 0, Long.MAX_VALUE, thread -> true, name -> true);
  }

  LockReport report(
      Path folder, long from, long to, Predicate<ThreadCalls> threads, Predicate<String> objects)
      throws IOException {
    try (Recording open = Recording.open(builder.write(folder.resolve("r")))) {
      LockQuery query = new LockQuery(from, to, threads, objects, 3);
      LockReport report = LockReport.of(open, query, ProgressListener.NONE);
      assert report.oddities().isEmpty();
      return report;
    }
  }

  /**
   * {@code mutex 0x10: 3 acquired, 1 contended, 0 failed, waited 7 max 7, held 9 max 5, 2 threads}
   */
  static List<String> rows(LockReport report) {
    return report.rows().stream()
        .map(row ->
            "%s%s: %d acquired, %d contended, %d failed, waited %d max %d, held %d max %d, %d threads"
                .formatted(
                    row.atLeast() ? "≥" : "",
                    row.label(),
                    row.acquired(),
                    row.contended(),
                    row.failed(),
                    row.waits().total(),
                    row.waits().max(),
                    row.holds().total(),
                    row.holds().max(),
                    row.threads()))
        .toList();
  }

  static String place(LockPlace place) {
    String calls = place.calls().stream().map(m -> m.name()).collect(Collectors.joining(">"));
    return calls + "@" + Long.toHexString(place.caller());
  }

  static List<String> waits(List<LockWait> waits) {
    return waits.stream()
        .map(w ->
            "%s %s at %d: %d%s%s, %s%s by %s"
                .formatted(
                    w.thread().definition().name(),
                    w.object(),
                    w.begin(),
                    w.time(),
                    w.acquired() ? "" : " in vain",
                    w.open() ? " open" : "",
                    place(w.place()),
                    w.holder()
                        .map(h ->
                            ", %s since %d in %s"
                                .formatted(
                                    h.thread().definition().name(), h.since(), place(h.place())))
                        .orElse(""),
                    w.releaser().map(by -> by.name()).orElse("")))
        .toList();
  }

  /** {@code t1 a b 3 4, t2 b a 5 6}: for each step the thread, both objects and both times. */
  static List<String> cycles(LockReport report) {
    return report.cycles().stream()
        .map(cycle ->
            cycle.steps().stream()
                .map(s ->
                    "%s %s %s %d %d%s"
                        .formatted(
                            s.thread().definition().name(),
                            s.held().replaceFirst(".* (0x)?", ""),
                            s.wanted().replaceFirst(".* (0x)?", ""),
                            s.heldAt().time(),
                            s.wantedAt().time(),
                            s.open() ? " open" : ""))
                .collect(Collectors.joining(", ")))
        .toList();
  }
}
