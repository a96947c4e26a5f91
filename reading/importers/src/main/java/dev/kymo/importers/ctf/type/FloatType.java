package dev.kymo.importers.ctf.type;

/**
 * A number of IEEE 754.
 *
 * @param bits 16, 32, 64 or 128
 */
public record FloatType(int bits, int align, boolean big, boolean reversed) implements Type {
  @Override
  public int depth() {
    return 1;
  }

  @Override
  public int size() {
    return 1;
  }
}
