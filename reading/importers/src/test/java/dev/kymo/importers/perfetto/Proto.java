package dev.kymo.importers.perfetto;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes a message of protocol buffers for a test. */
final class Proto {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  Proto number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  Proto fixed(int field, long value) {
    varint((long) field << 3 | 1);
    bytes.writeBytes(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value).array());
    return this;
  }

  Proto raw(int field, byte[] value) {
    varint((long) field << 3 | 2);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  Proto text(int field, String value) {
    return raw(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Proto message(int field, Proto value) {
    return raw(field, value.bytes());
  }

  /** Numbers one after the other. */
  Proto packed(int field, long... values) {
    Proto all = new Proto();
    for (long value : values) {
      all.varint(value);
    }
    return message(field, all);
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
