package dev.kymo.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the events in pages of the kernel's ring buffer. It takes any bytes: bytes that make no
 * sense end the page, and {@link #malformed()} says so.
 *
 * <pre>
 *   an event in a page: u32 at +0, low 5 bits its kind, high 27 bits the clock's delta
 *      1..28  kind * 4 bytes of data at +4
 *      0      u32 L at +4, L - 4 bytes of data at +8, next event at +4 + L
 *      29     padding: delta 0, the rest of the page is empty; else u32 L at +4, next at +4 + L,
 *             and the delta does not count
 *      30     clock += u32 at +4 &lt;&lt; 27 | delta
 *      31     clock  = u32 at +4 &lt;&lt; 27 | delta, 59 bits; the upper 5 as they were before
 * </pre>
 *
 * <p>Not thread-safe.
 */
public final class PageDecoder {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SIZE_MASK = (1 << 30) - 1;
  private static final int COUNT_FOLLOWS = 1 << 30;
  private static final int LOST = 1 << 31;
  private static final int LARGEST_SHORT = 28;
  private static final int PADDING = 29;
  private static final int TIME_EXTEND = 30;
  private static final int DELTA_BITS = 27;
  private static final int ABSOLUTE_BITS = 59;
  private static final byte[] NOTHING = {};

  /** Value of {@link #lost()} if the kernel did not say how many. */
  public static final long UNKNOWN = -1;

  private final PageLayout layout;
  private byte[] bytes = NOTHING;
  private int position;
  private int end;
  private long clock;
  private int offset;
  private int size;
  private long lost;
  private boolean malformed;

  public PageDecoder(PageLayout layout) {
    this.layout = layout;
  }

  /** Clock at which a page begins; no event in it has a lower clock. */
  static long firstClock(PageLayout layout, byte[] page) {
    return (long) LONG.get(page, layout.timestamp());
  }

  /** Begins a page, which is all of {@code page}. */
  public void begin(byte[] page) {
    bytes = page;
    position = 0;
    end = 0;
    lost = 0;
    malformed = page.length < layout.data();
    if (malformed) {
      return;
    }
    clock = (long) LONG.get(page, layout.timestamp());
    int commit = (int) INT.get(page, layout.commit());
    int used = commit & SIZE_MASK;
    if (used > layout.dataSize() || used > page.length - layout.data()) {
      malformed = true;
      return;
    }
    position = layout.data();
    end = position + used;
    if ((commit & LOST) != 0) {
      boolean counted = (commit & COUNT_FOLLOWS) != 0 && end <= page.length - Long.BYTES;
      long count = counted ? (long) LONG.get(page, end) : 0;
      lost = count > 0 ? count : UNKNOWN;
    }
  }

  /** Goes to the next event; false at the end of the page. */
  public boolean next() {
    byte[] page = bytes;
    int last = end - Integer.BYTES;
    int at = position;
    while (at <= last) {
      int header = (int) INT.get(page, at);
      int kind = header & 31;
      if (Integer.compareUnsigned(kind - 1, LARGEST_SHORT) < 0) {
        int length = kind << 2;
        int next = at + Integer.BYTES + length;
        if (next > end) {
          break;
        }
        clock += header >>> 5;
        offset = at + Integer.BYTES;
        size = length;
        position = next;
        return true;
      }
      if (at > last - Integer.BYTES && (kind != PADDING || header >>> 5 != 0)) {
        break;
      }
      int next = special(header, at);
      if (next < 0) {
        break;
      }
      at = next;
      if (kind == 0) {
        position = at;
        return true;
      }
    }
    malformed |= at != end;
    position = end;
    return false;
  }

  /**
   * Takes an item that is not a short event; returns where the next item is, or -1 if there is
   * none.
   */
  private int special(int header, int at) {
    int kind = header & 31;
    int delta = header >>> 5;
    if (kind == PADDING && delta == 0) {
      return end;
    }
    int word = (int) INT.get(bytes, at + Integer.BYTES);
    if (kind > PADDING) {
      long time = ((word & 0xFFFF_FFFFL) << DELTA_BITS) + delta;
      clock = kind == TIME_EXTEND ? clock + time : absolute(time);
      return at + 2 * Integer.BYTES;
    }
    if (word < Integer.BYTES || word > end - at - Integer.BYTES) {
      return -1;
    }
    if (kind == 0) {
      clock += delta;
      offset = at + 2 * Integer.BYTES;
      size = word - Integer.BYTES;
    }
    return at + Integer.BYTES + word;
  }

  /** A page has only the lower 59 bits: the upper bits are as before, or one more. */
  private long absolute(long low) {
    long time = (low & (1L << ABSOLUTE_BITS) - 1) | (clock & -1L << ABSOLUTE_BITS);
    return Long.compareUnsigned(time, clock) < 0 ? time + (1L << ABSOLUTE_BITS) : time;
  }

  public long clock() {
    return clock;
  }

  /** Where the event's bytes begin in the page. */
  public int offset() {
    return offset;
  }

  /** Size of the event in bytes; a multiple of four, because the kernel rounds it up. */
  public int size() {
    return size;
  }

  /** Events that are missing right before this page, or {@link #UNKNOWN}. */
  public long lost() {
    return lost;
  }

  /** Whether the page ended with bytes that are not an event; what came after them is missing. */
  public boolean malformed() {
    return malformed;
  }
}
