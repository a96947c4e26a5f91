package dev.kymo.query.ask;

import java.sql.SQLException;

/** What the engine says of questions that it cannot answer. */
public final class QueryErrors {
  private static final String OUT_OF_MEMORY = "Out of Memory Error";

  /** All that the engine says when memory ends after the first row. */
  private static final String STREAM_ENDED = "Invalid result set";

  private static final String INTERRUPTED = "INTERRUPT Error";

  private QueryErrors() {}

  /** Whether it had too little memory. */
  public static boolean isMemory(SQLException error) {
    String text = String.valueOf(error.getMessage()).strip();
    return text.startsWith(OUT_OF_MEMORY) || text.contains(STREAM_ENDED);
  }

  /** Its words, and the place in the question, in lines of their own. */
  public static String text(SQLException error) {
    if (String.valueOf(error.getMessage()).strip().startsWith(INTERRUPTED)) {
      return "the question was cancelled";
    }
    return String.join(
        "\n", String.valueOf(error.getMessage()).lines().filter(line -> !line.isBlank()).toList());
  }
}
