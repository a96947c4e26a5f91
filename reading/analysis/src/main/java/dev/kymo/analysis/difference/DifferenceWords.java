package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathPlace;
import dev.kymo.analysis.difference.statistics.Interval;
import dev.kymo.analysis.names.TimeText;
import dev.kymo.model.calls.ThreadCalls;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Differences in words. */
public final class DifferenceWords {
  /** The inner ones of more callers are named. */
  private static final int CALLERS = 3;

  private final Difference difference;

  public DifferenceWords(Difference difference) {
    this.difference = difference;
  }

  /** {@code +1.800 ms}. */
  public static String signed(double nanos) {
    long rounded = Math.round(nanos);
    String sign = rounded < 0 ? "-" : rounded > 0 ? "+" : "";
    return sign + TimeText.text(Math.abs(rounded));
  }

  /** The method with its nearest callers. */
  public String title(Finding finding) {
    if (finding.key() < 0) {
      return "outermost calls";
    }
    List<Integer> path = finding.where().path();
    if (path.isEmpty()) {
      return difference.name(finding.key());
    }
    int last = path.size() - 1;
    String callers =
        path.subList(Math.max(0, last - CALLERS), last).reversed().stream()
            .map(difference::name)
            .reduce((one, other) -> one + " < " + other)
            .orElse("");
    String more = last > CALLERS ? " < …" : "";
    String places =
        finding.places() > 1 ? " and %d other paths".formatted(finding.places() - 1) : "";
    return difference.name(finding.key())
        + (callers.isEmpty() ? "" : " under " + callers + more)
        + places;
  }

  /** What differs, without the weight. */
  public String text(Part part) {
    String name = difference.name(part.key());
    return switch (part.kind()) {
      case BUSY -> "itself: " + perCall(part);
      case WAIT ->
          "waits for %s: %s".formatted(name.isEmpty() ? "other things" : name, perCall(part));
      case STOPPED -> "all threads stopped: " + perCall(part);
      case BLOCKED -> "blocked in the kernel: " + perCall(part);
      case RUNNABLE -> "without a processor: " + perCall(part);
      case LOADING -> "loading classes: " + perCall(part);
      case CALLS -> calls(part, name);
      case ORDER ->
          "calls %s after %s now, not before it"
              .formatted(difference.name(part.node().key()), name);
      case COUNTED ->
          "counted: %s → %s calls of any caller"
              .formatted(number(part.before()), number(part.after()));
    };
  }

  private static String perCall(Part part) {
    return "%s → %s a call"
        .formatted(
            TimeText.text(Math.round(part.before())), TimeText.text(Math.round(part.after())));
  }

  private static String calls(Part part, String name) {
    if (part.before() == 0) {
      return "calls %s, as it did not before: %s".formatted(name, times(part.after()));
    }
    if (part.after() == 0) {
      return "calls %s no more, before: %s".formatted(name, times(part.before()));
    }
    double more = part.after() - part.before();
    return "%s %s calls of %s: %s → %s"
        .formatted(
            number(Math.abs(more)),
            more < 0 ? "fewer" : "more",
            name,
            number(part.before()),
            number(part.after()));
  }

  private static String times(double calls) {
    return calls == 1 ? "once" : number(calls) + " times";
  }

  /** A number of calls, which is a mean. */
  public static String number(double calls) {
    if (calls == Math.rint(calls)) {
      return String.format(Locale.ROOT, "%.0f", calls);
    }
    return String.format(Locale.ROOT, calls >= 100 ? "%.1f" : "%.3g", calls);
  }

  /** How sure it is. */
  public static String certainty(Part part) {
    return switch (part.verdict()) {
      case EXACT -> "exact";
      case ONCE -> "exact, of one run";
      case CERTAIN, UNCERTAIN -> interval(part.weight());
      case INCOMPLETE -> "incomplete";
    };
  }

  private static String interval(Interval interval) {
    boolean known = Double.isFinite(interval.low()) && interval.low() < interval.high();
    return known ? signed(interval.low()) + " … " + signed(interval.high()) : "";
  }

  /** Where the longest of its calls is on a side: the call, and of several recordings which. */
  public Optional<String> place(AlignedNode node, Side side) {
    return LongestCall.of(difference, node, side)
        .map(longest -> {
          ThreadCalls thread = longest.thread();
          PathPlace at = longest.at();
          String id = TimeText.call(thread.process(), thread.thread(), at.depth(), at.begin());
          boolean several = difference.recordings(side).size() > 1;
          return several ? id + " of " + (longest.recording() + 1) : id;
        });
  }
}
