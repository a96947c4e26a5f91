package dev.kymo.importers.target;

import java.io.IOException;

/** Hears of a recording that others read while an import writes it. */
@FunctionalInterface
public interface Watcher {
  /**
   * There is more of it in the files; readers take it when this returns.
   *
   * @param all whether that is everything
   */
  void grown(boolean all) throws IOException;
}
