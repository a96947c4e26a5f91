package dev.kymo.model.arrows;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;

/** The meaning of an arrow; each kind is kept, and asked for, separately. */
public enum ArrowKind {
  /** Who let a thread continue, as the program reports it. */
  WAIT,
  /** Who woke a blocked thread, as the kernel reports it. */
  WAKE_UP,
  /** Who had the processor before, while the thread wanted it. */
  SWITCH,
  /** Who woke the thread and gave it its processor. */
  HAND_OFF,
  /** A message of user events. */
  MESSAGE;

  /** The kind of arrow that a state's detail makes. */
  public static ArrowKind of(TrackKind track, TracedMethod state) {
    if (track != TrackKind.SCHEDULED) {
      return WAIT;
    }
    if (state.is(SchedulerState.HANDED)) {
      return HAND_OFF;
    }
    return state.is(SchedulerState.RUNNABLE) ? SWITCH : WAKE_UP;
  }
}
