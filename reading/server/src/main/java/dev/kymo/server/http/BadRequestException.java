package dev.kymo.server.http;

/** A request that cannot be answered; the message is shown to whoever sent it. */
public final class BadRequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String sentence;

  public BadRequestException(String sentence) {
    super(sentence);
    this.sentence = sentence;
  }

  @Override
  public String getMessage() {
    return sentence;
  }
}
