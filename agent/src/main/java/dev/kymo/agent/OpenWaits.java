package dev.kymo.agent;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the monitors, waits, joins and sleeps that last until the end of the recording: the flight
 * recorder tells of those only that are over. Also parks that began before the recording did. Looks
 * at the threads from time to time: one that is in the same state as before, and has not been in
 * another one since, waits at least since then.
 *
 * <p>A look takes no stacks, and stops nobody. It takes a thousand threads; of more each is looked
 * at every few times only, so that the cost of a look is bounded, and the begins of their waits are
 * known that much worse.
 *
 * <p>Not safe for several threads at a time. To be loaded only if the program has {@link #MODULE}.
 */
final class OpenWaits {
  static final String MODULE = "java.management";
  private static final int MOST_AT_A_TIME = 1000;

  private final ThreadMXBean machine = ManagementFactory.getThreadMXBean();
  private final ProgramThreads threads;
  private final ThreadClasses threadClasses;
  private final LongSupplier clock;
  private final Map<Long, Wait> waits = new HashMap<>();
  private long[] ids = {};
  private int next;

  /** How a thread was seen to wait, and the clock when it first was. */
  private record Wait(Thread.State state, long blocked, long waited, int object, long since) {
    static Wait of(ThreadInfo thread, long now) {
      return new Wait(
          thread.getThreadState(),
          thread.getBlockedCount(),
          thread.getWaitedCount(),
          identity(thread.getLockInfo()),
          now);
    }

    boolean isSame(Wait later) {
      return state == later.state
          && blocked == later.blocked
          && waited == later.waited
          && object == later.object;
    }
  }

  OpenWaits(ThreadClasses threadClasses, LongSupplier clock) throws ReflectiveOperationException {
    this.threads = new ProgramThreads();
    this.threadClasses = threadClasses;
    this.clock = clock;
  }

  /** Looks at the threads, or at the next of them. */
  void look() {
    if (next == ids.length) {
      Map<Long, Thread> now = threads.now();
      waits.keySet().retainAll(now.keySet());
      ids = now.keySet().stream().mapToLong(Long::longValue).toArray();
      next = 0;
    }
    int end = Math.min(ids.length, next + MOST_AT_A_TIME);
    ThreadInfo[] seen = machine.getThreadInfo(Arrays.copyOfRange(ids, next, end));
    next = end;
    long now = clock.getAsLong(); // they wait by now, and need not have waited before
    for (ThreadInfo thread : seen) {
      if (thread != null) {
        see(thread, now);
      }
    }
  }

  private void see(ThreadInfo thread, long now) {
    switch (thread.getThreadState()) {
      case BLOCKED, WAITING, TIMED_WAITING ->
          waits.merge(
              thread.getThreadId(),
              Wait.of(thread, now),
              (before, later) -> before.isSame(later) ? before : later);
      default -> waits.remove(thread.getThreadId());
    }
  }

  /** Those that last still; what began first comes first. */
  List<State> take() {
    Map<Long, Thread> now = threads.now();
    waits.keySet().retainAll(now.keySet());
    long[] all = waits.keySet().stream().mapToLong(Long::longValue).toArray();
    List<State> states = new ArrayList<>();
    for (int from = 0; from < all.length; from += MOST_AT_A_TIME) {
      int to = Math.min(all.length, from + MOST_AT_A_TIME);
      // Where they are tells what they do: one frame is enough.
      for (ThreadInfo thread : machine.getThreadInfo(Arrays.copyOfRange(all, from, to), 1)) {
        State state = thread == null ? null : state(thread, now);
        if (state != null) {
          states.add(state);
        }
      }
    }
    states.sort(Comparator.comparingLong(State::begin));
    return states;
  }

  private @Nullable State state(ThreadInfo thread, Map<Long, Thread> now) {
    Wait since = waits.get(thread.getThreadId());
    if (since == null || !since.isSame(Wait.of(thread, 0))) {
      return null;
    }
    LockInfo object = thread.getLockInfo();
    String type = object == null ? "" : object.getClassName();
    String kind = kind(thread, type, now.get(thread.getThreadId()));
    if (kind.isEmpty() || (kind.equals("join") && isUs(object))) {
      return null;
    }
    long other = kind.equals("join") ? joined(identity(object), now) : thread.getLockOwnerId();
    Thread known = now.get(other);
    String name = known == null ? thread.getLockOwnerName() : known.getName();
    return new State(
        thread.getThreadId(),
        thread.getThreadName(),
        since.since,
        Long.MAX_VALUE,
        kind,
        kind.equals("sleep") ? "" : type,
        identity(object),
        Math.max(0, other),
        name);
  }

  /** As it is named if it ends; empty if it is none of these. */
  private String kind(ThreadInfo thread, String type, @Nullable Thread itself) {
    if (thread.getThreadState() == Thread.State.BLOCKED) {
      return "monitor";
    }
    StackTraceElement[] stack = thread.getStackTrace();
    String at = stack.length == 0 ? "" : stack[0].getClassName() + '.' + stack[0].getMethodName();
    if (at.startsWith("java.lang.Thread.sleep")) {
      return "sleep";
    }
    if (at.startsWith("java.lang.Object.wait")) {
      return threadClasses.contains(type) ? "join" : "wait";
    }
    if (at.endsWith("Unsafe.park") && itself != null) {
      return Blockers.kind(LockSupport.getBlocker(itself));
    }
    return "";
  }

  /** Who ends the program waits for the thread that writes this: it is no wait of the program's. */
  private static boolean isUs(@Nullable LockInfo object) {
    return identity(object) == System.identityHashCode(Thread.currentThread());
  }

  private static long joined(int identity, Map<Long, Thread> now) {
    for (Map.Entry<Long, Thread> each : now.entrySet()) {
      if (System.identityHashCode(each.getValue()) == identity) {
        return each.getKey();
      }
    }
    return 0;
  }

  private static int identity(@Nullable LockInfo object) {
    return object == null ? 0 : object.getIdentityHashCode();
  }
}
