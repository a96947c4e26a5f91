package dev.kymo.cli.report;

import dev.kymo.analysis.names.Quantity;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.ModeStep;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Methods whose recording mode was taken over from an earlier run of the program. */
final class Remembered {
  /** Maximum number of names. */
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
    return "%d methods began as in the run before: %d timed, %d timed by sample, %d left out; --no-memory starts from scratch"
        .formatted(
            steps.size(),
            count(MethodMode.TIMED),
            count(MethodMode.SAMPLED),
            count(MethodMode.LEFT_OUT));
  }

  long count(int mode) {
    return steps.stream().filter(step -> step.mode() == mode).count();
  }

  /** The wanted methods that were left out, with their call rates, the highest first. */
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
