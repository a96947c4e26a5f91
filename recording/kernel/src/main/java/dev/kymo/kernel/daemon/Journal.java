package dev.kymo.kernel.daemon;

import java.util.Arrays;

/**
 * Keeps events in their order until it is certain what users may see of them. Used by one thread.
 *
 * <pre>
 *   0       4           8      12      16      24
 *   +-------+-----------+------+-------+-------+---- - - -
 *   | event | processor | size |       | clock | bytes, up to the next multiple of 8
 *   +-------+-----------+------+-------+-------+---- - - -
 * </pre>
 */
final class Journal {
  /** Stands in place of an event's number for something that is to be done between events. */
  static final int MARK = -1;

  private static final int PROCESSOR = 4;
  private static final int SIZE = 8;
  private static final int CLOCK = 16;
  private static final int HEADER = 24;
  private static final int FIRST_CAPACITY = 64 * 1024;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int head;
  private int tail;

  boolean isEmpty() {
    return head == tail;
  }

  void add(int event, int cpu, long clock, byte[] from, int offset, int size) {
    int whole = HEADER + ((size + 7) & -8);
    if (tail + whole > bytes.length) {
      makeRoom(whole);
    }
    Bytes.i32(bytes, tail, event);
    Bytes.i32(bytes, tail + PROCESSOR, cpu);
    Bytes.i32(bytes, tail + SIZE, size);
    Bytes.i64(bytes, tail + CLOCK, clock);
    System.arraycopy(from, offset, bytes, tail + HEADER, size);
    tail += whole;
  }

  private void makeRoom(int more) {
    int used = tail - head;
    byte[] to = bytes;
    if (used + more > bytes.length / 2) {
      to = new byte[Math.max(bytes.length * 2, used + more)];
    }
    System.arraycopy(bytes, head, to, 0, used);
    bytes = to;
    head = 0;
    tail = used;
  }

  /** Number of the first event, or {@link #MARK}. */
  int event() {
    return Bytes.i32(bytes, head);
  }

  int cpu() {
    return Bytes.i32(bytes, head + PROCESSOR);
  }

  int size() {
    return Bytes.i32(bytes, head + SIZE);
  }

  long clock() {
    return Bytes.i64(bytes, head + CLOCK);
  }

  /** Where the first event's bytes are in {@link #bytes()}. */
  int at() {
    return head + HEADER;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Removes the first event. */
  void next() {
    head += HEADER + ((size() + 7) & -8);
    if (head == tail) {
      head = 0;
      tail = 0;
      if (bytes.length > FIRST_CAPACITY * 256) {
        bytes = Arrays.copyOf(bytes, FIRST_CAPACITY);
      }
    }
  }
}
