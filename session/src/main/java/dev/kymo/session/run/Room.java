package dev.kymo.session.run;

import dev.kymo.instructions.completion.Kept;
import dev.kymo.session.UsageException;

/**
 * The limits of how much of instructions is recorded.
 *
 * @param limit bytes at which recording stops; 0 = any
 * @param kept what stays
 */
public record Room(long limit, Kept kept) {
  /**
   * From options.
   *
   * @param size bytes; 0 = any
   * @param overwrite whether the oldest instructions go then, instead of the new ones
   * @param instructions how many of the last ones to keep; 0 = all
   */
  public static Room of(long size, boolean overwrite, long instructions) {
    if (overwrite && size == 0) {
      throw new UsageException("--at-full goes with --max-size");
    }
    return new Room(overwrite ? 0 : size, new Kept(overwrite ? size : 0, instructions));
  }
}
