package dev.kymo.server.http;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers that took time, as long as there is room: the least recently used go first. For a
 * recording that has grown since, they are valid for a moment only.
 */
final class FinishedAnswers {
  private static final int MAX_COUNT = 64;
  private static final long MAX_BYTES = 16 << 20;
  private static final long GOOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Map<String, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
  private long bytes;

  private static final class Entry {
    final byte[] answer;
    final long duration;
    final long since = System.nanoTime();

    Entry(byte[] answer, long duration) {
      this.answer = answer;
      this.duration = duration;
    }
  }

  byte @Nullable [] get(String question, long duration) {
    Entry entry = entries.get(question);
    if (entry == null) {
      return null;
    }
    boolean good = entry.duration == duration || System.nanoTime() - entry.since < GOOD_NANOS;
    return good ? entry.answer : null;
  }

  void put(String question, long duration, byte[] answer) {
    remove(entries.remove(question));
    entries.put(question, new Entry(answer, duration));
    bytes += answer.length;
    Iterator<Entry> oldest = entries.values().iterator();
    while (entries.size() > MAX_COUNT || bytes > MAX_BYTES) {
      Entry entry = oldest.next();
      oldest.remove();
      remove(entry);
    }
  }

  private void remove(@Nullable Entry entry) {
    bytes -= entry == null ? 0 : entry.answer.length;
  }
}
