package dev.kymo.reader;

/** State of a recording: whether there will be more of it. */
public enum RecordingState {
  /** The recorder is at work. */
  GROWING,
  /**
   * The recorder was killed. What the recorded programs left in shared memory is missing until
   * somebody takes it from there, as every {@code kymo} command does; then it is complete.
   */
  ABANDONED,
  COMPLETE
}
