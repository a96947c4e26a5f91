package dev.kymo.importers.ctf.type;

import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Bytes.
 *
 * @param length how many, if no field says it
 * @param lengthIn the field that says how many; null = none
 * @param charset if they are text; null = they are not
 */
public record BlobType(long length, @Nullable FieldRef lengthIn, @Nullable Charset charset)
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
