package dev.kymo.cli.terminal;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Lines of comma-separated values as RFC 4180 has them. */
public final class Csv {
  private Csv() {}

  public static String line(Object... values) {
    return Arrays.stream(values).map(v -> quoted(v.toString())).collect(Collectors.joining(","));
  }

  private static String quoted(String value) {
    boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
