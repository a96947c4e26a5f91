package dev.kymo.importers.ctf.type;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields of any types, one after the other. */
public record StructType(List<CtfField> fields, int align, int depth, int size) implements Type {
  public static final StructType EMPTY = of(List.of(), 1);

  /** A structure; its alignment is at least a wanted one. */
  public static StructType of(List<CtfField> fields, int least) {
    int align = least;
    int depth = 1;
    long size = 1;
    for (CtfField field : fields) {
      align = Math.max(align, field.type().align());
      depth = Math.max(depth, field.type().depth() + 1);
      size += field.type().size();
    }
    return new StructType(
        List.copyOf(fields), align, depth, (int) Math.min(size, Integer.MAX_VALUE / 2));
  }

  public @Nullable CtfField field(String name) {
    for (CtfField field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }
}
