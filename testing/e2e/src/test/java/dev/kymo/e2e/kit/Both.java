package dev.kymo.e2e.kit;

import java.util.List;
import java.util.stream.Collectors;

/** Two programs that talk to each other. */
public final class Both {
  private static final String SCRIPT = "eval \"$1\" & eval \"$2\"; result=$?; wait; exit $result";

  private Both() {}

  /** A command that starts the first one, runs the second one, and waits for both. */
  public static String[] of(List<String> first, List<String> second) {
    return new String[] {"sh", "-c", SCRIPT, "sh", quoted(first), quoted(second)};
  }

  private static String quoted(List<String> words) {
    return words.stream()
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }
}
