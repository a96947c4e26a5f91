package dev.kymo.importers.ctf.type;

import java.nio.charset.Charset;

/**
 * Text that a character of zeros ends.
 *
 * @param unit bytes of a character's unit: 1, 2 or 4
 */
public record TextType(Charset charset, int unit) implements Type {
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
