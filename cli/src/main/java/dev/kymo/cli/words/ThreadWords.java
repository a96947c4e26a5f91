package dev.kymo.cli;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.ThreadCalls;

/** What people are told a thread is called. */
final class ThreadWords {
  private ThreadWords() {}

  /** Its name; most virtual threads have none. */
  static String of(TracedThread thread) {
    if (!thread.name().isEmpty() || thread.thread() == 0) {
      return thread.name(); // number 0 is a process as a whole
    }
    return thread.kind() == TracedThread.VIRTUAL ? "virtual thread" : "thread";
  }

  static String of(ThreadCalls thread) {
    return of(thread.definition());
  }

  /** With its number, which tells it from others of the same name. */
  static String numbered(TracedThread thread) {
    return of(thread) + '/' + thread.thread();
  }
}
