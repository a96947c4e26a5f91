package dev.kymo.agent.waits;

import dev.kymo.format.WaitKind;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/** The flight recorder's events about threads that wait. */
final class WaitEvents {
  private final ThreadClasses threadClasses;

  WaitEvents(ThreadClasses threadClasses) {
    this.threadClasses = threadClasses;
  }

  @Nullable State monitorEnter(RecordedEvent event) {
    return state(
        event, WaitKind.MONITOR, monitor(event), object(event), thread(event, "previousOwner"));
  }

  @Nullable State monitorWait(RecordedEvent event) {
    String type = monitor(event);
    WaitKind kind = threadClasses.contains(type) ? WaitKind.JOIN : WaitKind.WAIT;
    RecordedThread notifier = event.getBoolean("timedOut") ? null : thread(event, "notifier");
    return state(event, kind, type, object(event), notifier);
  }

  @Nullable State sleep(RecordedEvent event) {
    return state(event, WaitKind.SLEEP, "", 0, null);
  }

  @Nullable State start(RecordedEvent event) {
    return state(thread(event, "thread"), WaitKind.START, "", 0, thread(event, "parentThread"));
  }

  private static @Nullable State state(
      RecordedEvent event, WaitKind kind, String name, int object, @Nullable RecordedThread other) {
    return state(event.getThread(), kind, name, object, other);
  }

  private static @Nullable State state(
      @Nullable RecordedThread thread,
      WaitKind kind,
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
        kind.word(),
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

  /** The address of the virtual machine's structure for the monitor identifies the object. */
  private static int object(RecordedEvent event) {
    long address = event.getLong("address");
    return (int) (address >>> 3 ^ address >>> 35);
  }
}
