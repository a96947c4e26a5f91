package dev.kymo.analysis.difference;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * By how much something may grow: {@code 5%} is for everything, {@code X.parse p99 +10%} for one
 * figure of the methods with that name.
 *
 * @param text as it was given
 * @param name of methods; empty = everything
 * @param limit share that it may grow, or nanoseconds or calls if {@code absolute}
 */
public record GateRule(String text, String name, Metric metric, double limit, boolean absolute) {
  private static final Pattern EVERYTHING = Pattern.compile("\\+?(\\d{1,6}(?:\\.\\d{1,6})?)\\s*%");
  private static final Pattern NAMED =
      Pattern.compile(
          "(\\S+)\\s+(calls|self|mean|p50|p90|p95|p99|max)\\s+\\+(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(%|s|ms|us|ns|)");

  /** A figure of a method. */
  public enum Metric {
    CALLS,
    SELF,
    MEAN,
    P50,
    P90,
    P95,
    P99,
    MAX;

    /** Of a percentile: the share of calls below it. */
    double share() {
      return switch (this) {
        case P50 -> 0.5;
        case P90 -> 0.9;
        case P95 -> 0.95;
        case P99 -> 0.99;
        default -> 1;
      };
    }
  }

  /** Reads a rule; empty if it is none. */
  public static Optional<GateRule> of(String text) {
    Matcher all = EVERYTHING.matcher(text.strip());
    if (all.matches()) {
      double limit = Double.parseDouble(all.group(1)) / 100;
      return Optional.of(new GateRule(text, "", Metric.SELF, limit, false));
    }
    Matcher named = NAMED.matcher(text.strip());
    if (!named.matches()) {
      return Optional.empty();
    }
    Metric metric = Metric.valueOf(named.group(2).toUpperCase(Locale.ROOT));
    String unit = named.group(4);
    boolean ofCalls = metric == Metric.CALLS;
    if (!unit.equals("%") && ofCalls != unit.isEmpty()) {
      return Optional.empty();
    }
    double factor =
        switch (unit) {
          case "%" -> 0.01;
          case "s" -> 1e9;
          case "ms" -> 1e6;
          case "us" -> 1e3;
          default -> 1;
        };
    double limit = Double.parseDouble(named.group(3)) * factor;
    return Optional.of(new GateRule(text, named.group(1), metric, limit, !unit.equals("%")));
  }

  public boolean isForEverything() {
    return name.isEmpty();
  }

  /**
   * Whether a method is meant: by its full name, or the end of it that begins after a dot; {@code
   * *} stands for anything.
   */
  public boolean matches(String method) {
    if (name.isEmpty()) {
      return false;
    }
    String regex =
        Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile("(?:.*[.])?" + regex).matcher(method).matches();
  }

  /** Whether a figure has grown by more than it may. */
  boolean isBroken(double before, double after) {
    return after - before > (absolute ? limit : limit * before);
  }
}
