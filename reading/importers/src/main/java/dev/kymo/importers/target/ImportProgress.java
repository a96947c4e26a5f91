package dev.kymo.importers.target;

/** Is told how far an import has come. */
@FunctionalInterface
public interface ImportProgress {
  /**
   * Takes the state.
   *
   * @param done bytes of the foreign files that have been read
   * @param all bytes of the foreign files
   */
  void at(long done, long all);
}
