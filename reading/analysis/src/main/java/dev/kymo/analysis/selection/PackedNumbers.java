package dev.kymo.analysis.selection;

import java.util.Arrays;

/** Numbers as bytes: seven bits a byte, the lowest first, the eighth says that more follow. */
public final class PackedNumbers {
  private byte[] data;
  private int size;
  private int at;

  public PackedNumbers() {
    data = new byte[1 << 16];
  }

  /** Those to be read again; nobody may have written them. */
  public PackedNumbers(byte[] data) {
    this.data = data;
    this.size = data.length;
  }

  public PackedNumbers put(long value) {
    if (size + 10 > data.length) {
      data = Arrays.copyOf(data, data.length * 2);
    }
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      data[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    data[size++] = (byte) rest;
    return this;
  }

  public PackedNumbers put(double value) {
    return put(Double.doubleToRawLongBits(value));
  }

  public byte[] bytes() {
    return Arrays.copyOf(data, size);
  }

  /**
   * The next number.
   *
   * @throws IllegalStateException if there is none
   */
  public long next() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == size) {
        throw new IllegalStateException("ends too early: size=" + size);
      }
      byte next = data[at++];
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalStateException("number longer than 64 bits: at=" + at);
  }

  public double nextDouble() {
    return Double.longBitsToDouble(next());
  }

  /** The next number, which is below a limit. */
  public int below(long limit) {
    long value = next();
    if (value < 0 || value >= limit) {
      throw new IllegalStateException("number=%d limit=%d".formatted(value, limit));
    }
    return (int) value;
  }

  /** A number of things that follow, each of which takes at least a byte. */
  public int count() {
    return below(size - at + 1L);
  }

  public boolean atEnd() {
    return at == size;
  }
}
