package dev.kymo.events.generate;

import dev.kymo.format.FieldType;

/** The C type for values of a field, and how they become 64 bits. */
final class CType {
  private CType() {}

  static String of(FieldType type) {
    return switch (type) {
      case U8, U16, U32, U64 -> "uint" + type.size() * 8 + "_t";
      case I8, I16, I32, I64 -> "int" + type.size() * 8 + "_t";
      case F32 -> "float";
      case F64 -> "double";
      // Not bool: C11 has it only with another header.
      case BOOL -> "int";
      case STR -> "const char *";
      case BYTES -> "const void *";
    };
  }

  static String bits(FieldType type, String variable) {
    return switch (type) {
      case F32 -> "kymo_bits_f32(" + variable + ")";
      case F64 -> "kymo_bits_f64(" + variable + ")";
      case BOOL -> variable + " != 0";
      case STR, BYTES -> throw new IllegalArgumentException("not a number: type=" + type);
      default -> "(uint64_t) " + variable;
    };
  }
}
