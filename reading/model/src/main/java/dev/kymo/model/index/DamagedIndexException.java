package dev.kymo.model.index;

/** The index is not what was written. It holds nothing that the recording lacks: delete it. */
public final class DamagedIndexException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DamagedIndexException(String facts) {
    super("the recording's index is damaged, delete its directory .index: " + facts);
  }
}
