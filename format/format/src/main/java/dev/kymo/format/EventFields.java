package dev.kymo.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The layout of the data of a program's own event: {@code u64 size; str owner;}. Data is the fields
 * one after the other, little-endian, without gaps; a {@code str} or {@code bytes} is its length,
 * 16 bits, and that many bytes. An event with a single number has it as its argument instead, see
 * {@link #isArgument}.
 */
public final class EventFields {
  private final List<Field> fields;

  private EventFields(List<Field> fields) {
    this.fields = List.copyOf(fields);
  }

  /** A part of an event's data. */
  public record Field(FieldType type, String name) {}

  /**
   * Parses a definition's text.
   *
   * @throws IllegalArgumentException if it is not valid; the message says what is wrong
   */
  public static EventFields parse(String text) {
    List<Field> fields = new ArrayList<>();
    for (String part : text.split(";", -1)) {
      String field = part.strip();
      if (!field.isEmpty()) {
        fields.add(field(field));
      }
    }
    return new EventFields(fields);
  }

  private static Field field(String text) {
    String[] words = text.split("\\s+", -1);
    Optional<FieldType> type = FieldType.of(words[0]);
    if (words.length == 2 && type.isPresent()) {
      return new Field(type.get(), words[1]);
    }
    throw new IllegalArgumentException("not a type and a name: field=\"" + text + "\"");
  }

  public List<Field> list() {
    return fields;
  }

  /** Whether an event's data is its argument. */
  public boolean isArgument() {
    return fields.isEmpty() || (fields.size() == 1 && fields.get(0).type().isFixed());
  }

  /**
   * The values of an event that has an argument: {@link Long}, {@link Double} or {@link Boolean}.
   */
  public List<Object> values(long argument) {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    return fields.isEmpty() ? List.of() : values(bytes.putLong(0, argument));
  }

  /**
   * The values of an event that has data: {@link Long}, {@link Double}, {@link Boolean}, {@link
   * String} or {@code byte[]}; fewer than there are fields if the data ends before.
   *
   * @param data little-endian, at the first field
   */
  public List<Object> values(ByteBuffer data) {
    List<Object> values = new ArrayList<>();
    try {
      for (Field field : fields) {
        values.add(value(field.type(), data));
      }
    } catch (BufferUnderflowException e) {
      // the values so far count
    }
    return values;
  }

  /**
   * One value of an event that has data, of a field that is a whole number; faster than {@link
   * #values}.
   *
   * @param data little-endian, at the first field
   * @param place of the field in {@link #list}
   * @param otherwise the value if the data ends before
   */
  public long number(ByteBuffer data, int place, long otherwise) {
    int at = data.position();
    for (int i = 0; i < place; i++) {
      int size = fields.get(i).type().size();
      if (size > 0) {
        at += size;
      } else if (data.limit() - at >= 2) {
        at += 2 + (data.getShort(at) & 0xFFFF);
      } else {
        return otherwise;
      }
    }
    FieldType type = fields.get(place).type();
    if (!type.isInteger() || data.limit() - at < type.size()) {
      return otherwise;
    }
    data.position(at);
    return (long) value(type, data);
  }

  private static Object value(FieldType type, ByteBuffer data) {
    return switch (type) {
      case U8 -> data.get() & 0xFFL;
      case U16 -> data.getShort() & 0xFFFFL;
      case U32 -> data.getInt() & 0xFFFFFFFFL;
      case I8 -> (long) data.get();
      case I16 -> (long) data.getShort();
      case I32 -> (long) data.getInt();
      case U64, I64 -> data.getLong();
      case F32 -> (double) data.getFloat();
      case F64 -> data.getDouble();
      case BOOL -> data.get() != 0;
      case STR -> new String(bytes(data), StandardCharsets.UTF_8);
      case BYTES -> bytes(data);
    };
  }

  private static byte[] bytes(ByteBuffer data) {
    byte[] bytes = new byte[data.getShort() & 0xFFFF];
    data.get(bytes);
    return bytes;
  }

  /** Values as {@code size=12 owner=main}. */
  public String text(List<Object> values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : " ").append(fields.get(i).name()).append('=');
      text.append(text(fields.get(i).type(), values.get(i)));
    }
    return text.toString();
  }

  /** A value as text: strings as they are, bytes in hexadecimal. */
  public static String text(FieldType type, Object value) {
    if (value instanceof byte[] bytes) {
      StringBuilder hex = new StringBuilder();
      for (byte b : bytes) {
        hex.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
      }
      return hex.toString();
    }
    return type == FieldType.U64 && value instanceof Long number
        ? Long.toUnsignedString(number)
        : value.toString();
  }
}
