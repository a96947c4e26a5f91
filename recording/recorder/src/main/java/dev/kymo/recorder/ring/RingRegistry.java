package dev.kymo.recorder.ring;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.JdkInternals;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.platform.ProcFiles;
import dev.kymo.recorder.platform.SpinLock;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives each platform thread a ring, and takes it back when the thread has ended.
 *
 * <p>Between finding out the carrier and the last store into its ring a virtual thread must not be
 * moved. So nothing there takes a monitor; the map is guarded by a spin lock held for a few
 * instructions.
 */
public final class RingRegistry {
  private static final long RETRY_AFTER = TimeUnit.SECONDS.toNanos(1);

  private final RingFactory factory;
  private final ByteBuffer control;
  private final DrainerWatch drainer;
  private final Budget budget;
  private final Counters counters;
  private final DefinitionStream definitions;
  private final ThreadCounters.Maker maker;
  private final AtomicInteger lastThread = new AtomicInteger();
  private final AtomicLong lostWithoutRing = new AtomicLong();

  @SuppressWarnings("ThreadLocalUsage") // one per recording: numbers begin again
  private final ThreadLocal<@Nullable VirtualState> virtualState = new ThreadLocal<>();

  private final SpinLock lock = new SpinLock();
  private final IdentityHashMap<Thread, Ring> ringOfOwner =
      new IdentityHashMap<>(); // guarded by lock
  private boolean over; // guarded by lock
  private volatile long noRingsUntil = System.nanoTime();
  private volatile boolean failureSaid;

  public RingRegistry(
      RingFactory factory,
      ByteBuffer control,
      DrainerWatch drainer,
      Budget budget,
      Counters counters,
      DefinitionStream definitions,
      ThreadCounters.Maker maker) {
    this.factory = factory;
    this.control = control;
    this.drainer = drainer;
    this.budget = budget;
    this.counters = counters;
    this.definitions = definitions;
    this.maker = maker;
  }

  void record(RingRecord record, long clock) {
    long now = clock;
    Thread running = Thread.currentThread();
    boolean virtual = JdkInternals.isVirtual(running);
    VirtualState state = null;
    int number = 0;
    boolean late = false;
    if (virtual) {
      state = virtualState.get();
      if (state == null) {
        state = defineVirtual(running);
        late = true; // the thread may have been moved to a carrier that has recorded since
      }
      number = state.number;
    }
    Thread carrier = JdkInternals.carrier();
    Ring ring = known(carrier);
    while (ring == null) {
      ring = takeOverOrCreate(carrier);
      if (ring == null) {
        break;
      }
      late = true;
      // Making a ring calls into the JDK, where a virtual thread may have been moved.
      Thread carrierNow = JdkInternals.carrier();
      if (!isSame(carrier, carrierNow)) {
        carrier = carrierNow;
        ring = known(carrier);
      }
    }
    Probe.setRing(ring); // also for a known one: thread locals can be erased, as pools do
    if (ring == null) {
      loseWithoutRing();
      return;
    }
    if (!virtual && ring.track().number() == 0) {
      define(ring);
    }
    if (state != null) {
      state.moveTo(ring, running);
    }
    if (late) { // the thread that had this ring before may have recorded since
      now = drainer.now();
    }
    ring.record(record, now, running, virtual ? number : ring.track().number(), virtual);
  }

  /** A new counter of the caller's carrier; null if there is no memory for it. */
  @Nullable Counter counter(MethodCounters counted, int mode) throws IOException {
    Thread running = Thread.currentThread();
    boolean virtual = JdkInternals.isVirtual(running);
    int index = counted.index(mode);
    while (true) {
      Thread carrier = JdkInternals.carrier();
      Ring ring = known(carrier);
      if (ring == null) {
        ring = takeOverOrCreate(carrier);
      }
      if (ring == null) {
        return null;
      }
      if (ring.track().number() == 0) {
        if (virtual) {
          ring.track().number(nextThread()); // the housekeeper defines it
        } else {
          define(ring);
        }
      }
      CallStack stack = ring.stack();
      if (stack == null) {
        return null;
      }
      Counter counter = stack.counters().get(index);
      if (counter == null) {
        int block = counters.allocate(ring.track().number(), counted.method, mode, drainer.now());
        if (block == 0) {
          return null;
        }
        counter = new Counter(carrier, stack, index, block, mode == MethodMode.SAMPLED);
      }
      if (isSame(carrier, JdkInternals.carrier())) { // a virtual thread may have been moved
        stack.counters().put(index, counter);
        Probe.setRing(ring);
        return counter;
      }
    }
  }

  public void forEach(Consumer<Ring> action) {
    for (Ring ring : all()) {
      action.accept(ring);
    }
  }

  private List<Ring> all() {
    lock.acquire();
    try {
      return new ArrayList<>(ringOfOwner.values());
    } finally {
      lock.release();
    }
  }

  public List<Ring> overBudget() {
    List<Ring> over = all();
    over.removeIf(ring -> !ring.credit().isOver());
    return over;
  }

  public void loseWithoutRing() {
    control.putLong(ControlLayout.LOST_OFFSET, lostWithoutRing.incrementAndGet());
  }

