package dev.kymo.importers.ctf.type;

import org.jspecify.annotations.Nullable;

/**
 * A whole number in groups of seven bits, the lowest first; the eighth bit says that more follow.
 */
public record VaryingType(boolean signed, int base, @Nullable EnumerationLabels labels)
    implements Type {
  @Override
  public int align() {
    return 8;
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
