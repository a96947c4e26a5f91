package dev.kymo.cli.print;

/**
 * A format that writes events, a line each. Keeps nothing of them: it may serve several outputs.
 */
interface LineFormat {
  /** There was no line before. */
  long NONE = Long.MIN_VALUE;

  /** Lines before all events, each with its end. */
  default String head() {
    return "";
  }

  /**
   * Appends an event's line with its end.
   *
   * @param before time of the event in the line before, or {@link #NONE}
   */
  void append(PrintedEvent event, long before, StringBuilder to);

  /** Ending of the names of files with such lines. */
  default String ending() {
    return ".txt";
  }
}
