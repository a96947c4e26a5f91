package dev.kymo.reader;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.ThreadRecord;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a stream that has only extended ones, one after the other. A stream that is
 * followed may have no record now and some later.
 */
abstract class ExtendedStream<T> {
  /** The largest record fits. */
  private static final int WINDOW = 256 << 10;

  private final FileWindow window;
  private final PacketWalker walker;
  private final PacketOrder order;
  private final Diagnostics diagnostics;
  private final int maxSize;
  private final Oddity bad;
  private long offset;
  private long position;
  private long end;
  private long clock;
  private long packets;
  private boolean followed;

  ExtendedStream(
      StreamSource file, StreamRules rules, Diagnostics diagnostics, int maxSize, Oddity bad) {
    this.maxSize = maxSize;
    this.bad = bad;
    this.window = new FileWindow(file, diagnostics, () -> WINDOW);
    this.walker = new PacketWalker(window, rules.uuid(), diagnostics, 0);
    this.order = new PacketOrder(rules, file.name(), diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * Reads the fields of a record; the buffer is positioned after the header.
   *
   * @throws BufferUnderflowException if the buffer ends before the record does
   * @throws IllegalArgumentException if it is not a record
   */
  abstract T get(ByteBuffer from, int id);

  /** The next record, or null at the end. */
  public @Nullable T next() {
    while (true) {
      if (position >= end) {
        PacketHeader header = nextPacket();
        if (header == null) {
          window.release();
          return null;
        }
        order.check(header, clock, walker.damageBefore());
        offset = header.offset();
        position = offset + PacketLayout.HEADER_SIZE;
        end = walker.contentEnd();
        clock = Math.max(clock, order.begin());
        packets++;
      } else {
        T record = decode();
        if (record != null) {
          return record;
        }
      }
    }
  }

  /** Ends where the last whole packet ends now, and can continue there. */
  void follow() {
    followed = true;
  }

  /** The stream is complete: what cannot be read from now on is odd. */
  void complete() {
    followed = false;
    window.discard();
  }

  private @Nullable PacketHeader nextPacket() {
    if (!followed) {
      return walker.next();
    }
    PacketHeader whole = walker.peekWhole();
    if (whole != null) {
      walker.take(whole);
    }
    return whole;
  }

  /** Process whose record was read last. */
  public int process() {
    return order.process();
  }

  /** Clock of the record read last. */
  public long clock() {
    return clock;
  }

  /** Where in the file the packet is that was read last. */
  long offset() {
    return offset;
  }

  public long packets() {
    return packets;
  }

  private @Nullable T decode() {
    long at = position;
    int size = (int) Math.min(end - at, maxSize);
    window.require(at, size);
    ByteBuffer buffer = window.buffer();
    int index = window.index(at);
    buffer.limit(Math.min(index + size, window.length())).position(index);
    try {
      int marker = buffer.get() & 0xFF;
      int id = buffer.getInt();
      if (marker != ThreadRecord.EXTENDED) {
        throw new IllegalArgumentException("no extended header");
      }
      long then = buffer.getLong();
      T record = get(buffer, id);
      position = at + buffer.position() - index;
      advanceClock(then, at);
      return record;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      odd(at, e);
      position = end;
      return null;
    } finally {
      buffer.clear();
    }
  }

  private void advanceClock(long then, long at) {
    if (then < clock || then > order.end()) {
      long now = clock;
      diagnostics.add(
          Oddity.CLOCK_OUTSIDE,
          window.file().name(),
          at,
          () -> "clock=%d before=%d packet_end=%d".formatted(then, now, order.end()));
    } else {
      clock = then;
    }
  }

  private void odd(long at, RuntimeException e) {
    String why = e instanceof BufferUnderflowException ? "it ends too early" : e.getMessage();
    long rest = end - at;
    diagnostics.add(
        bad, window.file().name(), at, () -> "bytes=%d reason=\"%s\"".formatted(rest, why));
  }
}
