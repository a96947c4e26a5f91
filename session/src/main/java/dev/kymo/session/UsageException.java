package dev.kymo.session;

/** The command was used wrongly; the message is the sentence to be shown. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
