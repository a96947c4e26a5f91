package dev.kymo.importers.target;

import java.io.IOException;
import java.nio.file.Path;

/** A file is not as its format wants it: where, and what is wrong. */
public final class ForeignException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * What is wrong with the bytes at an offset.
   *
   * @param problem {@code event has no id}
   * @param facts more of it, {@code id=12 stream=3}; empty if there is no more
   */
  public ForeignException(String problem, Path file, long offset, String facts) {
    super(message(problem, file, "offset=" + offset, facts));
  }

  private ForeignException(String message) {
    super(message);
  }

  public static ForeignException inLine(String problem, Path file, long line, String facts) {
    return new ForeignException(message(problem, file, "line=" + line, facts));
  }

  /** Names in a damaged file may have anything in them, ends of lines too. */
  private static String message(String problem, Path file, String where, String facts) {
    String plain = facts.isEmpty() ? "" : " " + facts.replaceAll("\\p{Cntrl}", "?");
    return "%s: file=%s %s%s".formatted(problem.replaceAll("\\p{Cntrl}", "?"), file, where, plain);
  }
}
