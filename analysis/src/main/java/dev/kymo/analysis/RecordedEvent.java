package dev.kymo.analysis;

/**
 * A call's begin or end, as it was recorded.
 *
 * @param kind one of the constants
 * @param duration of the call, nanoseconds
 */
public record RecordedEvent(long time, int track, int depth, int method, int kind, long duration) {
  /** A call began. */
  public static final int ENTER = 0;

  /** A call returned. */
  public static final int LEAVE = 1;

  /** A call ended by an exception. */
  public static final int UNWIND = 2;
}
