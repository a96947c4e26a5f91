package dev.kymo.importers.ctf.type;

import org.jspecify.annotations.Nullable;

/**
 * A whole number of any number of bits.
 *
 * @param bits above 0
 * @param reversed whether the bits within a byte lie in the order that is not usual for the byte
 *     order (CTF 2)
 * @param base 2, 8, 10 or 16, for people
 * @param encoded whether it is a character
 * @param clock name of the clock whose lower bits it has; null = of none
 * @param labels if it is an enumeration
 */
public record IntType(
    int bits,
    int align,
    boolean signed,
    boolean big,
    boolean reversed,
    int base,
    boolean encoded,
    @Nullable String clock,
    @Nullable EnumerationLabels labels)
    implements Type {
  /** An enumeration on top of this number. */
  public IntType with(EnumerationLabels meaning) {
    return new IntType(bits, align, signed, big, reversed, base, encoded, clock, meaning);
  }

  @Override
  public int depth() {
    return 1;
  }

  @Override
  public int size() {
    return 1;
  }
}
