package dev.kymo.recorder.ring;

import dev.kymo.format.CountRecord;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The calls of a recording, read in the plainest way. */
final class RecordedCalls {
  private final int first;
  private final long[] events;
  private final Map<String, CountRecord> counts = new HashMap<>();
  private final List<String> unbalanced = new ArrayList<>();
  private long lost;
  private int running;

  private RecordedCalls(int first, int methods) {
    this.first = first;
    this.events = new long[methods];
  }

  static RecordedCalls of(Path recording, int firstMethod, int methods) throws IOException {
    RecordedCalls calls = new RecordedCalls(firstMethod, methods);
    try (var files = Files.list(recording)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String name = file.getFileName().toString();
        if (name.contains("-ring-")) {
          calls.readRing(name, bytes(file));
        } else if (name.contains("-counts")) {
          calls.readCounts(bytes(file));
        }
      }
    }
    return calls;
  }

  private static ByteBuffer bytes(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void readRing(String name, ByteBuffer bytes) {
    Deque<Integer> stack = new ArrayDeque<>();
    running = 0;
    for (int at = 0; at < bytes.limit(); at += size(bytes, at, PacketLayout.PACKET_SIZE_OFFSET)) {
      switchTo(name, stack, bytes.getInt(at + PacketLayout.THREAD_OFFSET));
      lost = Math.max(lost, bytes.getLong(at + PacketLayout.LOST_OFFSET));
      int end = at + size(bytes, at, PacketLayout.CONTENT_SIZE_OFFSET);
      for (int i = at + PacketLayout.HEADER_SIZE; i < end; i += ThreadRecord.COMPACT_SIZE) {
        long word = bytes.getLong(i);
        int id = ThreadRecord.id(word);
        if (id == ThreadRecord.EXTENDED) {
          id = ThreadRecord.extendedId(word);
          i += ThreadRecord.COMPACT_SIZE;
          word = bytes.getLong(i);
        }
        take(name, stack, id, ThreadRecord.payload(word));
      }
    }
    expectEmpty(name, stack);
  }

  private void take(String name, Deque<Integer> stack, int id, int method) {
    if (id == ThreadRecord.ENTER) {
      stack.push(method);
      events[method - first]++;
    } else if (id == ThreadRecord.SWITCH) {
      switchTo(name, stack, method);
    } else if (stack.isEmpty() || stack.pop() != method) {
      unbalanced.add(name + ": end of " + method);
    }
  }

  private void switchTo(String name, Deque<Integer> stack, int thread) {
    if (thread != running) {
      expectEmpty(name, stack);
      running = thread;
    }
  }

  private void expectEmpty(String name, Deque<Integer> stack) {
    if (!stack.isEmpty()) {
      unbalanced.add(name + ": open " + stack);
      stack.clear();
    }
  }

  private void readCounts(ByteBuffer bytes) {
    for (int at = 0; at < bytes.limit(); at += size(bytes, at, PacketLayout.PACKET_SIZE_OFFSET)) {
      int end = at + size(bytes, at, PacketLayout.CONTENT_SIZE_OFFSET);
      bytes.position(at + PacketLayout.HEADER_SIZE);
      while (bytes.position() < end) {
        int id = bytes.getInt(bytes.position() + 1);
        bytes.position(bytes.position() + CountRecord.HEADER_SIZE);
        CountRecord count = CountRecord.get(bytes, id);
        counts.put(count.thread() + " " + count.method() + " " + count.mode(), count);
      }
    }
  }

  private static int size(ByteBuffer bytes, int packet, int offset) {
    return (int) (bytes.getLong(packet + offset) / Byte.SIZE);
  }

  /** Nanoseconds that a thread spent in a counted method, for all of both. */
  Collection<Long> totals() {
    Map<String, Long> totals = new HashMap<>();
    for (CountRecord count : counts.values()) {
      if (count.mode() != MethodMode.EVENTS) {
        totals.merge(count.thread() + " " + count.method(), spent(count).total(), Long::sum);
      }
    }
    return totals.values();
  }

  /** Nanoseconds that each thread spent in counted methods themselves. */
  Collection<Long> selfs() {
    Map<Integer, Long> selfs = new HashMap<>();
    counts.values().forEach(count -> selfs.merge(count.thread(), spent(count).self(), Long::sum));
    return selfs.values();
  }

  private static CountRecord.Spent spent(CountRecord count) {
    return Objects.requireNonNull(count.spent());
  }

  /** Calls that are events. */
  long events(int method) {
    return events[method];
  }

  /** Calls that were counted. */
  long counted(int method) {
    return counts.values().stream()
        .filter(count -> count.method() == first + method)
        .mapToLong(CountRecord::calls)
        .sum();
  }

  long callsOfTimed() {
    return counts.values().stream()
        .filter(count -> count.mode() == MethodMode.TIMED)
        .mapToLong(CountRecord::calls)
        .sum();
  }

  long timedOfTimed() {
    return counts.values().stream()
        .filter(count -> count.mode() == MethodMode.TIMED)
        .mapToLong(CountRecord::timed)
        .sum();
  }

  /** Ends that fit no enter, and enters without an end. */
  List<String> unbalanced() {
    return unbalanced;
  }

  long lost() {
    return lost;
  }
}
