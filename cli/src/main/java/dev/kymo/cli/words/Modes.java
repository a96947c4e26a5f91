package dev.kymo.cli.words;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.ModeStep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How methods are recorded, in words. */
public final class Modes {
  private Modes() {}

  public static String name(int mode) {
    return switch (mode) {
      case MethodMode.LEFT_OUT -> "left out";
      case MethodMode.EVENTS -> "events";
      case MethodMode.TIMED -> "timed";
      case MethodMode.SAMPLED -> "timed by sample";
      default -> "mode " + mode;
    };
  }

  /** A step: {@code a.B.c: events -> timed: it is called 2 000 000 times a second}. */
  public static String text(CallPass pass, ModeStep step) {
    return "%s: %s -> %s: %s"
        .formatted(
            pass.definitions().methods().get(step.method()).qualifiedName(),
            name(step.before()),
            name(step.mode()),
            step.reason());
  }

  /** Whether a step makes the method's probes cheaper. */
  public static boolean down(ModeStep step) {
    return cheapness(step.mode()) > cheapness(step.before());
  }

  private static int cheapness(int mode) {
    return mode == MethodMode.LEFT_OUT ? Integer.MAX_VALUE : mode;
  }

  /** How many methods are recorded in a way at the end; of the methods that had steps. */
  public static long atEnd(List<ModeStep> steps, int mode) {
    Map<Integer, Integer> last = new HashMap<>();
    steps.forEach(step -> last.put(step.method(), step.mode()));
    return last.values().stream().filter(m -> m == mode).count();
  }
}
