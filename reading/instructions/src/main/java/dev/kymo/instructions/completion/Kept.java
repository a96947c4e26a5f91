package dev.kymo.instructions.completion;

/**
 * Limits of the instructions that stay in a recording while it is made: the newest.
 *
 * @param bytes of facts and chunks on disk; 0 = any number
 * @param instructions the last ones, in whole chunks; 0 = all
 */
public record Kept(long bytes, long instructions) {
  public static final Kept ALL = new Kept(0, 0);
}
