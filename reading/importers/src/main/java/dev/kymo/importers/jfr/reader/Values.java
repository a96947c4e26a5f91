package dev.kymo.importers.jfr.reader;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads values. A number is a {@link Long}, {@link Float} or {@link Double}; a constant its key, a
 * {@link Long}; a text a {@link String}, or the key of a constant; a struct and an array an {@code
 * Object[]}.
 */
final class Values {
  private static final int MAX_DEPTH = 32;

  private final JfrBytes bytes;

  Values(JfrBytes bytes) {
    this.bytes = bytes;
  }

  Object[] struct(JfrType type) throws IOException {
    return struct(type, 0);
  }

  private Object[] struct(JfrType type, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw bytes.wrong("values lie too deep in each other", "type=" + type.name());
    }
    List<JfrField> fields = type.fields();
    if (fields.isEmpty() && depth > 0) { // each value takes bytes: so reading ends
      throw bytes.wrong("values of a type without fields", "type=" + type.name());
    }
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = field(fields.get(i), depth);
    }
    return values;
  }

  private @Nullable Object field(JfrField field, int depth) throws IOException {
    if (!field.array()) {
      return one(field, depth);
    }
    Object[] all = new Object[bytes.count()];
    for (int i = 0; i < all.length; i++) {
      all[i] = one(field, depth);
    }
    return all;
  }

  private @Nullable Object one(JfrField field, int depth) throws IOException {
    return field.constant() ? (Object) bytes.i64() : value(field.type(), depth);
  }

  @Nullable Object value(JfrType type) throws IOException {
    return value(type, 0);
  }

  private @Nullable Object value(JfrType type, int depth) throws IOException {
    return switch (type.form()) {
      case BOOLEAN -> bytes.u8() != 0;
      case BYTE -> (long) (byte) bytes.u8();
      case CHAR -> bytes.number(16) & 0xFFFF;
      case SHORT -> (long) (short) bytes.number(16);
      case INT -> (long) bytes.i32();
      case LONG -> bytes.i64();
      case FLOAT -> Float.intBitsToFloat((int) bytes.fixed(4));
      case DOUBLE -> Double.longBitsToDouble(bytes.fixed(8));
      case STRING -> bytes.text();
      case STRUCT -> struct(type, depth + 1);
    };
  }
}
