package dev.kymo.recorder;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
final class RingRegistry {
  private static final int DEFINITION_SUB_BUFFER = 64 * 1024;
  private static final int DEFINITION_SUB_BUFFERS = 16;
  private static final int SUB_BUFFERS = 16;
  private static final int SMALLEST_SUB_BUFFER = 8 * 1024;

  /** So many threads get rings of full size; with more, each new one gets less. */
  private static final int FULL_SIZE_RINGS = 16;

  private static final long RETRY_AFTER = TimeUnit.SECONDS.toNanos(1);

  private final Session session;
  private final int process;
  private final Path home;
  private final ByteBuffer control;
  private final DrainerWatch drainer;
  private final Budget budget;
  private final Counters counters;
  private final AtomicInteger lastRing = new AtomicInteger();
  private final AtomicInteger lastThread = new AtomicInteger();
  private final AtomicLong lostWithoutRing = new AtomicLong();

  @SuppressWarnings("ThreadLocalUsage") // one per recording: numbers begin anew
  private final ThreadLocal<@Nullable VirtualState> virtualState = new ThreadLocal<>();

  private final AtomicBoolean lock = new AtomicBoolean();
  private final IdentityHashMap<Thread, Ring> ringOfOwner =
      new IdentityHashMap<>(); // guarded by lock
  private volatile long noRingsUntil = System.nanoTime();
  private volatile boolean failureSaid;

  RingRegistry(
      Session session,
      int process,
      Path home,
      ByteBuffer control,
      DrainerWatch drainer,
      Budget budget,
      Counters counters) {
    this.budget = budget;
    this.counters = counters;
    this.session = session;
    this.process = process;
    this.home = home;
    this.control = control;
    this.drainer = drainer;
  }

  ByteBuffer definitionRing() throws IOException {
    ByteBuffer ring =
        RingFile.create(
            home.resolve("ring-0"),
            session.uuid(),
            StreamClass.DEFINITIONS,
            process,
            0,
            DEFINITION_SUB_BUFFER,
            DEFINITION_SUB_BUFFERS,
            RingLayout.BLOCK);
    control.putInt(ControlLayout.RINGS_OFFSET, 1);
    return ring;
  }

  void record(ProcessRecorder recorder, RingRecord record, long clock) {
    long now = clock;
    Thread running = Thread.currentThread();
    boolean virtual = Internals.isVirtual(running);
    VirtualState state = null;
    int number = 0;
    boolean late = false;
    if (virtual) {
      state = virtualState.get();
      if (state == null) {
        state = defineVirtual(recorder, running);
        late = true; // the thread may have been moved to a carrier that has recorded since
      }
      number = state.number;
    }
    Thread carrier = Internals.carrier();
    Ring ring = known(carrier);
    while (ring == null) {
      ring = takeOverOrCreate(carrier);
      if (ring == null) {
        break;
      }
      late = true;
      // Making a ring calls into the JDK, where a virtual thread may have been moved.
      Thread carrierNow = Internals.carrier();
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
    if (!virtual && ring.ownerNumber == 0) {
      define(recorder, ring);
    }
    if (state != null) {
      state.moveTo(ring, running);
    }
    if (late) { // the thread that had this ring before may have recorded since
      now = drainer.now();
    }
    ring.record(record, now, running, virtual ? number : ring.ownerNumber, virtual);
  }

  /** A new counter of the caller's carrier; null if there is no memory for it. */
  @Nullable Counter counter(ProcessRecorder recorder, Counted counted, int mode)
      throws IOException {
    Thread running = Thread.currentThread();
    boolean virtual = Internals.isVirtual(running);
    int index = counted.index(mode);
    while (true) {
      Thread carrier = Internals.carrier();
      Ring ring = known(carrier);
      if (ring == null) {
        ring = takeOverOrCreate(carrier);
      }
      if (ring == null) {
        return null;
      }
      if (ring.ownerNumber == 0) {
        if (virtual) {
          ring.ownerNumber = nextThread(); // the housekeeper defines it
        } else {
          define(recorder, ring);
        }
      }
      Counter counter = ring.counter(index);
      if (counter == null) {
        CallStack stack = ring.stack();
        int block =
            stack == null
                ? 0
                : counters.allocate(ring.ownerNumber, counted.method, mode, drainer.now());
        if (stack == null || block == 0) {
          return null;
        }
        counter = new Counter(carrier, stack, index, block, mode == MethodMode.SAMPLED);
      }
      if (isSame(carrier, Internals.carrier())) { // a virtual thread may have been moved
        ring.counter(index, counter);
        Probe.setRing(ring);
        return counter;
      }
    }
  }

  /** Does something with all rings. */
  void forEach(Consumer<Ring> action) {
    for (Ring ring : all()) {
      action.accept(ring);
    }
  }

  private List<Ring> all() {
    acquire();
    try {
      return new ArrayList<>(ringOfOwner.values());
    } finally {
      lock.set(false);
    }
  }

  /** Rings that have recorded more than the budget allows. */
  List<Ring> overBudget() {
    List<Ring> over = all();
    over.removeIf(ring -> !ring.overBudget);
    return over;
  }

  void loseWithoutRing() {
    control.putLong(ControlLayout.LOST_OFFSET, lostWithoutRing.incrementAndGet());
  }

  /** Sends all threads to the slow path. */
  void retire() {
    acquire();
    try {
      ringOfOwner.values().forEach(Ring::retire);
    } finally {
      lock.set(false);
    }
  }

  /** Defines threads anew whose names have changed. */
  void keepNames(ProcessRecorder recorder) {
    List<Definition> renamed = new ArrayList<>();
    acquire();
    try {
      for (Ring ring : ringOfOwner.values()) {
        String name = ring.owner.getName();
        if (ring.ownerNumber != 0 && !name.equals(ring.ownerName)) {
          ring.ownerName = name;
          renamed.add(definition(ring));
        }
      }
    } finally {
      lock.set(false);
    }
    renamed.forEach(recorder::define);
  }

  /** Whether a platform thread's own calls or events were recorded. */
  boolean hasTrack(Thread thread) {
    Ring ring = known(thread);
    return ring != null && ring.ownerNumber != 0;
  }

  private @Nullable Ring known(Thread carrier) {
    acquire();
    try {
      return ringOfOwner.get(carrier);
    } finally {
      lock.set(false);
    }
  }

  private @Nullable Ring takeOverOrCreate(Thread carrier) {
    acquire();
    try {
      Ring ring = takeOver(carrier);
      if (ring != null) {
        return ring;
      }
    } finally {
      lock.set(false);
    }
    Ring fresh = create(carrier);
    if (fresh == null) {
      return null;
    }
    acquire();
    try {
      // Another virtual thread may have made one for this carrier while this one was moved.
      Ring ring = ringOfOwner.putIfAbsent(carrier, fresh);
      return ring == null ? fresh : ring;
    } finally {
      lock.set(false);
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
        for (Counter counter : ring.counters()) {
          if (counter != null) {
            counters.retire(counter);
          }
        }
        ring.passOn(carrier);
        ringOfOwner.put(carrier, ring);
        return ring;
      }
    }
    return null;
  }

