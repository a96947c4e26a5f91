package dev.kymo.network.send;

import java.io.IOException;
import java.nio.file.Path;

/** Gives a file's space back without changing its length: what was there reads as zeros. */
@FunctionalInterface
public interface Space {
  /** Keeps everything. */
  Space KEPT = (file, from, to) -> {};

  /**
   * Gives up what a file has between two offsets.
   *
   * @throws IOException if the file system cannot do that
   */
  void free(Path file, long from, long to) throws IOException;
}
