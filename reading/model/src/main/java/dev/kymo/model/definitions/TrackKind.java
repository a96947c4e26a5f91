package dev.kymo.model.definitions;

import dev.kymo.format.Definition;
import dev.kymo.format.SchedulerState;

/** Kinds of tracks, by what they show. */
public enum TrackKind {
  /** Calls of a thread, platform or virtual. */
  CALLS,
  /** What a thread waited for, as calls. */
  STATES,
  /** Something that the virtual machine does, as calls. */
  JVM,
  /** What the kernel did with a thread, as calls: {@link SchedulerState}. */
  SCHEDULED,
  /** A processor: the threads that ran there, as calls, and interrupts. */
  CPU;

  public static TrackKind of(Definition.TracedThread thread) {
    return switch (thread.kind()) {
      case Definition.TracedThread.STATES -> STATES;
      case Definition.TracedThread.JVM -> JVM;
      case Definition.TracedThread.SCHEDULED -> SCHEDULED;
      case Definition.TracedThread.CPU -> CPU;
      default -> CALLS;
    };
  }

  /** Whether its calls may say who let the thread go on, or for which thread they were. */
  public boolean hasDetails() {
    return this == STATES || this == SCHEDULED || this == JVM;
  }
}
