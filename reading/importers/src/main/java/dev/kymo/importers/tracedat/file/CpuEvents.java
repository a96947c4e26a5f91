package dev.kymo.importers.tracedat.file;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one processor in one buffer. Bytes that make no sense end their page.
 *
 * <pre>
 *   a page     u64 time, long (4 or 8 bytes) commit, events
 *   commit     bits 0..26 bytes of events, 30 the number of lost events follows them,
 *              31 events were lost before the page
 *   an event   u32: kind in the low 5 bits and time since the event before it in 27, in a
 *              big-endian file the kind in the high 5 bits
 *      1..28   kind * 4 bytes of data
 *      0       u32 L, L - 4 bytes of data
 *      29      padding: time 0, the page ends; else u32 L, L - 4 bytes
 *      30      u32: the time's further bits
 *      31      u32: the same, of a time that does not count from the last
 * </pre>
 */
final class CpuEvents {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int USED = (1 << 27) - 1;
  private static final int COUNTED = 1 << 30;
  private static final int LOST = 1 << 31;
  private static final int LONGEST_SHORT = 28;
  private static final int PADDING = 29;
  private static final int TIME_EXTEND = 30;
  private static final int DELTA_BITS = 27;
  private static final long ABSOLUTE_MASK = (1L << 59) - 1;

  /** Events of which the kernel did not say how many they are. */
  static final long UNKNOWN = -1;

  final int buffer;
  final int cpu;
  private final Pages pages;
  private final TimeScale scale;
  private final TimeShift shift;
  private final @Nullable List<TimeShift.Sample> samples;
  private final boolean bigEndian;
  private final int longSize;
  private int position;
  private int end;
  private long raw;
  private long clock;
  private int offset;
  private int size;
  private long lost;
  private long damaged = -1;

  CpuEvents(int buffer, int cpu, Pages pages, TraceMetadata data) {
    this.buffer = buffer;
    this.cpu = cpu;
    this.pages = pages;
    this.scale = data.time;
    this.shift = data.shift;
    this.samples = shift.of(cpu);
    this.bigEndian = data.kernel.isBigEndian();
    this.longSize = data.kernel.longSize();
  }

  private int word(byte[] page, int at) {
    int word = (int) INT.get(page, at);
    return bigEndian ? Integer.reverseBytes(word) : word;
  }

  private long large(byte[] page, int at) {
    long value = (long) LONG.get(page, at);
    return bigEndian ? Long.reverseBytes(value) : value;
  }

  /** Goes to the next event; false at the end. */
  boolean next() throws IOException {
    lost = 0;
    while (!nextInPage()) {
      if (!pages.next()) {
        return false;
      }
      begin();
    }
    return true;
  }

  private void begin() {
    byte[] page = pages.bytes();
    int at = pages.at();
    int header = Long.BYTES + longSize;
    position = 0;
    end = 0;
    if (pages.length() < header) {
      damaged = pages.position();
      return;
    }
    raw = large(page, at);
    int commit =
        longSize == Long.BYTES ? (int) large(page, at + Long.BYTES) : word(page, at + Long.BYTES);
    int used = commit & USED;
    if (used > pages.length() - header) {
      damaged = pages.position();
      return;
    }
    position = at + header;
    end = position + used;
    if ((commit & LOST) != 0) {
      boolean counted = (commit & COUNTED) != 0 && end + longSize <= at + pages.length();
      long count =
          !counted ? 0 : longSize == Long.BYTES ? large(page, end) : word(page, end) & 0xFFFFFFFFL;
      lost = count > 0 ? count : UNKNOWN;
    }
  }

  private boolean nextInPage() {
    byte[] page = pages.bytes();
    while (position <= end - Integer.BYTES) {
      int header = word(page, position);
      int kind = bigEndian ? header >>> DELTA_BITS : header & 31;
      int delta = bigEndian ? header & USED : header >>> 5;
      int from = position + Integer.BYTES;
      int length;
      if (kind > 0 && kind <= LONGEST_SHORT) {
        length = kind << 2;
      } else if (kind == PADDING && delta == 0) {
        position = end;
        return false;
      } else if (from > end - Integer.BYTES) {
        break;
      } else {
        long second = word(page, from) & 0xFFFF_FFFFL;
        from += Integer.BYTES;
        if (kind > PADDING) {
          long time = (second << DELTA_BITS) + delta;
          raw = kind == TIME_EXTEND ? raw + time : absolute(time);
          position = from;
          continue;
        }
        if (second < Integer.BYTES || second - Integer.BYTES > end - from) {
          break;
        }
        length = (int) second - Integer.BYTES;
      }
      if (length > end - from) {
        break;
      }
      position = from + length;
      if (kind != PADDING) {
        raw += delta;
        clock = scale.nanos(samples == null ? raw : shift.host(samples, raw));
        offset = from;
        size = length;
        return true;
      }
    }
    if (position != end) {
      damaged = pages.position();
      position = end;
    }
    return false;
  }

  /** The upper bits of a time are as they were, or one more. */
  private long absolute(long low) {
    long time = (low & ABSOLUTE_MASK) | (raw & ~ABSOLUTE_MASK);
    return Long.compareUnsigned(time, raw) < 0 ? time + ABSOLUTE_MASK + 1 : time;
  }

  /** Nanoseconds. */
  long clock() {
    return clock;
  }

  byte[] bytes() {
    return pages.bytes();
  }

  int offset() {
    return offset;
  }

  int size() {
    return size;
  }

  /** Events that are missing right before this one, or {@link #UNKNOWN}. */
  long lost() {
    return lost;
  }

  /** Where a page is that ended with bytes that are no event; -1 = none did. Asked once. */
  long damaged() {
    long where = damaged;
    damaged = -1;
    return where;
  }

  long done() {
    return pages.done();
  }
}
