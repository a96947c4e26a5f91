package dev.kymo.importers.ctf.type;

/** Type of a field: what it holds, and how it lies in the bytes. */
public sealed interface Type
    permits ArrayType,
        BlobType,
        FloatType,
        IntType,
        OptionalType,
        StructType,
        TextType,
        VariantType,
        VaryingType {
  /** Alignment in bits, a power of two. */
  int align();

  /** How deep other types are in it; a number has 1. */
  int depth();

  /** How many fields and elements are written in it, arrays' elements once. */
  int size();
}
