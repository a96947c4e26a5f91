package dev.kymo.cli;

/** The output cannot be written, though somebody may want it: the disk is full, for instance. */
final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(Throwable cause) {
    super(
        "output cannot be written, it ends too early: error=\"%s\"; make room or write elsewhere"
            .formatted(cause.getMessage()),
        cause);
  }
}
