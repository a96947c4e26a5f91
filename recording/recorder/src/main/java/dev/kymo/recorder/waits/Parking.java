package dev.kymo.recorder.waits;

import dev.kymo.recorder.platform.TickClock;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The methods that {@code LockSupport} calls when a thread parks and when another thread wakes it:
 * on platform and virtual threads, for all locks of {@code java.util.concurrent}. Also what queues
 * of references call when a thread waits for one, and virtual threads when they sleep, when
 * somebody starts them and when they begin to run, between which they wait in much the same way.
 *
 * <p>Called in the middle of other people's locks, so nothing here locks, waits, parks, or calls
 * code of the program, and nothing is thrown. A table with one place for several threads connects
 * wakers with parked threads: where two threads collide, the waker of the thread that parked first
 * is not known.
 */
public final class Parking {
  private static final int PLACES = 1 << 13;

  /**
   * With more parks than this, nobody seems to take them: further parks are counted and not kept.
   */
  private static final int MOST_WAITING = 500_000;

  private static final AtomicReferenceArray<@Nullable Park> PARKED =
      new AtomicReferenceArray<>(PLACES);
  private static final AtomicReference<@Nullable Park> BEGUN = new AtomicReference<>();
  private static final AtomicReference<@Nullable Park> ENDED = new AtomicReference<>();
  private static final AtomicInteger KEPT = new AtomicInteger();
  private static final AtomicInteger LOST = new AtomicInteger();

  private static volatile boolean on;
  private static volatile @Nullable Access access;

  private Parking() {}

