package dev.kymo.spark;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkThrowable;

/** Spark's errors about questions that it cannot answer, in a line or two. */
final class Errors {
  /** Before the text stands the kind of error, after it the number of that, the place, the plan. */
  private static final Pattern TEXT =
      Pattern.compile("(?:\\[[A-Z0-9_.]+] )?(.*?)(?: SQLSTATE: .*|\n.*)?", Pattern.DOTALL);

  private static final Pattern PLACE = Pattern.compile("line (\\d+),? pos (\\d+)");
  private static final String NO_TABLE = "TABLE_OR_VIEW_NOT_FOUND";

  private Errors() {}

  /** Describes an error; the tables are those that there are. */
  static String text(Throwable error, Set<String> tables) {
    Throwable first = error;
    Throwable told = error instanceof SparkThrowable ? error : null;
    while (first.getCause() != null) {
      first = first.getCause();
      if (first instanceof SparkThrowable cause && cause.getCondition() != null) {
        told = first; // stages and jobs fail because of it
      }
    }
    String message = String.valueOf((told == null ? first : told).getMessage()).strip();
    Matcher text = TEXT.matcher(message);
    String line = text.matches() ? text.group(1).strip() : message;
    Matcher place = PLACE.matcher(message);
    if (place.find()) {
      line +=
          " (line %s, column %d)".formatted(place.group(1), Integer.parseInt(place.group(2)) + 1);
    }
    if (told instanceof SparkThrowable spark
        && String.valueOf(spark.getCondition()).startsWith(NO_TABLE)) {
      line += "\nthere are: " + String.join(", ", tables);
    }
    return told == null ? "%s: %s".formatted(first.getClass().getSimpleName(), line) : line;
  }
}
