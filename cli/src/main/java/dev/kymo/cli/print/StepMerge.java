package dev.kymo.cli.print;

import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.RecordedDefinitions;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Changes in how methods are recorded, in the order of time; there may be more later. */
final class StepMerge {
  private final RecordedDefinitions definitions;
  private final PriorityQueue<Next> next =
      new PriorityQueue<>(
          Comparator.<Next>comparingLong(n -> n.step().time())
              .thenComparingInt(n -> n.step().process())
              .thenComparingInt(Next::number));

  private int known;

  /**
   * A step.
   *
   * @param number counts them as they were read
   */
  private record Next(ModeStep step, int number) {}

  StepMerge(RecordedDefinitions definitions) {
    this.definitions = definitions;
  }

  /** The next step if it is not later than a clock. */
  @Nullable ModeStep until(long clock) {
    if (known < definitions.countOfSteps()) {
      for (ModeStep step : definitions.stepsAfter(known)) {
        next.add(new Next(step, known++));
      }
    }
    Next first = next.peek();
    if (first == null || first.step().time() > clock) {
      return null;
    }
    next.remove();
    return first.step();
  }
}
