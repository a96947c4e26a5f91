package dev.kymo.analysis.names;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.ThreadCalls;

/** Names of threads for people. */
public final class ThreadNames {
  private ThreadNames() {}

  /** Its name; most virtual threads have none. */
  public static String of(TracedThread thread) {
    if (!thread.name().isEmpty() || thread.thread() == 0) {
      return thread.name(); // number 0 is a process as a whole
    }
    return thread.kind() == TracedThread.VIRTUAL ? "virtual thread" : "thread";
  }

  public static String of(ThreadCalls thread) {
    return of(thread.definition());
  }

  /** With its number, which distinguishes threads of the same name. */
  public static String numbered(TracedThread thread) {
    return of(thread) + '/' + thread.thread();
  }
}
