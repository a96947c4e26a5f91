package dev.kymo.format;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The type of a field of an event of the program's own: see {@link EventFields}. */
public enum FieldType {
  U8(1),
  U16(2),
  U32(4),
  U64(8),
  I8(1),
  I16(2),
  I32(4),
  I64(8),
  F32(4),
  F64(8),
  BOOL(1),
  /** UTF-8. */
  STR(0),
  BYTES(0);

  private final int size;
  private final String word = name().toLowerCase(Locale.ROOT);

  FieldType(int size) {
    this.size = size;
  }

  public static Optional<FieldType> of(String word) {
    return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
  }

  /** All names, for messages. */
  public static String words() {
    return Arrays.stream(values()).map(FieldType::word).collect(Collectors.joining(", "));
  }

  /** Its name in definitions. */
  public String word() {
    return word;
  }

  /** Size of each value in bytes, 0 if that depends on the value. */
  public int size() {
    return size;
  }

  public boolean isInteger() {
    return compareTo(I64) <= 0;
  }

  public boolean isNumber() {
    return compareTo(F64) <= 0;
  }

  /** Whether a value fits into the argument that every event has: all do except texts and bytes. */
  public boolean isFixed() {
    return size > 0;
  }
}
