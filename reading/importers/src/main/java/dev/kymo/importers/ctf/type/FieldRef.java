package dev.kymo.importers.ctf.type;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names the field that holds a length or selects an option.
 *
 * @param target the field itself, where the declaration tells it; null = the path does
 * @param scope where the path begins; null = in a structure around the field, the nearest that has
 *     its first name
 * @param path names of fields, each within the one before; {@link #UP} = the structure around
 * @param own whether a relative path begins in the structure around the field and in no other (CTF
 *     2)
 */
public record FieldRef(
    @Nullable CtfField target, @Nullable CtfScope scope, List<String> path, boolean own) {
  /** Stands for the structure around. */
  public static final String UP = "..";

  @Override
  public String toString() {
    return (scope == null ? "" : String.join(".", scope.path()) + ".") + String.join(".", path);
  }
}
