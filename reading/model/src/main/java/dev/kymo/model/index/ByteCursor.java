package dev.kymo.model.index;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link ByteWriter} wrote. */
public final class ByteCursor {
  private final byte[] data;
  private final int end;
  private int at;

  public ByteCursor(byte[] data, int end) {
    this.data = data;
    this.end = end;
  }

  public long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = next();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new DamagedIndexException("number longer than 64 bits: at=" + at);
  }

  /**
   * A number of things that follow, each of which takes at least a byte: no memory is asked for
   * that the bytes cannot fill.
   */
  public int count() {
    long count = number();
    if (count < 0 || count > end - at) {
      throw new DamagedIndexException("count=%d left=%d".formatted(count, end - at));
    }
    return (int) count;
  }

  public long signed() {
    long value = number();
    return (value >>> 1) ^ -(value & 1);
  }

  int fixed() {
    int value = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      value |= (next() & 0xFF) << shift;
    }
    return value;
  }

  public String text() {
    int length = count();
    String text = new String(data, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  byte[] rest() {
    byte[] rest = Arrays.copyOfRange(data, at, end);
    at = end;
    return rest;
  }

  public boolean atEnd() {
    return at == end;
  }

  /** Whether what follows begins with these bytes; then they are passed. */
  boolean passes(ByteWriter expected) {
    int to = at + expected.size;
    if (to > end || !Arrays.equals(data, at, to, expected.data, 0, expected.size)) {
      return false;
    }
    at = to;
    return true;
  }

  private byte next() {
    if (at >= end) {
      throw new DamagedIndexException("ends too early: size=" + end);
    }
    return data[at++];
  }
}
