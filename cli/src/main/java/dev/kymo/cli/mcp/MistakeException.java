package dev.kymo.cli.mcp;

/** A question that cannot be answered; the message says why. */
final class MistakeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MistakeException(String message) {
    super(message);
  }
}
