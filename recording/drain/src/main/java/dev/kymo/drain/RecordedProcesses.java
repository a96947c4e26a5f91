package dev.kymo.drain;

import java.nio.file.Path;

/** The processes of this machine that belong to a recording. */
interface RecordedProcesses {
  /** Whether a process belongs to it, or was started by one that does. */
  boolean follows(long pid);

  /**
   * The number that a process has here. One in a container, with a PID name space of its own, knows
   * only the number that it has there.
   *
   * @param claimed its number as it gives it
   * @param folder its folder in shared memory
   * @return 0 if it has ended, and its number cannot be known any more
   */
  default int here(int claimed, Path folder) {
    return claimed;
  }
}
