package dev.kymo.analysis.cause;

import dev.kymo.format.Definition.TracedThread;

/** A thread, whichever of its tracks names it. */
record ThreadKey(int process, Named by, long id) {
  /** Who has numbered a thread and its process. */
  enum Named {
    PROGRAM,
    NATIVE,
    KERNEL
  }

  static ThreadKey of(int process, TracedThread of) {
    if (of.kind() == TracedThread.SCHEDULED) {
      return ofKernel((int) of.javaId(), of.tid());
    }
    return of.javaId() == 0
        ? new ThreadKey(process, Named.NATIVE, of.tid())
        : new ThreadKey(process, Named.PROGRAM, of.javaId());
  }

  /** As the kernel names threads. */
  static ThreadKey ofKernel(int pid, int tid) {
    return new ThreadKey(pid, Named.KERNEL, tid);
  }
}
