package dev.kymo.format;

import java.util.Locale;

/**
 * A state in which the kernel has a thread: a call on a track of kind {@link
 * Definition.TracedThread#SCHEDULED}, whose type's name is the {@link #word}. The first three are
 * at depth 0 and do not overlap; what lies between them is not known. The others are inside
 * running.
 */
public enum SchedulerState {
  /** On a processor. */
  RUNNING,
  /** Ready to run, without a processor. */
  RUNNABLE,
  /** Waiting for something. */
  BLOCKED,
  /** The processor does something else. */
  INTERRUPTED,
  /** A page fault, an instant. */
  FAULT,
  /** The thread that woke it gave it its processor, an instant. */
  HANDED;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** As recordings, tables and the viewer have it. */
  public String word() {
    return word;
  }
}
