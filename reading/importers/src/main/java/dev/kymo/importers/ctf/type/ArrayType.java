package dev.kymo.importers.ctf.type;

import org.jspecify.annotations.Nullable;

/**
 * Elements of one type, one after the other.
 *
 * @param align at least that of the element
 * @param length how many, if no field says it
 * @param lengthIn the field that says how many; null = none
 */
public record ArrayType(
    Type element, int align, long length, @Nullable FieldRef lengthIn, int depth) implements Type {
  /** An array; its alignment is at least a wanted one. */
  public static ArrayType of(Type element, int least, long length, @Nullable FieldRef lengthIn) {
    return new ArrayType(
        element, Math.max(least, element.align()), length, lengthIn, element.depth() + 1);
  }

  /** Whether it is a text of one-byte characters. */
  public boolean isText() {
    return element instanceof IntType number
        && number.encoded()
        && number.bits() == 8
        && number.align() % 8 == 0
        && number.align() == 8;
  }

  @Override
  public int size() {
    return element.size() + 1;
  }
}
