package dev.kymo.analysis.selection;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.definitions.ModeStep;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the methods of which nothing was recorded for some of a time range. */
public final class LeftOut {
  private LeftOut() {}

  /**
   * Numbers of methods.
   *
   * @param steps in the order of their times
   */
  public static BitSet between(List<ModeStep> steps, long from, long to) {
    BitSet found = new BitSet();
    Map<Integer, Long> since = new HashMap<>();
    for (ModeStep step : steps) {
      if (step.before() == MethodMode.LEFT_OUT) {
        Long begin = since.remove(step.method());
        if (step.time() >= from && (begin == null || begin <= to)) {
          found.set(step.method());
        }
      }
      if (step.mode() == MethodMode.LEFT_OUT) {
        since.put(step.method(), step.time());
      }
    }
    since.forEach((method, begin) -> {
      if (begin <= to) {
        found.set(method);
      }
    });
    return found;
  }

  /**
   * The methods that could not be recorded in a time range, and why. Their time is in their
   * callers' self time.
   *
   * @param steps in the order of their times
   * @return the steps with which they were left out, in the same order
   */
  public static List<ModeStep> never(List<ModeStep> steps, long from, long to) {
    BitSet without = between(steps, from, to);
    return steps.stream()
        .filter(step -> step.mode() == MethodMode.LEFT_OUT)
        .filter(step -> MethodMode.isNever(step.reason()))
        .filter(step -> without.get(step.method()))
        .toList();
  }
}
