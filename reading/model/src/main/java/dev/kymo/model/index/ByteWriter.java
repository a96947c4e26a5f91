package dev.kymo.model.index;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of the index while they are written. Numbers are LEB128: seven bits a byte, the lowest
 * first, the eighth says that more follow.
 */
public final class ByteWriter {
  public byte[] data = new byte[1024];
  public int size;

  public ByteWriter() {}

  public void clear() {
    size = 0;
  }

  private void room(int more) {
    if (size + more > data.length) {
      data = Arrays.copyOf(data, Math.max(size + more, data.length * 2));
    }
  }

  /** A number that is rarely negative. */
  public ByteWriter number(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      data[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    data[size++] = (byte) rest;
    return this;
  }

  /** A number that may as well be negative. */
  public ByteWriter signed(long value) {
    return number((value << 1) ^ (value >> 63));
  }

  /** Four bytes, the lowest first. */
  ByteWriter fixed(int value) {
    room(4);
    for (int shift = 0; shift < 32; shift += 8) {
      data[size++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Bytes as they are. */
  ByteWriter all(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, data, size, bytes.length);
    size += bytes.length;
    return this;
  }

  public ByteWriter text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return number(utf8.length).all(utf8);
  }
}
