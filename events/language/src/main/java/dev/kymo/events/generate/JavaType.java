package dev.kymo.events.generate;

import dev.kymo.format.FieldType;

/** The Java type for values of a field, and how they become an argument of 64 bits. */
final class JavaType {
  private JavaType() {}

  /** The smallest type for which Java's literals need no cast. */
  static String of(FieldType type) {
    return switch (type) {
      case U8, U16, I8, I16, I32 -> "int";
      case U32, U64, I64 -> "long";
      case F32 -> "float";
      case F64 -> "double";
      case BOOL -> "boolean";
      case STR -> "String";
      case BYTES -> "byte[]";
    };
  }

  /** An expression of type long; a value that is too large for the field loses its upper bits. */
  static String argument(FieldType type, String variable) {
    return switch (type) {
      case U8 -> variable + " & 0xFF";
      case U16 -> variable + " & 0xFFFF";
      case U32 -> variable + " & 0xFFFF_FFFFL";
      case I8 -> "(byte) " + variable;
      case I16 -> "(short) " + variable;
      case I32, U64, I64 -> variable;
      case F32 -> "Float.floatToRawIntBits(" + variable + ")";
      case F64 -> "Double.doubleToRawLongBits(" + variable + ")";
      case BOOL -> variable + " ? 1 : 0";
      case STR, BYTES -> throw new IllegalArgumentException("not a number: type=" + type);
    };
  }
}
