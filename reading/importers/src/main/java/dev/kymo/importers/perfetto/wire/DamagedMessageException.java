package dev.kymo.importers.perfetto.wire;

/** Bytes are not the message that they should be. */
public final class DamagedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DamagedMessageException(String problem) {
    super(problem);
  }
}
