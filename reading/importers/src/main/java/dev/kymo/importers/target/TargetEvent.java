package dev.kymo.importers.target;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A kind of event that an import has defined. */
public final class TargetEvent {
  private static final int MAX_TEXT = 0xFFFF;

  private final int number;
  private final List<EventFields.Field> fields;
  private final boolean argument;
  private final Troubles troubles;

  TargetEvent(int number, EventFields fields, Troubles troubles) {
    this.number = number;
    this.fields = fields.list();
    this.argument = fields.isArgument();
    this.troubles = troubles;
  }

  int number() {
    return number;
  }

  boolean hasFields() {
    return !fields.isEmpty();
  }

  /**
   * An event of this kind.
   *
   * @param values {@link Number}, {@link Boolean}, {@code byte[]}, or anything whose text is meant
   */
  Happening happening(long clock, int track, Object... values) {
    if (values.length != fields.size()) {
      throw new IllegalArgumentException(
          "as many values as fields are wanted: values=%d fields=%d"
              .formatted(values.length, fields.size()));
    }
    if (argument) {
      long value = fields.isEmpty() ? 0 : bits(fields.get(0).type(), values[0]);
      return new Happening(
          clock, track, Happening.Kind.EVENT, number, value, Happening.OPEN, Happening.NO_DATA);
    }
    return new Happening(
        clock, track, Happening.Kind.DATA, number, 0, Happening.OPEN, data(values));
  }

  private byte[] data(Object... values) {
    byte[][] parts = new byte[values.length][];
    int size = 0;
    for (int i = 0; i < values.length; i++) {
      parts[i] = bytes(fields.get(i).type(), values[i]);
      size += parts[i].length;
    }
    ByteBuffer data = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] part : parts) {
      data.put(part);
    }
    return fitting(data.array());
  }

  private byte[] fitting(byte[] data) {
    if (data.length <= ThreadRecord.MAX_DATA) {
      return data;
    }
    cut(data.length);
    return Arrays.copyOf(data, ThreadRecord.MAX_DATA);
  }

  private void cut(int length) {
    troubles.count("events larger than 65536 bytes were cut", "bytes=" + length);
  }

  private byte[] bytes(FieldType type, Object value) {
    if (type.isFixed()) {
      byte[] bytes = new byte[type.size()];
      long bits = bits(type, value);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (bits >>> (8 * i));
      }
      return bytes;
    }
    byte[] content =
        value instanceof byte[] raw ? raw : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(content.length, MAX_TEXT);
    if (length < content.length) {
      cut(content.length);
    }
    return ByteBuffer.allocate(2 + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort((short) length)
        .put(content, 0, length)
        .array();
  }

  private static long bits(FieldType type, Object value) {
    if (value instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    if (!(value instanceof Number given)) {
      throw new IllegalArgumentException("not a number: value=" + value);
    }
    return switch (type) {
      case F32 -> Float.floatToRawIntBits(given.floatValue()) & 0xFFFFFFFFL;
      case F64 -> Double.doubleToRawLongBits(given.doubleValue());
      default -> given.longValue();
    };
  }
}
