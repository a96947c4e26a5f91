package dev.kymo.cli;

/** Nobody reads the output any more: there is nothing left to do, and nothing wrong. */
final class ClosedOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedOutputException(Throwable cause) {
    super(cause);
  }
}
