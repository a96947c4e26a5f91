package dev.kymo.cli.words;

import dev.kymo.analysis.cause.StateText;
import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TracedMethod;

/** States of the scheduler in words: {@code blocked in futex, woken by worker-3}. */
public final class KernelWords {
  private KernelWords() {}

  /**
   * A state.
   *
   * @param other name of the other thread; empty = not known
   */
  public static String of(TracedMethod state, String other) {
    String what = state.name();
    String by = other.isEmpty() ? "" : " " + other;
    if (state.is(SchedulerState.BLOCKED)) {
      return "blocked" + (what.isEmpty() ? "" : " in " + what) + after(", woken by", by);
    }
    if (state.is(SchedulerState.RUNNABLE)) {
      return "runnable, " + what + (by.isEmpty() ? "" : ";" + by + " had the processor");
    }
    if (state.is(SchedulerState.HANDED)) {
      return "got the processor" + after(" from", by);
    }
    if (state.is(SchedulerState.INTERRUPTED)) {
      return "interrupted by " + what;
    }
    return StateText.name(state);
  }

  private static String after(String words, String by) {
    return by.isEmpty() ? "" : words + by;
  }
}
