package dev.kymo.analysis.cause;

import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.format.SchedulerState;
import dev.kymo.format.WaitKind;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** States of threads in words: {@code waited for monitor a.B@1f, released by worker-3}. */
public final class StateText {
  /** What the other thread did, by the kind of state. */
  private static final Map<String, String> DEEDS =
      Map.ofEntries(
          Map.entry(WaitKind.MONITOR.word(), "released by"),
          Map.entry(WaitKind.LOCK.word(), "released by"),
          Map.entry(WaitKind.MUTEX.word(), "released by"),
          Map.entry(WaitKind.RWLOCK.word(), "released by"),
          Map.entry(WaitKind.SPINLOCK.word(), "released by"),
          Map.entry(WaitKind.SEMAPHORE.word(), "posted by"),
          Map.entry(WaitKind.CONDITION.word(), "signalled by"),
          Map.entry(WaitKind.PARK.word(), "unparked by"),
          Map.entry(WaitKind.WAIT.word(), "notified by"),
          Map.entry(WaitKind.JOIN.word(), "ended:"),
          Map.entry(WaitKind.START.word(), "started by"),
          Map.entry("Class loading", "for"),
          Map.entry(SchedulerState.BLOCKED.word(), "woken by"),
          Map.entry(SchedulerState.RUNNABLE.word(), "after"));

  private final RecordedDefinitions definitions;

  public StateText(RecordedDefinitions definitions) {
    this.definitions = definitions;
  }

  /** What a state is called: {@code monitor a.B}, {@code sleep}. */
  public static String name(TracedMethod state) {
    return Stream.of(state.type(), state.name())
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** What a state was, or is still at the end of the recording. */
  public String of(CallCursor call) {
    ThreadCalls thread = call.thread();
    TracedMethod state = definitions.methods().get(call.method());
    boolean open = call.is(Slice.OPEN_END);
    if (state.is(WaitKind.SLEEP)) { // the program's own; the kernel's is a kind of blocked
      return open ? "sleeps" : "slept";
    }
    if (ReportedTimes.isWeaving(state)) {
      return "waited until Kymo had put probes into " + state.name();
    }
    boolean waits = TrackKind.of(thread.definition()) == TrackKind.STATES;
    return (waits ? open ? "waits for " : "waited for " : "")
        + name(state)
        + (call.object() == 0 ? "" : "@" + Integer.toHexString(call.object()))
        + (call.other() == 0 ? "" : by(state, other(call), open));
  }

  private String other(CallCursor call) {
    return ThreadNames.of(definitions.threadOrNameless(call.thread().process(), call.other()));
  }

  /**
   * Who ended a thread's state, as words that follow the state; empty if the name is empty.
   *
   * @param open whether the state has not ended: then who has what the thread waits for
   */
  public static String by(TracedMethod state, String name, boolean open) {
    if (open && !name.isEmpty()) {
      return state.is(WaitKind.JOIN) ? ", " + name : ", held by " + name;
    }
    String deed = DEEDS.getOrDefault(state.type(), "woken by");
    return name.isEmpty() ? "" : ", " + deed + " " + name;
  }
}
