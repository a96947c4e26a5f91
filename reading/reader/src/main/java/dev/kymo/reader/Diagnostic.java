package dev.kymo.reader;

/**
 * One place where a recording is odd.
 *
 * @param file name of the file in the recording
 * @param offset byte in the file
 * @param facts {@code name=value}, separated by spaces; may be empty
 */
public record Diagnostic(Oddity oddity, String file, long offset, String facts) {
  /** A line for people: file, what is wrong, where, the facts, and what was done about it. */
  public String text() {
    String all = facts.isEmpty() ? "" : " " + facts;
    return "%s: %s: offset=%d%s; %s".formatted(file, oddity.what(), offset, all, oddity.done());
  }
}
