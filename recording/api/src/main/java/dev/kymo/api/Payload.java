package dev.kymo.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The data of one event, field by field in the order of its definition; the thread's next event
 * uses it again, so that recording makes no garbage. Do not keep it.
 */
public final class Payload {
  /** Maximum size of an event in bytes. */
  public static final int MAX = 64 * 1024;

  /** Maximum size of a text or of bytes, so that one of them always fits with its length. */
  private static final int MAX_TEXT = MAX - 2;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final ThreadLocal<Payload> OF_THREAD = ThreadLocal.withInitial(Payload::new);

  private byte[] bytes = new byte[256];
  private int length;
  private int event;

  private Payload() {}

  static Payload of(int event) {
    Payload payload = OF_THREAD.get();
    payload.event = event;
    payload.length = 0;
    return payload;
  }

  private int room(int size) {
    int at = length;
    if (bytes.length - at < size) {
      bytes = Arrays.copyOf(bytes, Math.max(at + size, bytes.length * 2));
    }
    length = at + size;
    return at;
  }

  public Payload u8(long value) {
    int at = room(1);
    bytes[at] = (byte) value;
    return this;
  }

  public Payload u16(long value) {
    int at = room(2);
    SHORT.set(bytes, at, (short) value);
    return this;
  }

  public Payload u32(long value) {
    int at = room(4);
    INT.set(bytes, at, (int) value);
    return this;
  }

  public Payload u64(long value) {
    int at = room(8);
    LONG.set(bytes, at, value);
    return this;
  }

  public Payload i8(long value) {
    return u8(value);
  }

  public Payload i16(long value) {
    return u16(value);
  }

  public Payload i32(long value) {
    return u32(value);
  }

  public Payload i64(long value) {
    return u64(value);
  }

  public Payload f32(float value) {
    return u32(Float.floatToRawIntBits(value));
  }

  public Payload f64(double value) {
    return u64(Double.doubleToRawLongBits(value));
  }

  public Payload bool(boolean value) {
    return u8(value ? 1 : 0);
  }

  /** Appends bytes, at most the first 65534. {@code null} stands for no bytes. */
  public Payload bytes(byte @Nullable [] value) {
    int size = value == null ? 0 : Math.min(MAX_TEXT, value.length);
    u16(size);
    int at = room(size);
    if (value != null) {
      System.arraycopy(value, 0, bytes, at, size);
    }
    return this;
  }

  /**
   * Appends a text as UTF-8, at most its first 65534 bytes. {@code null} stands for an empty text.
   */
  public Payload str(@Nullable String value) {
    String text = value == null ? "" : value;
    int begin = room(2);
    int end = text.length();
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        int at = room(1);
        bytes[at] = (byte) c;
      } else if (c < 0x800) {
        int at = room(2);
        bytes[at] = (byte) (0xC0 | c >> 6);
        bytes[at + 1] = (byte) (0x80 | (c & 0x3F));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < end
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        four(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        three(Character.isSurrogate(c) ? 0xFFFD : c);
      }
    }
    cut(begin + 2);
    SHORT.set(bytes, begin, (short) (length - begin - 2));
    return this;
  }

  private void three(int c) {
    int at = room(3);
    bytes[at] = (byte) (0xE0 | c >> 12);
    bytes[at + 1] = (byte) (0x80 | (c >> 6 & 0x3F));
    bytes[at + 2] = (byte) (0x80 | (c & 0x3F));
  }

  private void four(int c) {
    int at = room(4);
    bytes[at] = (byte) (0xF0 | c >> 18);
    bytes[at + 1] = (byte) (0x80 | (c >> 12 & 0x3F));
    bytes[at + 2] = (byte) (0x80 | (c >> 6 & 0x3F));
    bytes[at + 3] = (byte) (0x80 | (c & 0x3F));
  }

  /** Cuts a text that is too long, never within a character. */
  private void cut(int begin) {
    if (length - begin > MAX_TEXT) {
      int end = begin + MAX_TEXT;
      while ((bytes[end] & 0xC0) == 0x80) {
        end--;
      }
      length = end;
    }
  }

  /**
   * Records the event. An event of more than {@link #MAX} bytes is refused, counted and reported.
   */
  public void commit() {
    Link.Recorder.data(event, bytes, length);
    if (bytes.length > MAX) {
      bytes = new byte[256];
    }
  }
}
