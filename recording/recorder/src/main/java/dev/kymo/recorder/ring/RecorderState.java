package dev.kymo.recorder.ring;

/** The state of this process's recording, as the probes need it. */
public interface RecorderState {
  boolean isStopped();

  boolean isPaused();

  /**
   * Reports a fault inside the recorder once, and switches recording off. Never throws: it is
   * called in the middle of the program's code.
   */
  void fault(String what, Throwable cause);
}
