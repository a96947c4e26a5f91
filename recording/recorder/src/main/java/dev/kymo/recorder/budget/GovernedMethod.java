package dev.kymo.recorder.budget;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.recorder.ring.Counter;
import dev.kymo.recorder.ring.MethodCounters;
import org.jspecify.annotations.Nullable;

/** A method that is, or was, not recorded as events. */
final class GovernedMethod {
  private static final double FIRST_HOLD_SECONDS = 4;

  final MethodCounters counted;
  double hold = FIRST_HOLD_SECONDS;
  long since;
  long calmSince;
  double rate;

  /** The reason for leaving it out. */
  String reason = "";

  /** Calls per second when it had to go down. */
  volatile long found;

  @Nullable Counter busiest;

  GovernedMethod(int method) {
    this(method, MethodMode.EVENTS);
  }

  GovernedMethod(int method, int mode) {
    this.counted = MethodCounters.mode(method, mode);
  }

  void forget() {
    rate = 0;
    busiest = null;
  }
}