  private @Nullable Ring create(Thread carrier) {
    if (System.nanoTime() - noRingsUntil < 0) {
      return null;
    }
    reserveStack(400);
    int index = lastRing.incrementAndGet();
    int share = session.bufferSize() / Math.max(1, index / FULL_SIZE_RINGS);
    int subBuffer = Math.max(SMALLEST_SUB_BUFFER, share / SUB_BUFFERS & -4096);
    try {
      ByteBuffer memory = newRing(index, subBuffer, SUB_BUFFERS, session.whenFull());
      return new Ring(memory, drainer, budget, carrier);
    } catch (IOException | SecurityException e) { // a security manager need not heed privileges
      noRingsUntil = System.nanoTime() + RETRY_AFTER;
      if (!failureSaid) {
        failureSaid = true;
        Messages.print(
            "no memory for a thread's ring, its events are lost and counted: directory="
                + home
                + " bytes="
                + subBuffer * SUB_BUFFERS
                + " error="
                + e.getMessage()
                + "; give it more room or record with a smaller --buffer");
      }
      return null;
    }
  }

  /** A ring that belongs to no thread. */
  ByteBuffer newRing(int subBuffer, int subBuffers, int whenFull) throws IOException {
    return newRing(lastRing.incrementAndGet(), subBuffer, subBuffers, whenFull);
  }

  private ByteBuffer newRing(int index, int subBuffer, int subBuffers, int whenFull)
      throws IOException {
    ByteBuffer memory =
        RingFile.create(
            home.resolve("ring-" + index),
            session.uuid(),
            StreamClass.THREADS,
            process,
            index,
            subBuffer,
            subBuffers,
            whenFull);
    raiseRingCount(index + 1);
    return memory;
  }

  private void raiseRingCount(int count) {
    acquire();
    try {
      if (control.getInt(ControlLayout.RINGS_OFFSET) < count) {
        control.putInt(ControlLayout.RINGS_OFFSET, count);
      }
    } finally {
      lock.set(false);
    }
  }

  /** Names the owner of a ring; called by itself, because only it can see its kernel number. */
  private void define(ProcessRecorder recorder, Ring ring) {
    int number = nextThread();
    int tid = ProcFiles.threadId();
    Definition definition;
    acquire();
    try {
      ring.tid = tid;
      ring.ownerNumber = number;
      ring.ownerName = ring.owner.getName();
      definition = definition(ring);
    } finally {
      lock.set(false);
    }
    recorder.define(definition);
  }

  private static Definition definition(Ring ring) {
    return new Definition.TracedThread(
        ring.ownerNumber,
        Definition.TracedThread.PLATFORM,
        ring.owner.getId(),
        ring.tid,
        ring.ownerName);
  }

  private VirtualState defineVirtual(ProcessRecorder recorder, Thread thread) {
    VirtualState state = new VirtualState(nextThread());
    virtualState.set(state);
    recorder.define(
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
  int nextThread() {
    return Math.min(lastThread.incrementAndGet(), ThreadRecord.MAX_PAYLOAD);
  }

  private void acquire() {
    while (!lock.compareAndSet(false, true)) {
      Thread.onSpinWait();
    }
  }

  /** Overflows the stack here, where nothing has been changed, rather than later. */
  static long reserveStack(int frames) {
    long a = frames;
    long b = a + 1;
    long c = b + 1;
    return frames == 0 ? a + b + c : a + b * c + reserveStack(frames - 1);
  }
}
