package dev.kymo.model;

/**
 * What a call on a track of kind {@link TrackKind#SCHEDULED} is; its method's type has the word.
 * The first three are at depth 0 and do not overlap: what lies between them is not known. The
 * others are inside running.
 */
public enum SchedulerState {
  /** On a processor. */
  RUNNING("running"),
  /** Wants to run and has no processor. */
  RUNNABLE("runnable"),
  /** Waits for something. */
  BLOCKED("blocked"),
  /** The processor does something else meanwhile. */
  INTERRUPTED("interrupted"),
  /** A page fault, an instant. */
  FAULT("fault"),
  /** The thread that woke it gave it its processor, an instant. */
  HANDED("handed");

  private final String word;

  SchedulerState(String word) {
    this.word = word;
  }

  /** The type's name. */
  public String word() {
    return word;
  }

  /** Whether a state of a track is this. */
  public boolean is(TracedMethod state) {
    return state.type().equals(word);
  }
}
