package dev.kymo.states;

/** A thread as the kernel sees it, from its creation to its end. */
final class Task {
  enum State {
    UNKNOWN,
    RUNNING,
    RUNNABLE,
    BLOCKED
  }

  final int tid;

  final int pid;

  String name;

  /** Number in the recording, 0 = it has no track yet. */
  int track;

  /** Method of its calls on tracks of processors, 0 = not defined yet. */
  int label;

  State state = State.UNKNOWN;

  /** Method of the call that stands for its state. */
  int method;

  /**
   * Method that stands for being blocked in the system call it is in, 0 = it is in no known system
   * call.
   */
  int syscall;

  boolean exiting;

  /** Whether its last event was a page fault. */
  boolean faulted;

  Task(int tid, int pid, String name) {
    this.tid = tid;
    this.pid = pid;
    this.name = name;
  }
}
