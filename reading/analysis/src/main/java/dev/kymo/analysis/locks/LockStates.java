package dev.kymo.analysis.locks;

import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What only tracks of states show: waits for Java's locks, and waits for other locks that were open
 * at the end, which have no event.
 */
final class LockStates {
  private final RecordedDefinitions definitions;
  private final LockTracker tracker;
  private final LockCounter counter;
  private final List<OpenWait> open = new ArrayList<>();
  private final List<JavaWait> openJava = new ArrayList<>();

  private boolean java;

  /**
   * A wait that had not ended; clocks.
   *
   * @param name of the object, or its address
   */
  private record OpenWait(ThreadCalls states, LockKind kind, String name, long begin, long end) {}

  /**
   * The same of Java.
   *
   * @param begin clock
   * @param owner track of states of the thread that has the object, 0 = unknown
   */
  private record JavaWait(ThreadCalls states, LockObject wanted, long begin, int owner) {}

  private record Number(int process, int thread) {}

  LockStates(RecordedDefinitions definitions, LockTracker tracker, LockCounter counter) {
    this.definitions = definitions;
    this.tracker = tracker;
    this.counter = counter;
  }

  /** Whether there are any waits for Java's locks. */
  boolean hasJava() {
    return java;
  }

  /** A call has ended, which may be a state. */
  void state(CallCursor call) {
    ThreadCalls thread = call.thread();
    if (TrackKind.of(thread.definition()) != TrackKind.STATES) {
      return;
    }
    TracedMethod state = definitions.methods().get(call.method());
    LockKind kind = kind(state.type());
    if (kind == null) {
      return;
    }
    if (!kind.isWhole()) {
      java(kind, state.name(), call);
    } else if (call.is(Slice.OPEN_END)) {
      open.add(new OpenWait(thread, kind, state.name(), call.begin(), call.end()));
    }
  }

  private static @Nullable LockKind kind(String word) {
    for (LockKind kind : LockKind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    return null;
  }

  private void java(LockKind kind, String type, CallCursor wait) {
    java = true;
    ThreadCalls thread = wait.thread();
    int identity = wait.object();
    int by = wait.other();
    long begin = wait.begin();
    boolean ended = !wait.is(Slice.OPEN_END);
    // Objects of different classes may have the same identity.
    long key = (long) type.hashCode() << 32 | (identity & 0xFFFFFFFFL);
    LockObject of = tracker.object(thread.process(), kind, key);
    of.name = identity == 0 ? type : type + '@' + Integer.toHexString(identity);
    if (!ended) {
      openJava.add(new JavaWait(thread, of, begin, by));
    }
    TracedThread releaser = by == 0 ? null : definitions.threadOrNameless(thread.process(), by);
    counter.waited(new LongWait(of, thread, begin, wait.end() - begin, 0, ended, !ended, releaser));
  }

  /**
   * All events were read: reports the waits that had not ended.
   *
   * @param owners by track of states, the thread
   */
  void finish(Map<ThreadCalls, ThreadCalls> owners, LockOrder order) {
    finishJava(owners, order);
    for (OpenWait wait : open) {
      ThreadCalls thread = owners.get(wait.states);
      LockObject wanted = find(wait);
      if (thread == null || wanted == null) {
        continue;
      }
      if (wanted.kind.isOwned()) {
        order.add(tracker.held(thread), wanted, false, wait.begin, 0, true);
      }
      long time = wait.end - wait.begin;
      counter.waited(new LongWait(wanted, thread, wait.begin, time, 0, false, true, null));
    }
  }

  /** That a thread has something is known only from those who wait for it. */
  private void finishJava(Map<ThreadCalls, ThreadCalls> owners, LockOrder order) {
    Map<Number, HeldLocks> waiting = new HashMap<>();
    for (JavaWait wait : openJava) {
      ThreadCalls thread = owners.getOrDefault(wait.states, wait.states);
      waiting.put(number(wait, wait.states.thread()), new HeldLocks(thread));
    }
    for (JavaWait wait : openJava) {
      HeldLocks owner = waiting.get(number(wait, wait.owner));
      if (owner != null && owner.find(wait.wanted) == null) {
        owner.add(wait.wanted, false, wait.begin, 0);
      }
    }
    for (JavaWait wait : openJava) {
      HeldLocks thread = waiting.get(number(wait, wait.states.thread()));
      if (thread != null) {
        order.add(thread, wait.wanted, false, wait.begin, 0, true);
      }
    }
  }

  private static Number number(JavaWait wait, int thread) {
    return new Number(wait.states.process(), thread);
  }

  private @Nullable LockObject find(OpenWait wait) {
    LockObject found = null;
    for (LockObject candidate : tracker.objects()) {
      boolean same =
          candidate.process == wait.states.process()
              && candidate.kind == wait.kind
              && (candidate.name.equals(wait.name)
                  || wait.name.equals("0x" + Long.toHexString(candidate.address)));
      if (same && found != null) {
        return null; // a name that several have says nothing
      }
      found = same ? candidate : found;
    }
    return found;
  }
}