  private record Access(
      MethodHandle clock, MethodHandle threadId, MethodHandle lockOwner, Class<?> synchronizer) {

    long idOf(@Nullable Thread thread) {
      try {
        return thread == null ? 0 : (long) threadId.invokeExact(thread);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    @Nullable Thread ownerOf(@Nullable Object blocker) throws Throwable {
      return synchronizer.isInstance(blocker) ? (Thread) lockOwner.invokeExact(blocker) : null;
    }
  }

  /**
   * From now on parks are kept. The handles reach what is not public in the JDK.
   *
   * @param threadId {@code (Thread)long}; the public method can be overridden before Java 19
   * @param lockOwner {@code (Object)Thread}: who has a synchronizer for itself, or null
   * @param synchronizer the class of objects that {@code lockOwner} takes
   */
  public static void switchOn(
      MethodHandle threadId, MethodHandle lockOwner, Class<?> synchronizer) {
    access = new Access(TickClock.chosen(), threadId, lockOwner, synchronizer);
    on = true;
  }

  /** Keeps no new parks from now on; parks that have begun still end. */
  public static void switchOff() {
    on = false;
  }

  /** A thread is about to park; returns what {@link #end} wants. */
  public static @Nullable Object begin(@Nullable Object blocker) {
    return begin(Kind.PARK, blocker);
  }

  /** A virtual thread, the current one, is about to sleep; returns what {@link #end} wants. */
  public static @Nullable Object sleep(@Nullable Object thread) {
    return begin(Kind.SLEEP, null);
  }

  private static @Nullable Object begin(Kind kind, @Nullable Object blocker) {
    Access to = access;
    if (!on || to == null) {
      return null;
    }
    try {
      return keep(to, kind, blocker);
    } catch (Throwable e) { // no stack or memory left for it, which is not the program's fault
      return null;
    }
  }

  private static @Nullable Park keep(Access to, Kind kind, @Nullable Object blocker)
      throws Throwable {
    if (isFull()) {
      return null;
    }
    Thread thread = Thread.currentThread();
    boolean says = kind == Kind.PARK && blocker == null;
    Park park = new Park(to, kind, thread, says ? LockSupport.getBlocker(thread) : blocker);
    if (kind == Kind.PARK) { // nobody lets a sleeper go on
      PARKED.set(place(park.threadId), park);
    }
    keep(park);
    return park;
  }

  private static boolean isFull() {
    boolean full = KEPT.get() >= MOST_WAITING;
    if (full) {
      LOST.incrementAndGet();
    }
    return full;
  }

  private static void keep(Park park) {
    KEPT.incrementAndGet();
    Park first;
    do {
      first = BEGUN.get();
      park.nextBegun = first;
    } while (!BEGUN.compareAndSet(first, park));
  }

  /** The current thread starts a virtual one. */
  public static void start(Thread thread) {
    keepStart(Kind.START, thread);
  }

  /** The current thread, a virtual one, begins to run. */
  public static void run(Thread thread) {
    keepStart(Kind.RUN, thread);
  }

  private static void keepStart(Kind kind, Thread thread) {
    Access to = access;
    if (!on || to == null) {
      return;
    }
    try {
      if (!isFull()) {
        Park start = new Park(to, kind, thread, thread);
        start.waker = Thread.currentThread();
        keep(start);
      }
    } catch (Throwable e) {
      // as below
    }
  }

  /** The thread goes on. */
  public static void end(@Nullable Object begun) {
    Access to = access;
    if (begun == null || to == null) {
      return;
    }
    try {
      Park park = (Park) begun;
      if (park.end != 0) {
        return;
      }
      park.end = (long) to.clock.invokeExact();
      PARKED.compareAndSet(place(park.threadId), park, null);
      Park first;
      do {
        first = ENDED.get();
        park.nextEnded = first;
      } while (!ENDED.compareAndSet(first, park));
    } catch (Throwable e) {
      // as above; whoever reads it sees the thread's next park end this one
    }
  }

  public static void unpark(@Nullable Thread thread) {
    Access to = access;
    if (!on || to == null || thread == null) {
      return;
    }
    try {
      Park park = PARKED.get(place((long) to.threadId.invokeExact(thread)));
      if (park != null && isSame(park.thread, thread) && park.waker == null) {
        park.waker = Thread.currentThread();
      }
    } catch (Throwable e) {
      // as above
    }
  }

  /**
   * Takes the changes since the last call: parks that began, starts and begins to run go to the
   * first list, parks that ended to the second. Every ended park has begun, in this list or an
   * earlier one.
   */
  public static void take(Consumer<Park> begun, Consumer<Park> ended) {
    Park end = ENDED.getAndSet(null);
    Park begin = BEGUN.getAndSet(null);
    while (begin != null) {
      Park park = begin;
      begin = park.nextBegun;
      park.nextBegun = null; // a park that lasts must not keep all the others
      KEPT.decrementAndGet();
      begun.accept(park);
    }
    while (end != null) {
      Park park = end;
      end = park.nextEnded;
      park.nextEnded = null;
      ended.accept(park);
    }
  }

  /** Parks that were not kept since the last time. */
  public static int takeLost() {
    return LOST.getAndSet(0);
  }

  private static int place(long threadId) {
    return (int) ((threadId * 0x9E3779B97F4A7C15L) >>> 51);
  }

  @SuppressWarnings("ReferenceEquality") // this very thread, whatever its equals() says
  private static boolean isSame(Thread a, Thread b) {
    return a == b;
  }

  /** What a {@link Park} is. */
  public enum Kind {
    /** A park, from its begin to its end. */
    PARK,

    /** A virtual thread sleeps, from its begin to its end. */
    SLEEP,

    /** A virtual thread is started, and waits until it is run. */
    START,

    /** It is run: no state, but the end of one. */
    RUN
  }

  /** One time that a thread parked or slept, or was started or run. */
  public static final class Park {
    private final Access access;

    public final Kind kind;

    /** The thread that parked or slept, or was started or run. */
    public final Thread thread;

    /** Its number in Java. */
    public final long threadId;

    /** Class of what it waits for; null if it did not say. */
    public final @Nullable Class<?> blocker;

    /** Whether that can be owned by a thread. */
    public final boolean synchronizer;

    /** Identity of what it waits for, 0 if unknown. */
    public final int identity;

    /** Clock when it began. */
    public final long begin;

    private final @Nullable Thread owner;
    private volatile @Nullable Thread waker;
    private volatile long end;
    private @Nullable Park nextBegun;
    private @Nullable Park nextEnded;

    private Park(Access access, Kind kind, Thread thread, @Nullable Object blocker)
        throws Throwable {
      this.access = access;
      this.kind = kind;
      this.thread = thread;
      this.threadId = (long) access.threadId.invokeExact(thread);
      this.blocker = blocker == null ? null : blocker.getClass();
      this.synchronizer = access.synchronizer.isInstance(blocker);
      this.identity = System.identityHashCode(blocker);
      this.owner = access.ownerOf(blocker);
      this.begin = (long) access.clock.invokeExact();
    }

    /** Clock when it ended, 0 = not yet. */
    public long end() {
      return end;
    }

    /**
     * The thread that woke or started it, otherwise the lock's owner when it began; null if
     * unknown.
     */
    public @Nullable Thread other() {
      Thread by = waker;
      return by == null ? owner : by;
    }

    /** Number of {@link #other}, 0 if unknown. */
    public long otherId() {
      return access.idOf(other());
    }

    /** The thread that has the lock now, or started it; null if unknown, or if the park is over. */
    public @Nullable Thread owner() {
      if (kind == Kind.START) {
        return waker;
      }
      Object blocker = LockSupport.getBlocker(thread);
      try {
        boolean same = blocker != null && System.identityHashCode(blocker) == identity;
        return same ? access.ownerOf(blocker) : null;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    /** Number of a thread, 0 for none. */
    public long idOf(@Nullable Thread of) {
      return access.idOf(of);
    }
  }
}
