package dev.kymo.recorder.drain;

/**
 * Something in shared memory cannot be what a recorder wrote: its owner must have overwritten it.
 */
final class DamagedMemoryException extends Exception {
  private static final long serialVersionUID = 1;

  private final String what;

  /**
   * Damage.
   *
   * @param what names the facts
   */
  DamagedMemoryException(String what) {
    super(what);
    this.what = what;
  }

  /** The facts. */
  String what() {
    return what;
  }
}
