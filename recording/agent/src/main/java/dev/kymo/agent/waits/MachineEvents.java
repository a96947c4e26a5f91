package dev.kymo.agent.waits;

import java.util.HashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/** The flight recorder's events about the virtual machine's own work. */
final class MachineEvents {
  private final Map<Long, Safepoint> safepoints = new HashMap<>();

  /** A safepoint that is not over: its begin on the flight recorder's clock, and its purpose. */
  private record Safepoint(long begin, String operation) {}

  State collection(RecordedEvent event) {
    return done("GC", event.getString("name") + ": " + event.getString("cause"));
  }

  State pause(RecordedEvent event) {
    return done("GC pauses", event.getString("name"));
  }

  State compilation(RecordedEvent event) {
    RecordedMethod method = event.getValue("method");
    return done(
        "JIT compiler", method == null ? "" : method.getType().getName() + "." + method.getName());
  }

  State classLoad(RecordedEvent event) {
    RecordedClass type = event.getClass("loadedClass");
    RecordedThread thread = event.getThread();
    return State.ofMachine(
        "Class loading",
        0,
        0,
        type == null ? "" : type.getName(),
        thread == null ? 0 : Math.max(0, thread.getJavaThreadId()),
        thread == null ? null : WaitEvents.name(thread));
  }

  @Nullable State safepointBegin(RecordedEvent event) {
    long begin = event.getLong("startTime");
    safepoints.put(event.getLong("safepointId"), new Safepoint(begin, ""));
    return null;
  }

  @Nullable State operation(RecordedEvent event) {
    if (event.getBoolean("safepoint")) {
      safepoints.computeIfPresent(
          event.getLong("safepointId"),
          (id, at) ->
              at.operation.isEmpty()
                  ? new Safepoint(at.begin, String.valueOf(event.getString("operation")))
                  : at);
    }
    return null;
  }

  @Nullable State safepointEnd(RecordedEvent event) {
    Safepoint at = safepoints.remove(event.getLong("safepointId"));
    return at == null ? null : State.ofMachine("Safepoints", at.begin, 0, at.operation);
  }

  private static State done(String track, @Nullable String what) {
    return State.ofMachine(track, 0, 0, what == null ? "" : what);
  }
}
