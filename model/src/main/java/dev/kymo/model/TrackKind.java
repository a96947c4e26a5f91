package dev.kymo.model;

import dev.kymo.format.Definition;

/** What a track shows. */
public enum TrackKind {
  /** Calls of a thread, platform or virtual. */
  CALLS,
  /** What a thread waited for, as calls. */
  STATES,
  /** Something that the virtual machine does, as calls. */
  JVM;

  /** What a thread of this definition shows. */
  public static TrackKind of(Definition.TracedThread thread) {
    return switch (thread.kind()) {
      case Definition.TracedThread.STATES -> STATES;
      case Definition.TracedThread.JVM -> JVM;
      default -> CALLS;
    };
  }
}
