package dev.kymo.cli.terminal;

/** Nobody reads the output any more: the command ends, without an error. */
public final class ClosedOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedOutputException(Throwable cause) {
    super(cause);
  }
}