  /** Tells the drainer that every state that was over by a clock is in the rings. */
  public void statesUntil(long clock) {
    VarHandle.releaseFence();
    control.putLong(ControlLayout.STATES_UNTIL_OFFSET, clock);
  }

  /**
   * Sends all threads to the slow path.
   *
   * @param forGood whether the recording is over
   */
  public void retire(boolean forGood) {
    lock.acquire();
    try {
      over |= forGood;
      ringOfOwner.values().forEach(over ? Ring::retireForGood : Ring::retire);
    } finally {
      lock.release();
    }
  }

  /** Defines threads again whose names have changed. */
  public void keepNames() {
    List<Definition> renamed = new ArrayList<>();
    lock.acquire();
    try {
      for (Ring ring : ringOfOwner.values()) {
        String name = ring.owner().getName();
        if (ring.track().number() != 0 && !name.equals(ring.track().name())) {
          ring.track().name(name);
          renamed.add(ring.track().definition(ring.owner()));
        }
      }
    } finally {
      lock.release();
    }
    renamed.forEach(definitions::put);
  }

  /** Whether a platform thread's own calls or events were recorded. */
  public boolean hasTrack(Thread thread) {
    Ring ring = known(thread);
    return ring != null && ring.track().number() != 0;
  }

  private @Nullable Ring known(Thread carrier) {
    lock.acquire();
    try {
      return ringOfOwner.get(carrier);
    } finally {
      lock.release();
    }
  }

  private @Nullable Ring takeOverOrCreate(Thread carrier) {
    lock.acquire();
    try {
      Ring ring = takeOver(carrier);
      if (ring != null) {
        return ring;
      }
    } finally {
      lock.release();
    }
    Ring fresh = create(carrier);
    if (fresh == null) {
      return null;
    }
    lock.acquire();
    try {
      // Another virtual thread may have made one for this carrier while this one was moved.
      Ring ring = ringOfOwner.putIfAbsent(carrier, fresh);
      if (over) { // since this thread left for the slow path
        fresh.retireForGood();
      }
      return ring == null ? fresh : ring;
    } finally {
      lock.release();
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very thread, whatever its equals() says
  private static boolean isSame(Thread a, Thread b) {
    return a == b;
  }

  /** A ring whose thread has ended, for another one. */
  private @Nullable Ring takeOver(Thread carrier) {
    for (Map.Entry<Thread, Ring> entry : ringOfOwner.entrySet()) {
      if (!entry.getKey().isAlive()) {
        Ring ring = entry.getValue();
        ringOfOwner.remove(entry.getKey());
        retireCounters(ring);
        ring.passOn(carrier);
        ringOfOwner.put(carrier, ring);
        return ring;
      }
    }
    return null;
  }

  private void retireCounters(Ring ring) {
    CallStack stack = ring.stack();
    if (stack != null) {
      for (Counter counter : stack.counters().all()) {
        if (counter != null) {
          counters.retire(counter);
        }
      }
    }
  }

  private @Nullable Ring create(Thread carrier) {
    if (System.nanoTime() - noRingsUntil < 0) {
      return null;
    }
    reserveStack(400);
    try {
      return new Ring(factory.threadRing(), drainer, budget, carrier, maker);
    } catch (IOException e) {
      noRingsUntil = System.nanoTime() + RETRY_AFTER;
      if (!failureSaid) {
        failureSaid = true;
        String what =
            "no memory for a thread's ring, its events are lost and counted: " + e.getMessage();
        definitions.notice(what);
        Messages.print(what + "; give it more room or record with a smaller --buffer");
      }
      return null;
    }
  }

  /** Names the owner of a ring; called by itself, because only it can see its kernel number. */
  private void define(Ring ring) {
    int number = nextThread();
    int tid = ProcFiles.threadId();
    Definition definition;
    lock.acquire();
    try {
      ring.track().define(number, tid, ring.owner().getName());
      definition = ring.track().definition(ring.owner());
    } finally {
      lock.release();
    }
    definitions.put(definition);
  }

  private VirtualState defineVirtual(Thread thread) {
    VirtualState state = new VirtualState(nextThread());
    virtualState.set(state);
    definitions.put(
        new Definition.TracedThread(
            state.number, Definition.TracedThread.VIRTUAL, thread.getId(), 0, thread.getName()));
    return state;
  }

  /** A virtual thread's number, and the ring it recorded into last. */
  private static final class VirtualState {
    private final int number;
    private @Nullable Ring ring;

    VirtualState(int number) {
      this.number = number;
    }

    /** So that its records in the ring it left do not seem to go on when it comes back to it. */
    @SuppressWarnings("ReferenceEquality")
    void moveTo(Ring to, Thread thread) {
      if (ring != null && ring != to) {
        ring.forget(thread);
      }
      ring = to;
    }
  }

  /** The payload has 24 bits: beyond 16 million threads all further ones share the last number. */
  public int nextThread() {
    return Math.min(lastThread.incrementAndGet(), ThreadRecord.MAX_PAYLOAD);
  }

  /** Overflows the stack here, where nothing has been changed, rather than later. */
  static long reserveStack(int frames) {
    long a = frames;
    long b = a + 1;
    long c = b + 1;
    return frames == 0 ? a + b + c : a + b * c + reserveStack(frames - 1);
  }
}
