package dev.kymo.analysis.cause;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TracedMethod;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the scheduler state that a method stands for; fast, because it is asked for every state.
 */
final class SchedulerStates {
  private final IntFunction<TracedMethod> methods;
  private @Nullable SchedulerState[] known = {};
  private boolean[] asked = {};

  SchedulerStates(IntFunction<TracedMethod> methods) {
    this.methods = methods;
  }

  /** Null if it is not one of them. */
  @Nullable SchedulerState of(int method) {
    return method < asked.length && asked[method] ? known[method] : find(method);
  }

  private @Nullable SchedulerState find(int method) {
    if (method >= asked.length) {
      int size = Math.max(method + 1, asked.length * 2);
      asked = Arrays.copyOf(asked, size);
      known = Arrays.copyOf(known, size);
    }
    TracedMethod state = methods.apply(method);
    SchedulerState found = null;
    for (SchedulerState each : SchedulerState.values()) {
      found = state.is(each) ? each : found;
    }
    asked[method] = true;
    known[method] = found;
    return found;
  }
}
