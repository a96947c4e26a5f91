package dev.kymo.cli;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.CallPass;
import dev.kymo.model.ModeStep;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Methods that began as they were at the end of an earlier run of the program. */
final class Remembered {
  /** So many are named. */
  private static final int NAMED = 5;

  private final List<ModeStep> steps;

  private Remembered(List<ModeStep> steps) {
    this.steps = steps;
  }

  static Remembered of(CallPass pass) {
    return new Remembered(pass.steps().stream().filter(Remembered::isSuch).toList());
  }

  /** Whether a step is that of such a method. */
  static boolean isSuch(ModeStep step) {
    return rate(step) >= 0;
  }

  private static long rate(ModeStep step) {
    return MethodMode.rateBefore(step.reason());
  }

  boolean isEmpty() {
    return steps.isEmpty();
  }

  /** How many there are, and of which kind. */
  String text() {
    return "%d methods began as in the run before: %d timed, %d timed by sample, %d left out; --no-memory begins anew"
        .formatted(
            steps.size(),
            count(MethodMode.TIMED),
            count(MethodMode.SAMPLED),
            count(MethodMode.LEFT_OUT));
  }

  long count(int mode) {
    return steps.stream().filter(step -> step.mode() == mode).count();
  }

  /** Those that were left out and are wanted, with what they were called: the most often first. */
  String leftOut(CallPass pass, Predicate<ModeStep> wanted) {
    List<ModeStep> found =
        steps.stream()
            .filter(step -> step.mode() == MethodMode.LEFT_OUT)
            .filter(wanted)
            .sorted(Comparator.comparingLong(Remembered::rate).reversed())
            .toList();
    String names =
        found.stream()
            .limit(NAMED)
            .map(step -> "%s (%s calls/s)".formatted(name(pass, step), Quantity.text(rate(step))))
            .collect(Collectors.joining(", "));
    return found.size() <= NAMED ? names : names + " and %d more".formatted(found.size() - NAMED);
  }

  private static String name(CallPass pass, ModeStep step) {
    return pass.definitions().methods().get(step.method()).qualifiedName();
  }
}
