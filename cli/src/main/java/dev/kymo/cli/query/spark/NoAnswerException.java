package dev.kymo.cli.query.spark;

import java.util.List;

/** Spark has no answer, for a reason of some lines. */
public final class NoAnswerException extends Exception {
  private static final long serialVersionUID = 1;

  NoAnswerException(String reason) {
    super(reason);
  }

  public List<String> reason() {
    return String.valueOf(getMessage()).lines().toList();
  }
}
