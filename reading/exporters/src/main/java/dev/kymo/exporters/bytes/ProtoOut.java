package dev.kymo.exporters.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message of protocol buffers that grows; the same object is used for one message after the
 * other.
 *
 * <pre>
 *   field: varint number &lt;&lt; 3 | wire type, then
 *     0 varint · 1 eight bytes, little-endian · 2 varint length, and that many bytes
 * </pre>
 */
public final class ProtoOut {
  private static final int LENGTH = 2;
  private byte[] bytes = new byte[256];
  private int used;

  public ProtoOut clear() {
    used = 0;
    return this;
  }

  public int size() {
    return used;
  }

  private void room(int more) {
    if (bytes.length - used < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, used + more));
    }
  }

  /** A number without its field, seven bits a byte, the lowest first. */
  public ProtoOut varint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[used++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[used++] = (byte) rest;
    return this;
  }

  public ProtoOut number(int field, long value) {
    return varint((long) field << 3).varint(value);
  }

  public ProtoOut fixed64(int field, long value) {
    varint((long) field << 3 | 1);
    room(8);
    for (int i = 0; i < 8; i++) {
      bytes[used++] = (byte) (value >>> (8 * i));
    }
    return this;
  }

  public ProtoOut real(int field, double value) {
    return fixed64(field, Double.doubleToRawLongBits(value));
  }

  public ProtoOut text(int field, String text) {
    return bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  public ProtoOut bytes(int field, byte[] value) {
    varint((long) field << 3 | LENGTH).varint(value.length);
    return raw(value, value.length);
  }

  public ProtoOut message(int field, ProtoOut inner) {
    varint((long) field << 3 | LENGTH).varint(inner.used);
    return raw(inner.bytes, inner.used);
  }

  private ProtoOut raw(byte[] value, int length) {
    room(length);
    System.arraycopy(value, 0, bytes, used, length);
    used += length;
    return this;
  }

  /** Writes it as a field of a message that is not kept in memory. */
  public void writeTo(BytesOut out, int field) {
    varintTo(out, (long) field << 3 | LENGTH);
    varintTo(out, used);
    out.put(bytes, 0, used);
  }

  private static void varintTo(BytesOut out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.put((int) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((int) rest);
  }

  /** Writes it as it is. */
  public void writeTo(BytesOut out) {
    out.put(bytes, 0, used);
  }
}
