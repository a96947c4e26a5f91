package dev.kymo.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checked parameters of a request: what is missing, not a number or out of range is reported. */
public final class Query {
  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Takes a query apart.
   *
   * @param raw what follows the question mark, if anything
   */
  public static Query of(@Nullable String raw) {
    Map<String, String> values = new HashMap<>();
    if (raw != null && !raw.isEmpty()) {
      for (String pair : raw.split("&")) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        if (values.put(decode(name), decode(value)) != null) {
          throw new BadRequestException("Parameter given twice: " + decode(name) + '.');
        }
      }
    }
    return new Query(values);
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Parameters whose names begin so, by the rest of their names. */
  public Map<String, String> startingWith(String prefix) {
    Map<String, String> found = new HashMap<>();
    values.forEach((name, value) -> {
      if (name.startsWith(prefix)) {
        found.put(name.substring(prefix.length()), value);
      }
    });
    return found;
  }

  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new BadRequestException("Parameter missing: " + name + '.');
    }
    return value;
  }

  public long number(String name, long min, long max) {
    return number(name, text(name), min, max);
  }

  /** {@code true} or {@code false}, which it is if it is missing. */
  public boolean flag(String name) {
    String value = values.getOrDefault(name, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new BadRequestException("Neither true nor false: " + name + "=" + value + '.');
    }
    return value.equals("true");
  }

  /** A list of whole numbers, separated by commas. */
  public int[] numbers(String name, int max, int maxCount) {
    String text = text(name);
    String[] parts = text.isEmpty() ? new String[0] : text.split(",", -1);
    if (parts.length > maxCount) {
      throw new BadRequestException(
          "Too many values: " + name + "=" + parts.length + ", at most " + maxCount + '.');
    }
    int[] numbers = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      numbers[i] = (int) number(name, parts[i], 0, max);
    }
    return numbers;
  }

  public static long number(String name, String text, long min, long max) {
    long number;
    try {
      number = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new BadRequestException("Not a whole number: " + name + "=" + text + '.');
    }
    if (number < min || number > max) {
      throw new BadRequestException(
          "Out of range: " + name + "=" + number + ", allowed " + min + " to " + max + '.');
    }
    return number;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("Wrong percent sign in the query.");
    }
  }
}
