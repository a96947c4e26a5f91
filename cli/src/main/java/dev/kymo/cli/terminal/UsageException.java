package dev.kymo.cli;

/** The command was used wrongly; the message is the sentence to be shown. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
