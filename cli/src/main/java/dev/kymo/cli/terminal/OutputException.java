package dev.kymo.cli.terminal;

/** The output cannot be written, for instance because the disk is full. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(Throwable cause) {
    super(
        "output cannot be written, it ends too early: error=\"%s\"; make room or write elsewhere"
            .formatted(cause.getMessage()),
        cause);
  }
}
