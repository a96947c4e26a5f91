package dev.kymo.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Puts the records of a {@link StreamClass#THREADS} stream into memory: {@link ThreadRecord} draws
 * the bytes. Only the fast path of a ring has code of its own for compact records.
 *
 * <p>Each method takes the place of the first byte and returns the place after the last one. What
 * the place of a record's word depends on, the high half of the clock of the record before, is kept
 * by the caller.
 */
public final class RecordEncoder {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private RecordEncoder() {}

  /** The half of a clock that compact records do not have. */
  public static int high(long clock) {
    return (int) (clock >>> 32);
  }

  /**
   * A record, or the word that an event's data or a state's detail follow: compact where it can be,
   * else extended.
   *
   * @param high {@link #high} of the record before, or of the packet's begin
   */
  public static int word(ByteBuffer to, int at, int high, int id, long clock, int payload) {
    if (high(clock) == high && id < ThreadRecord.EXTENDED) {
      LONG.set(to, at, ThreadRecord.compact(id, clock, payload));
      return at + ThreadRecord.COMPACT_SIZE;
    }
    LONG.set(to, at, ThreadRecord.extendedFirst(id, clock));
    LONG.set(to, at + 8, ThreadRecord.extendedSecond(clock, payload));
    return at + ThreadRecord.EXTENDED_SIZE;
  }

  /** What follows the word of an {@link ThreadRecord#EVENT} or a {@link ThreadRecord#DETAIL}. */
  public static int argument(ByteBuffer to, int at, long argument) {
    LONG.set(to, at, argument);
    return at + ThreadRecord.ARGUMENT_SIZE;
  }

  /**
   * What follows the word of an {@link ThreadRecord#EVENT_DATA}.
   *
   * @param length bytes of the data, which are the first in the array
   */
  public static int data(ByteBuffer to, int at, byte[] data, int length) {
    LONG.set(to, at, ThreadRecord.dataHeader(length));
    int begin = at + ThreadRecord.DATA_HEADER_SIZE;
    int size = ThreadRecord.dataSize(length);
    if (size > 0) {
      LONG.set(to, begin + size - Long.BYTES, 0L);
    }
    to.put(begin, data, 0, length);
    return begin + size;
  }
}
