package dev.kymo.reader;

/** Whether there will be more of a recording. */
public enum RecordingState {
  /** The recorder is at work. */
  GROWING,
  /**
   * The recorder was killed. What the recorded programs left in shared memory is missing until
   * somebody takes it from there, as every {@code kymo} command does; then it is complete.
   */
  ABANDONED,
  /** Everything is there. */
  COMPLETE
}
