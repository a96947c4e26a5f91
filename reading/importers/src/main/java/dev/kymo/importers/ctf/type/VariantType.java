package dev.kymo.importers.ctf.type;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of several fields; another field selects it.
 *
 * @param selector null = not said yet (TSDL gives it where the type is used)
 * @param options selected by the ranges of their values, or, where these are null, by the label of
 *     the selector that is their name
 */
public record VariantType(@Nullable FieldRef selector, List<Option> options, int depth, int size)
    implements Type {
  /** A field that may be selected, and when. */
  public record Option(CtfField field, @Nullable Ranges when) {}

  public static VariantType of(@Nullable FieldRef selector, List<Option> options) {
    int depth = 1;
    long size = 1;
    for (Option option : options) {
      depth = Math.max(depth, option.field().type().depth() + 1);
      size += option.field().type().size();
    }
    return new VariantType(
        selector, List.copyOf(options), depth, (int) Math.min(size, Integer.MAX_VALUE / 2));
  }

  @Override
  public int align() {
    return 1;
  }
}
