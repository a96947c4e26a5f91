package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** An event's fields by their names, taken out of its bytes the slow and obvious way. */
record EventValues(KernelEventFormat format, ByteBuffer bytes) {
  static EventValues of(KernelEventFormat format, byte[] page, int offset, int size) {
    ByteBuffer bytes = ByteBuffer.wrap(page, offset, size).slice().order(ByteOrder.LITTLE_ENDIAN);
    return new EventValues(format, bytes);
  }

  int tid() {
    return bytes.getInt(4);
  }

  int preemptCount() {
    return bytes.get(3) & 0xFF;
  }

  /** A number, signed as its field is. */
  long number(String name) {
    return number(format.field(name));
  }

  long number(KernelEventFormat.Field field) {
    boolean signed = field.signed();
    return switch (field.size()) {
      case 1 -> signed ? bytes.get(field.offset()) : bytes.get(field.offset()) & 0xFF;
      case 2 -> signed ? bytes.getShort(field.offset()) : bytes.getShort(field.offset()) & 0xFFFF;
      case 4 -> signed ? bytes.getInt(field.offset()) : bytes.getInt(field.offset()) & 0xFFFF_FFFFL;
      default -> bytes.getLong(field.offset());
    };
  }

  String text(String name) {
    return text(format.field(name));
  }

  String text(KernelEventFormat.Field field) {
    int from = field.offset();
    int length = field.size();
    if (field.isDynamic()) {
      int where = bytes.getInt(from);
      from = (where & 0xFFFF) + (field.relative() ? from + 4 : 0);
      length = where >>> 16;
    }
    byte[] text = new byte[length];
    bytes.get(from, text);
    int end = 0;
    while (end < length && text[end] != 0) {
      end++;
    }
    return new String(text, 0, end, StandardCharsets.UTF_8);
  }
}
