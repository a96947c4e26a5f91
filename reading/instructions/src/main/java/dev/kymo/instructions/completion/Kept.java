package dev.kymo.instructions.completion;

/**
 * Which instructions stay in a recording while it is made: the newest.
 *
 * @param bytes of facts and chunks on disk; 0 = any number
 * @param instructions the last ones, in whole chunks; 0 = all
 */
public record Kept(long bytes, long instructions) {
  /** All of them. */
  public static final Kept ALL = new Kept(0, 0);
}
