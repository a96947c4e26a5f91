package dev.kymo.importers.ctf.type;

import java.util.Arrays;

/**
 * Values of a whole number of 64 bits: from and to, both included, one pair after the other.
 *
 * @param signed how they are compared
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, and nobody changes the bounds
public record Ranges(boolean signed, long[] bounds) {
  public boolean has(long value) {
    for (int i = 0; i < bounds.length; i += 2) {
      if (compare(bounds[i], value) <= 0 && compare(value, bounds[i + 1]) <= 0) {
        return true;
      }
    }
    return false;
  }

  private int compare(long a, long b) {
    return signed ? Long.compare(a, b) : Long.compareUnsigned(a, b);
  }

  /** These and one more. */
  public Ranges plus(long from, long to) {
    long[] more = Arrays.copyOf(bounds, bounds.length + 2);
    more[bounds.length] = from;
    more[bounds.length + 1] = to;
    return new Ranges(signed, more);
  }
}
