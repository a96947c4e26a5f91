package dev.kymo.analysis.statistics;

import dev.kymo.model.definitions.TrackKind;
import org.jspecify.annotations.Nullable;

/** What statistics are about. */
public enum Subject {
  /** Calls of methods, with the time they have inside the selection. */
  CALLS(TrackKind.CALLS),
  /** What threads waited for, as the program says. */
  WAITS(TrackKind.STATES),
  /** What the kernel did with threads. */
  KERNEL(TrackKind.SCHEDULED),
  /** What had the processors. */
  CPUS(TrackKind.CPU),
  /** What the virtual machine did. */
  JVM(TrackKind.JVM),
  /**
   * The programs' own events; their duration is the time since the event before of the same kind on
   * the same thread. An event that begins something takes until that ends.
   */
  EVENTS(null),
  /** Messages, by the event that sent them; their duration is the time until they were received. */
  MESSAGES(null);

  private final @Nullable TrackKind kind;

  Subject(@Nullable TrackKind kind) {
    this.kind = kind;
  }

  /** The tracks whose calls they are; null if they are no calls. */
  @Nullable TrackKind kind() {
    return kind;
  }

  /** Whether they are no calls, which could be looked at by themselves. */
  public boolean isPoint() {
    return kind == null;
  }
}
