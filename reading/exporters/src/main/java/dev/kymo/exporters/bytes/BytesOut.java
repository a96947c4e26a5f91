package dev.kymo.exporters.bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes and numbers as text, fast: exports write hundreds of millions. Errors of the output are
 * {@link UncheckedIOException}s, because walks through recordings do not pass others on.
 */
public final class BytesOut implements AutoCloseable {
  private static final int SIZE = 1 << 18;
  private static final int MOST_DIGITS = 20;

  private final OutputStream out;
  private final byte[] buffer = new byte[SIZE];
  private int used;
  private long before;

  public BytesOut(OutputStream out) {
    this.out = out;
  }

  /** A file, which is overwritten if it is there. */
  public static BytesOut to(Path file) throws IOException {
    return new BytesOut(Files.newOutputStream(file));
  }

  /** How many bytes were written. */
  public long size() {
    return before + used;
  }

  private void room(int bytes) {
    if (used + bytes > SIZE) {
      flush();
    }
  }

  private void flush() {
    try {
      out.write(buffer, 0, used);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    before += used;
    used = 0;
  }

  public BytesOut put(int oneByte) {
    room(1);
    buffer[used++] = (byte) oneByte;
    return this;
  }

  public BytesOut put(byte[] bytes) {
    return put(bytes, 0, bytes.length);
  }

  /** A part of an array, of any length. */
  public BytesOut put(byte[] bytes, int from, int length) {
    int at = from;
    int left = length;
    while (left > 0) {
      room(1);
      int part = Math.min(left, SIZE - used);
      System.arraycopy(bytes, at, buffer, used, part);
      used += part;
      at += part;
      left -= part;
    }
    return this;
  }

  /** Text in UTF-8; constants are short. */
  public BytesOut put(String text) {
    return put(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A number in decimal digits. */
  public BytesOut number(long value) {
    room(MOST_DIGITS);
    if (value < 0) {
      return put(Long.toString(value));
    }
    int digits = digits(value);
    long rest = value;
    for (int at = used + digits - 1; at >= used; at--) {
      buffer[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    used += digits;
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    long power = 10;
    while (digits < 19 && value >= power) {
      power *= 10;
      digits++;
    }
    return digits;
  }

  /**
   * A number of thousandths or less, in decimal digits with a point: 1234567 with 3 digits is
   * {@code 1234.567}.
   */
  public BytesOut fixed(long value, int fraction) {
    if (value < 0) {
      return put('-').fixed(-value, fraction);
    }
    long power = 1;
    for (int i = 0; i < fraction; i++) {
      power *= 10;
    }
    number(value / power).put('.');
    room(MOST_DIGITS);
    long rest = value % power;
    for (int at = used + fraction - 1; at >= used; at--) {
      buffer[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    used += fraction;
    return this;
  }

  @Override
  public void close() throws IOException {
    try (OutputStream closing = out) {
      closing.write(buffer, 0, used);
      before += used;
      used = 0;
    }
  }
}
