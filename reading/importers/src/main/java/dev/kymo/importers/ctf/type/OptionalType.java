package dev.kymo.importers.ctf.type;

import org.jspecify.annotations.Nullable;

/**
 * A field that is there or not (CTF 2).
 *
 * @param when values of the selector; null = it is true
 */
public record OptionalType(FieldRef selector, @Nullable Ranges when, Type type) implements Type {
  @Override
  public int align() {
    return 1;
  }

  @Override
  public int depth() {
    return type.depth() + 1;
  }

  @Override
  public int size() {
    return type.size() + 1;
  }
}
