package dev.kymo.cli;

import dev.kymo.analysis.ToldTimes;
import dev.kymo.model.Definitions;
import dev.kymo.model.ThreadCalls;
import dev.kymo.model.TracedMethod;
import dev.kymo.model.TrackKind;
import java.util.HashMap;
import java.util.Map;

/** States of threads in words: {@code waited for monitor a.B@1f, released by worker-3}. */
final class StateText {
  /** What the other thread did, by the kind of state. */
  private static final Map<String, String> DEEDS =
      Map.ofEntries(
          Map.entry("monitor", "released by"),
          Map.entry("lock", "released by"),
          Map.entry("mutex", "released by"),
          Map.entry("rwlock", "released by"),
          Map.entry("spinlock", "released by"),
          Map.entry("semaphore", "posted by"),
          Map.entry("condition", "signalled by"),
          Map.entry("park", "unparked by"),
          Map.entry("wait", "notified by"),
          Map.entry("join", "ended:"),
          Map.entry("start", "started by"),
          Map.entry("Class loading", "for"),
          Map.entry("blocked", "woken by"),
          Map.entry("runnable", "after"));

  private final Definitions definitions;

  /** By thread: what is known of the state that ends next. */
  private final Map<ThreadCalls, Detail> next = new HashMap<>();

  private record Detail(int object, int other) {}

  StateText(Definitions definitions) {
    this.definitions = definitions;
  }

  /** More is known of the state that ends next. */
  void detail(ThreadCalls thread, int object, int other) {
    next.put(thread, new Detail(object, other));
  }

  /** What a state was, or is still at the end of the recording. */
  String of(ThreadCalls thread, TracedMethod state, boolean open) {
    Detail detail = next.remove(thread);
    if (state.type().equals("sleep")) { // the program's own; the kernel's is a kind of blocked
      return open ? "sleeps" : "slept";
    }
    if (ToldTimes.isWeaving(state)) {
      return "waited until Kymo had put probes into " + state.name();
    }
    boolean waits = TrackKind.of(thread.definition()) == TrackKind.STATES;
    return (waits ? open ? "waits for " : "waited for " : "")
        + WaitText.name(state)
        + (detail == null ? "" : object(detail) + by(thread, state, detail, open));
  }

  private static String object(Detail detail) {
    return detail.object == 0 ? "" : "@" + Integer.toHexString(detail.object);
  }

  private String by(ThreadCalls thread, TracedMethod state, Detail detail, boolean open) {
    if (detail.other == 0) {
      return "";
    }
    return by(
        state, ThreadWords.of(definitions.threadOrNameless(thread.process(), detail.other)), open);
  }

  /**
   * Who let a thread go on, to be said after its state; nothing if the name is empty.
   *
   * @param open whether it has not gone on: who has what it waits for
   */
  static String by(TracedMethod state, String name, boolean open) {
    if (open && !name.isEmpty()) {
      return state.type().equals("join") ? ", " + name : ", held by " + name;
    }
    String deed = DEEDS.getOrDefault(state.type(), "let go on by");
    return name.isEmpty() ? "" : ", " + deed + " " + name;
  }
}
