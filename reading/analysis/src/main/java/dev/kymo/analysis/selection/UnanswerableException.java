package dev.kymo.analysis.selection;

/**
 * A question that asks for too much, or makes no sense; the message is a sentence for who asked.
 */
public final class UnanswerableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String sentence;

  public UnanswerableException(String sentence) {
    super(sentence);
    this.sentence = sentence;
  }

  @Override
  public String getMessage() {
    return sentence;
  }
}
