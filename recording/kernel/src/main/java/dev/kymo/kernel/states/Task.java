package dev.kymo.kernel.states;

/** A thread as the kernel sees it, from its creation to its end. */
final class Task {
  /** What it does. */
  enum State {
    UNKNOWN,
    RUNNING,
    RUNNABLE,
    BLOCKED
  }

  final int tid;

  /** Of its process. */
  final int pid;

  String name;

  /** Number in the recording, 0 = it has no track yet. */
  int track;

  /** What its calls on tracks of processors are called, 0 = not defined yet. */
  int label;

  State state = State.UNKNOWN;

  /** Method of the call that stands for its state. */
  int method;

  /** Method that stands for being blocked in the system call it is in, 0 = it is in none known. */
  int syscall;

  /** Its last event was a page fault. */
  boolean faulted;

  Task(int tid, int pid, String name) {
    this.tid = tid;
    this.pid = pid;
    this.name = name;
  }
}
