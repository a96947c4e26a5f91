package dev.kymo.agent.waits;

import dev.kymo.format.WaitKind;
import dev.kymo.recorder.platform.RecorderThreads;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits that no event reports: monitors, waits, joins and sleeps that last until the end
 * of the recording, because only waits that are over are reported, those that began before it did,
 * and all sleeps if there is no flight recorder. Also finds parks that began before {@link
 * ParkWeaver} wove its calls. It looks at the threads from time to time: a thread that is in the
 * same state as before, and has not been in another state since, has waited at least since the
 * previous look.
 *
 * <p>A look stops no thread and reads no stacks, except for one frame of a thread that waits for
 * longer than the time between two looks. It covers a thousand threads. If there are more, each
 * look covers only some of them, so that its cost is bounded. Then the begins of waits are known
 * less exactly, and only waits that last until the end are found.
 *
 * <p>Not safe for several threads at a time. Load this class only if the program has {@link
 * #MODULE}.
 */
final class ThreadSampler {
  static final String MODULE = "java.management";
  private static final int MOST_AT_A_TIME = 1000;
  private static final ThreadInfo[] NOBODY = {};

  private final ThreadMXBean machine = ManagementFactory.getThreadMXBean();
  private final ProgramThreads threads;
  private final ThreadClasses threadClasses;
  private final LongSupplier clock;
  private final Map<Long, Wait> waits = new HashMap<>();
  private List<State> over = new ArrayList<>();
  private long[] ids = {};
  private int next;
  private long settled;
  private long knownFrom = Long.MAX_VALUE;

  private static final class Wait {
    private final Thread.State state;
    private final long blocked;
    private final long waited;
    private final int object;

    /** Clock when it was first seen. */
    private final long since;

    /** Clock when it was last seen. */
    private long seen;

    /** Whether its kind was determined, after it was seen twice. */
    private boolean known;

    /** Its kind; null if not known, or not a kind that is reported. */
    private @Nullable State told;

    Wait(ThreadInfo thread, long now) {
      state = thread.getThreadState();
      blocked = thread.getBlockedCount();
      waited = thread.getWaitedCount();
      object = identity(thread.getLockInfo());
      since = now;
      seen = now;
    }

    boolean isSame(ThreadInfo thread) {
      return state == thread.getThreadState()
          && blocked == thread.getBlockedCount()
          && waited == thread.getWaitedCount()
          && object == identity(thread.getLockInfo());
    }
  }

  ThreadSampler(ThreadClasses threadClasses, LongSupplier clock, Predicate<Thread> recorded)
      throws ReflectiveOperationException {
    this.threads = new ProgramThreads(recorded);
    this.threadClasses = threadClasses;
    this.clock = clock;
  }

  ThreadMXBean machine() {
    return machine;
  }

  /** From this time on, another source reports all waits that begin, except for parks. */
  void knownFrom(long time) {
    knownFrom = time;
  }

  /** Looks at the threads, or at the next part of them. */
  void look() {
    Map<Long, Thread> known = Map.of();
    if (next == ids.length) {
      known = threads.now();
      forgetAllBut(known.keySet());
      ids = toArray(known.keySet());
      next = 0;
    }
    boolean all = ids.length <= MOST_AT_A_TIME;
    int end = Math.min(ids.length, next + MOST_AT_A_TIME);
    ThreadInfo[] seen = machine.getThreadInfo(Arrays.copyOfRange(ids, next, end));
    next = end;
    long now = clock.getAsLong(); // they wait now, but may not have waited before
    List<Long> untold = new ArrayList<>();
    for (ThreadInfo thread : seen) {
      if (thread != null && see(thread, now) && all) {
        untold.add(thread.getThreadId());
      }
    }
    tell(untold, known);
    settled = all ? now - 1 : Long.MAX_VALUE;
  }

  /** Whether a thread waits as it did before, and its reason for waiting is not known yet. */
  private boolean see(ThreadInfo thread, long now) {
    long id = thread.getThreadId();
    Wait wait = waits.get(id);
    if (wait != null && wait.isSame(thread)) {
      wait.seen = now;
      return !wait.known && wait.since < knownFrom;
    }
    end(waits.remove(id));
    switch (thread.getThreadState()) {
      case BLOCKED, WAITING, TIMED_WAITING -> waits.put(id, new Wait(thread, now));
      default -> {}
    }
    return false;
  }

  private void tell(List<Long> untold, Map<Long, Thread> now) {
    for (ThreadInfo thread : untold.isEmpty() ? NOBODY : where(toArray(untold))) {
      Wait wait = thread == null ? null : waits.get(thread.getThreadId());
      if (wait != null && wait.isSame(thread)) {
        wait.known = true;
        wait.told = state(thread, wait.since, now);
      }
    }
  }

  private void end(@Nullable Wait wait) {
    if (wait != null && wait.told != null) {
      over.add(wait.told.at(wait.since, wait.seen));
    }
  }

  private void forgetAllBut(Set<Long> living) {
    waits
        .entrySet()
        .removeIf(wait -> {
          boolean ended = !living.contains(wait.getKey());
          if (ended) {
            end(wait.getValue());
          }
          return ended;
        });
  }

  /**
   * Waits that are over and that no other source reports, each with the times when the thread was
   * first and last seen in it. Each wait is reported once, and ends after the previous value of
   * {@link #settled}.
   */
  List<State> takeOver() {
    List<State> taken = over;
    over = new ArrayList<>();
    return taken;
  }

  /** Clock value before which {@link #takeOver} will report nothing more. */
  long settled() {
    boolean nothing = waits.values().stream().noneMatch(wait -> wait.since < knownFrom);
    return nothing && knownFrom != Long.MAX_VALUE ? Long.MAX_VALUE : settled;
  }

  /** The waits that still last, in the order of their begins. */
  List<State> take() {
    Map<Long, Thread> now = threads.now();
    forgetAllBut(now.keySet());
    long[] all = toArray(waits.keySet());
    List<State> states = new ArrayList<>();
    for (int from = 0; from < all.length; from += MOST_AT_A_TIME) {
      int to = Math.min(all.length, from + MOST_AT_A_TIME);
      for (ThreadInfo thread : where(Arrays.copyOfRange(all, from, to))) {
        Wait wait = thread == null ? null : waits.get(thread.getThreadId());
        if (wait != null && wait.isSame(thread)) {
          State state = state(thread, wait.since, now);
          if (state != null) {
            states.add(state);
          }
        } else {
          end(wait);
        }
      }
    }
    states.sort(Comparator.comparingLong(State::begin));
    return states;
  }

  /** Determines a thread's activity from its location; one frame is enough. */
  private ThreadInfo[] where(long[] of) {
    return machine.getThreadInfo(of, 1);
  }

  private static long[] toArray(Collection<Long> of) {
    return of.stream().mapToLong(Long::longValue).toArray();
  }

  private @Nullable State state(ThreadInfo thread, long since, Map<Long, Thread> now) {
    LockInfo object = thread.getLockInfo();
    String type = object == null ? "" : object.getClassName();
    WaitKind kind = kind(thread, type, now.get(thread.getThreadId()));
    if (kind == null || (kind == WaitKind.JOIN && isUs(object))) {
      return null;
    }
    long other = kind == WaitKind.JOIN ? joined(identity(object), now) : thread.getLockOwnerId();
    Thread known = now.get(other);
    String name = known == null ? thread.getLockOwnerName() : known.getName();
    return new State(
        thread.getThreadId(),
        thread.getThreadName(),
        since,
        Long.MAX_VALUE,
        kind.word(),
        kind == WaitKind.SLEEP ? "" : type,
        identity(object),
        Math.max(0, other),
        name);
  }

  /** The name that this wait gets if it ends; null if it is not one of these waits. */
  private @Nullable WaitKind kind(ThreadInfo thread, String type, @Nullable Thread itself) {
    if (thread.getThreadState() == Thread.State.BLOCKED) {
      return WaitKind.MONITOR;
    }
    StackTraceElement[] stack = thread.getStackTrace();
    String at = stack.length == 0 ? "" : stack[0].getClassName() + '.' + stack[0].getMethodName();
    if (at.startsWith("java.lang.Thread.sleep")) {
      return WaitKind.SLEEP;
    }
    if (at.startsWith("java.lang.Object.wait")) {
      return threadClasses.contains(type) ? WaitKind.JOIN : WaitKind.WAIT;
    }
    if (at.endsWith("Unsafe.park") && itself != null) {
      return Blockers.kind(LockSupport.getBlocker(itself));
    }
    return null;
  }

  /**
   * A thread that ends the program waits for the recorder's farewell; this wait is not the
   * program's own.
   */
  private static boolean isUs(@Nullable LockInfo object) {
    return identity(object) == System.identityHashCode(RecorderThreads.farewell());
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
