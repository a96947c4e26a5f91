package dev.kymo.drain;

/**
 * Reports contents of shared memory that no recorder can have written: the owner must have
 * overwritten them.
 */
final class DamagedMemoryException extends Exception {
  private static final long serialVersionUID = 1;

  private final String what;

  /**
   * Makes the exception.
   *
   * @param what names the facts
   */
  DamagedMemoryException(String what) {
    super(what);
    this.what = what;
  }

  /** The facts that show the damage. */
  String what() {
    return what;
  }
}
