package dev.kymo.cli;

import dev.kymo.model.SchedulerState;
import dev.kymo.model.TracedMethod;

/** States of the scheduler in words: {@code blocked in futex, woken by worker-3}. */
final class KernelWords {
  private KernelWords() {}

  /**
   * A state.
   *
   * @param other name of the other thread; empty = not known
   */
  static String of(TracedMethod state, String other) {
    String what = state.name();
    String by = other.isEmpty() ? "" : " " + other;
    if (SchedulerState.BLOCKED.is(state)) {
      return "blocked" + (what.isEmpty() ? "" : " in " + what) + after(", woken by", by);
    }
    if (SchedulerState.RUNNABLE.is(state)) {
      return "runnable, " + what + (by.isEmpty() ? "" : ";" + by + " had the processor");
    }
    if (SchedulerState.HANDED.is(state)) {
      return "got the processor" + after(" from", by);
    }
    if (SchedulerState.INTERRUPTED.is(state)) {
      return "interrupted by " + what;
    }
    return WaitText.name(state);
  }

  private static String after(String words, String by) {
    return by.isEmpty() ? "" : words + by;
  }
}
