package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a thread has at a moment of the reading, in the order in which it got it. */
final class HeldLocks {
  final ThreadCalls thread;
  private final List<Hold> holds = new ArrayList<>(4);
  private final List<Hold> spare = new ArrayList<>(4);
  private int @Nullable [] signature;

  HeldLocks(ThreadCalls thread) {
    this.thread = thread;
  }

  /** That a thread has an object. */
  static final class Hold {
    private @Nullable LockObject of;
    boolean shared;

    /** How often it has got it without giving it back. */
    int times;

    /** Clock. */
    long since;

    /** Address of the code that got it. */
    long caller;

    LockObject object() {
      LockObject object = of;
      if (object == null) {
        throw new IllegalStateException("a hold that is over");
      }
      return object;
    }
  }

  /** How the thread has an object; null = not at all. */
  @Nullable Hold find(LockObject object) {
    for (int i = holds.size() - 1; i >= 0; i--) {
      if (holds.get(i).of == object) {
        return holds.get(i);
      }
    }
    return null;
  }

  Hold add(LockObject object, boolean shared, long clock, long caller) {
    Hold hold = spare.isEmpty() ? new Hold() : spare.removeLast();
    hold.of = object;
    hold.shared = shared;
    hold.times = 1;
    hold.since = clock;
    hold.caller = caller;
    holds.add(hold);
    signature = null;
    return hold;
  }

  void remove(Hold hold) {
    holds.remove(hold);
    hold.of = null;
    spare.add(hold);
    signature = null;
  }

  /** All of it; not to be changed. */
  List<Hold> all() {
    return holds;
  }

  /**
   * What it has that others may wait for: {@code index << 1}, plus 1 if shared; ascending. The same
   * array until something changes.
   */
  int[] signature() {
    int[] known = signature;
    if (known == null) {
      known = new int[holds.size()];
      int count = 0;
      for (Hold hold : holds) {
        LockObject object = hold.object();
        if (object.kind.isOwned()) {
          known[count++] = object.index << 1 | (hold.shared ? 1 : 0);
        }
      }
      known = count == known.length ? known : Arrays.copyOf(known, count);
      Arrays.sort(known);
      signature = known;
    }
    return known;
  }
}
