package dev.kymo.states;

import dev.kymo.format.KernelEventFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A field in the events of a kind. Its size and place differ from kernel to kernel: a state has
 * four bytes or eight, a name sixteen or any number elsewhere in the event.
 */
final class EventField {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final EventField MISSING = new EventField(0, 0, false, false, false);

  private final int offset;

  /** Bytes; 0 = the events have no such field. */
  private final int size;

  private final boolean signed;
  private final boolean dynamic;
  private final boolean relative;

  private EventField(int offset, int size, boolean signed, boolean dynamic, boolean relative) {
    this.offset = offset;
    this.size = size;
    this.signed = signed;
    this.dynamic = dynamic;
    this.relative = relative;
  }

  /** The field with a name, which the events need not have. */
  static EventField of(KernelEventFormat format, String name) {
    for (KernelEventFormat.Field field : format.fields()) {
      if (field.name().equals(name) && (!field.isDynamic() || field.size() == Integer.BYTES)) {
        return new EventField(
            field.offset(), field.size(), field.signed(), field.isDynamic(), field.relative());
      }
    }
    return MISSING;
  }

  boolean isMissing() {
    return size == 0;
  }

  /** Bytes from the event's begin to the field's end. */
  int end() {
    return offset + size;
  }

  /** Its value, if it is a number of 1, 2, 4 or 8 bytes; otherwise 0. */
  long number(byte[] event, int at) {
    int from = at + offset;
    return switch (size) {
      case 4 -> signed ? (int) INT.get(event, from) : (int) INT.get(event, from) & 0xFFFF_FFFFL;
      case 8 -> (long) LONG.get(event, from);
      case 2 -> signed ? (short) SHORT.get(event, from) : (short) SHORT.get(event, from) & 0xFFFF;
      case 1 -> signed ? event[from] : event[from] & 0xFF;
      default -> 0;
    };
  }

  /**
   * Its characters, up to the first zero byte.
   *
   * @param bytes of the event
   */
  String text(byte[] event, int at, int bytes) {
    int from = offset;
    int length = size;
    if (dynamic) {
      int where = (int) INT.get(event, at + offset);
      from = (where & 0xFFFF) + (relative ? offset + Integer.BYTES : 0);
      length = where >>> 16;
    }
    if (from + length > bytes) {
      return "";
    }
    int end = 0;
    while (end < length && event[at + from + end] != 0) {
      end++;
    }
    return new String(event, at + from, end, StandardCharsets.UTF_8);
  }
}
