package dev.kymo.instructions.trace;

import java.io.IOException;
import java.util.Arrays;

/** Reads numbers of seven bits a byte, the lowest first. */
public final class Varints {
  private final byte[] bytes;
  private int position;

  public Varints(byte[] bytes) {
    this.bytes = bytes;
  }

  int position() {
    return position;
  }

  public boolean hasMore() {
    return position < bytes.length;
  }

  /**
   * The next byte.
   *
   * @throws IOException if there is none
   */
  public int single() throws IOException {
    if (position >= bytes.length) {
      throw damaged();
    }
    return bytes[position++] & 0xFF;
  }

  public long varint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = single();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw damaged();
  }

  /** A number that was written as {@code n << 1 ^ n >> 63}. */
  long signed() throws IOException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number from 0 to 65535. */
  public int small() throws IOException {
    long value = varint();
    if (value < 0 || value > 0xFFFF) {
      throw damaged();
    }
    return (int) value;
  }

  public byte[] bytes(int length) throws IOException {
    if (length > bytes.length - position) {
      throw damaged();
    }
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  public IOException damaged() {
    return new IOException("instructions are damaged: record=" + position);
  }
}
