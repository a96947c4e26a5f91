package dev.kymo.model;

/** What an arrow tells; each kind is kept, and asked for, by itself. */
public enum ArrowKind {
  /** Who let a thread go on, as the program tells it. */
  WAIT,
  /** Who woke a blocked thread, as the kernel tells it. */
  WAKE_UP,
  /** Who had the processor before, while the thread wanted it. */
  SWITCH,
  /** Who woke the thread and gave it its processor. */
  HAND_OFF,
  /** A message of the program's own. */
  MESSAGE;

  /** What the detail of a state tells. */
  static ArrowKind of(TrackKind track, TracedMethod state) {
    if (track != TrackKind.SCHEDULED) {
      return WAIT;
    }
    if (SchedulerState.HANDED.is(state)) {
      return HAND_OFF;
    }
    return SchedulerState.RUNNABLE.is(state) ? SWITCH : WAKE_UP;
  }
}
