package dev.kymo.importers.otf2;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The bytes of one file of an archive, in chunks. */
final class Records {
  /** Events that have no length. */
  private static final Set<Integer> BARE = Set.of(12, 13, 16, 17, 20, 21, 24, 28, 29, 30);

  private final ByteOrder order;
  private final int chunk;
  private final boolean events;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int count;

  /** A field of one byte. */
  record Byte1(int value) {}

  /** A field that has all its 8 bytes. */
  record Whole(long value) {}

  /** An empty file of events, or of definitions. */
  Records(ByteOrder order, int chunk, boolean events) {
    this.events = events;
    this.order = order;
    this.chunk = chunk;
    head();
  }

  static Byte1 u8(int value) {
    return new Byte1(value);
  }

  int count() {
    return count;
  }

  private void head() {
    bytes.write(3);
    bytes.write(order == ByteOrder.LITTLE_ENDIAN ? 0x42 : 0x23);
    whole(bytes, count + 1L);
    whole(bytes, 0);
  }

  private void whole(ByteArrayOutputStream to, long value) {
    to.writeBytes(ByteBuffer.allocate(8).order(order).putLong(value).array());
  }

  /** Records from here on are of this time. */
  Records at(long time) {
    room(9);
    bytes.write(5);
    whole(bytes, time);
    return this;
  }

  /** A record: numbers are compressed, texts end with 0. */
  Records add(int type, Object... fields) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Object field : fields) {
      put(all, field);
    }
    room(all.size() + 10);
    bytes.write(type);
    if (!events || !BARE.contains(type)) {
      length(all.size());
    }
    bytes.writeBytes(all.toByteArray());
    count += events && type == 6 ? 0 : 1;
    return this;
  }

  private void length(int length) {
    bytes.write(Math.min(length, 0xFF));
    if (length >= 0xFF) {
      whole(bytes, length);
    }
  }

  private void put(ByteArrayOutputStream to, Object field) {
    switch (field) {
      case Byte1 one -> to.write(one.value());
      case Whole all -> whole(to, all.value());
      case Number number -> number(to, number.longValue());
      case String text -> {
        to.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        to.write(0);
      }
      default -> throw new IllegalArgumentException(field.toString());
    }
  }

  private void number(ByteArrayOutputStream to, long value) {
    if (value == -1) {
      to.write(0xFF);
      return;
    }
    int size = (Long.SIZE + 7 - Long.numberOfLeadingZeros(value)) / 8;
    to.write(size);
    for (int i = 0; i < size; i++) {
      int shift = order == ByteOrder.LITTLE_ENDIAN ? i : size - 1 - i;
      to.write((int) (value >>> (8 * shift)));
    }
  }

  /** Begins a chunk if so many bytes have no room in the one that is being written. */
  private void room(int size) {
    int used = bytes.size() % chunk;
    if (used + size + 1 > chunk) {
      bytes.writeBytes(new byte[chunk - used]);
      head();
    }
  }

  /** The whole file. */
  byte[] end() {
    bytes.write(2);
    return bytes.toByteArray();
  }
}
