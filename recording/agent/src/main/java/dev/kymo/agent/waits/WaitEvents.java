package dev.kymo.agent;

import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/** What the flight recorder tells of threads that wait. */
final class WaitEvents {
  private final ThreadClasses threadClasses;

  WaitEvents(ThreadClasses threadClasses) {
    this.threadClasses = threadClasses;
  }

  @Nullable State monitorEnter(RecordedEvent event) {
    return state(event, "monitor", monitor(event), object(event), thread(event, "previousOwner"));
  }

  @Nullable State monitorWait(RecordedEvent event) {
    String type = monitor(event);
    String kind = threadClasses.contains(type) ? "join" : "wait";
    RecordedThread notifier = event.getBoolean("timedOut") ? null : thread(event, "notifier");
    return state(event, kind, type, object(event), notifier);
  }

  @Nullable State sleep(RecordedEvent event) {
    return state(event, "sleep", "", 0, null);
  }

  @Nullable State start(RecordedEvent event) {
    return state(thread(event, "thread"), "start", "", 0, thread(event, "parentThread"));
  }

  private static @Nullable State state(
      RecordedEvent event, String kind, String name, int object, @Nullable RecordedThread other) {
    return state(event.getThread(), kind, name, object, other);
  }

  private static @Nullable State state(
      @Nullable RecordedThread thread,
      String kind,
      String name,
      int object,
      @Nullable RecordedThread other) {
    if (thread == null || thread.getJavaThreadId() <= 0) {
      return null;
    }
    return new State(
        thread.getJavaThreadId(),
        name(thread),
        0,
        0,
        kind,
        name,
        object,
        other == null ? 0 : Math.max(0, other.getJavaThreadId()),
        other == null ? null : name(other));
  }

  private static @Nullable RecordedThread thread(RecordedEvent event, String field) {
    return event.getThread(field);
  }

  static String name(RecordedThread thread) {
    String name = thread.getJavaName();
    return name == null ? "" : name;
  }

  private static String monitor(RecordedEvent event) {
    RecordedClass type = event.getClass("monitorClass");
    return type == null ? "" : type.getName();
  }

  /** The virtual machine's structure for the monitor stands for the object. */
  private static int object(RecordedEvent event) {
    long address = event.getLong("address");
    return (int) (address >>> 3 ^ address >>> 35);
  }
}
