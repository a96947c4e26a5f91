package dev.kymo.analysis;

import dev.kymo.model.SchedulerState;
import dev.kymo.model.TracedMethod;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Tells which state of the scheduler a method stands for: asked for each of very many. */
final class SchedulerStates {
  private final IntFunction<TracedMethod> methods;
  private @Nullable SchedulerState[] known = {};
  private boolean[] asked = {};

  SchedulerStates(IntFunction<TracedMethod> methods) {
    this.methods = methods;
  }

  /** Nothing if it is none of them. */
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
      found = each.is(state) ? each : found;
    }
    asked[method] = true;
    known[method] = found;
    return found;
  }
}
