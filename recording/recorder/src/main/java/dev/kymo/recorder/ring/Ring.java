package dev.kymo.recorder;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a ring in shared memory ({@link RingLayout}). One thread at a time writes;
 * the drainer, mostly in another process, reads below the position. The position's release store is
 * the commit: what it covers is in the recording even if the process is killed with the next
 * instruction.
 */
final class Ring {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ByteBuffer memory;
  private final int subBufferSize;
  private final int subBuffers;
  private final int whenFull;
  private final int number;
  private final @Nullable LentRing lent;
  private final DrainerWatch drainer;
  private final Budget budget;

  /** Where the owner counts calls, by {@link Counted#index(int)}. */
  private @Nullable Counter[] counters = {};

  /** What probes may still cost before too much is recorded here; ticks. */
  long credit;

  /** Clock when a packet was closed last. */
  long closedAt;

  /** Ticks that probes of events have cost since the ring was made. */
  double spent;

  /** {@link #spent} when the governor looked last. */
  double spentBefore;

  /** What counting costs the owner; part of its time. Kept by the governor. */
  double countedShare;

  /** Clock from which on packets count against the credit. */
  volatile long creditFrom;

  /** Whether more was recorded than the budget allows. */
  volatile boolean overBudget;

  /**
   * Where the next record goes, in {@link #memory}. Equal to {@link #limit} when there is no room.
   */
  private int offset;

  private int limit;

  /** Whether C knows better than {@link #offset} and {@link #extra}. */
  private boolean isLent;

  /** Position of memory offset 0 while the open packet lasts. */
  private long base;

  /** High half of the clock that readers assume for the next compact record. */
  private int high;

  /** Whose records are being written; anything but the running thread sends it to the slow path. */
  private @Nullable Thread thread;

  private int threadNumber;
  private boolean open;
  private long packet;
  private long lost;

  /** Records in each sub-buffer: what is lost when it is overwritten. */
  private final long[] records;

  /** Words of the open packet beyond one for each record. */
  private long extra;

  /** The platform thread this ring belongs to, and its number. Guarded by the ring registry. */
  Thread owner;

  /** 0 = not defined yet. */
  int ownerNumber;

  /** As it is defined in the recording. */
  String ownerName = "";

  /** The owner's calls; null if none are ever counted. */
  private @Nullable CallStack stack;

  /** The kernel's number of the owner; 0 = not known yet. */
  int tid;

  Ring(ByteBuffer memory, DrainerWatch drainer, Budget budget, Thread owner) {
    this.memory = memory;
    this.drainer = drainer;
    this.budget = budget;
    this.owner = owner;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
    this.whenFull = memory.getInt(RingLayout.WHEN_FULL_OFFSET);
    this.number = memory.getInt(RingLayout.RING_OFFSET);
    this.lent = LentRing.of(memory);
    this.records = new long[subBuffers];
    this.credit = budget.initialCredit();
    this.closedAt = drainer.now();
    this.stack = budget.isLimited() ? new CallStack(this) : null;
  }

  /** Has the calling thread, or its carrier, find the ring. */
  void use() {
    if (lent != null) {
      lent.use();
    }
  }

  /** As the recording numbers it. */
  int number() {
    return number;
  }

  /** Takes the ring back from C, so that nothing but this class changes it; by its owner. */
  void take() {
    if (lent != null && isLent) {
      lent.close();
      isLent = false;
      offset = lent.offset();
      extra = lent.extra();
    }
  }

  /** Lends it to C again. */
  @SuppressWarnings("ReferenceEquality") // this very thread
  void lend() {
    Thread whose = thread;
    if (lent != null && whose != null) {
      isLent = true;
      int answer = stack == null || whose != owner ? LentRing.NO_STACK : number;
      lent.lend(Internals.id(whose), base, offset, limit, high, answer, extra);
    }
  }

  /** Lets go of memory that only the caller can have. */
  void free() {
    if (lent != null) {
      lent.free();
    }
  }

  /** The stack of a thread's calls; null if there is none, as for a virtual thread. */
  @SuppressWarnings("ReferenceEquality") // this very thread
  @Nullable CallStack stackOf(Thread running) {
    return owner == running ? stack : null;
  }

  /** The owner's calls; null if none are ever counted. */
  @Nullable CallStack stack() {
    return stack;
  }

  @SuppressWarnings("ReferenceEquality") // this very thread, whatever its equals() says
  boolean mustLeaveFastPath(Thread running, long now) {
    return thread != running || (int) (now >>> 32) != high || offset >= limit;
  }

  /** The owner's counter with an index; null if there is none yet. */
  @Nullable Counter counter(int index) {
    @Nullable Counter[] known = counters;
    return index < known.length ? known[index] : null;
  }

  /** Called by the owner, or a virtual thread on it. */
  void counter(int index, Counter counter) {
    @Nullable Counter[] known = counters;
    if (index >= known.length) {
      known = Arrays.copyOf(known, Math.max(index + 1, known.length * 2));
    }
    known[index] = counter;
    counters = known;
  }

  /** All of the owner's counters; null where there is none. */
  @Nullable Counter[] counters() {
    return counters;
  }

  /** The owner has ended and another one comes. */
  void passOn(Thread next) {
    counters = new Counter[0];
    stack = budget.isLimited() ? new CallStack(this) : null;
    retire();
    owner = next;
    ownerNumber = 0;
    tid = 0;
  }

  /** Stores a compact record; there is room. The field moves last: a stack overflow undoes all. */
  void commit(long word) {
    int at = offset;
    LONG.set(memory, at, word);
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, base + at + 8);
    offset = at + 8;
  }

  /**
   * Writes a record that the fast path could not take; counts it as lost if there is no room.
   *
   * @param running the thread that the event belongs to
   * @param number its number
   */
  void record(RingRecord record, long clock, Thread running, int number, boolean virtual) {
    take();
    recordTaken(record, clock, running, number, virtual);
    lend();
  }

  @SuppressWarnings("ReferenceEquality") // this very thread
  private void recordTaken(
      RingRecord record, long clock, Thread running, int number, boolean virtual) {
    long now = clock;
    boolean announced = false;
    int needed = ThreadRecord.EXTENDED_SIZE + ThreadRecord.COMPACT_SIZE + record.behind();
    if (needed + PacketLayout.HEADER_SIZE + ThreadRecord.COMPACT_SIZE > subBufferSize) {
      lose();
      return;
    }
    if (!open || limit - offset < needed) {
      if (open) {
        close(now);
      }
      boolean waited = !nextIsFree();
      if (waited && !(whenFull == RingLayout.BLOCK && awaitRoom(virtual))) {
        lose();
        return;
      }
      open(waited && record.mayBeLater() ? drainer.now() : now, number);
      announced = true;
      if (waited && record.mayBeLater()) {
        now = memory.getLong(slot() + PacketLayout.BEGIN_OFFSET);
      }
    }
    if (number != threadNumber || (virtual && !announced && thread != running)) {
      put(ThreadRecord.SWITCH, now, number);
      threadNumber = number;
    }
    put(record, now);
    thread = running;
  }

  private void put(RingRecord record, long now) {
    if (!record.isEvent()) {
      put(record.id(), now, record.payload());
    } else if ((int) (now >>> 32) == high) {
      LONG.set(memory, offset, ThreadRecord.compact(record.id(), now, record.payload()));
      commitBehind(ThreadRecord.COMPACT_SIZE, record.firstBehind(), record.data(), record.length());
    } else {
      LONG.set(memory, offset, ThreadRecord.extendedFirst(record.id(), now));
      LONG.set(memory, offset + 8, ThreadRecord.extendedSecond(now, record.payload()));
      high = (int) (now >>> 32);
      commitBehind(
          ThreadRecord.EXTENDED_SIZE, record.firstBehind(), record.data(), record.length());
    }
  }

  void lose() {
    lost++;
    LONG.setRelease(memory, RingLayout.LOST_OFFSET, lost);
  }

  /**
   * Makes this thread announce itself again; called by that thread, when it has recorded elsewhere.
   * Should another one take over the ring meanwhile, it announces itself once more than needed.
   */
  @SuppressWarnings("ReferenceEquality")
  void forget(Thread gone) {
    if (thread == gone) {
      retire();
    }
  }

  /** Sends whoever uses this ring to the slow path, where it learns that the recording is over. */
  void retire() {
    thread = null;
    if (lent != null) {
      lent.close();
    }
  }

  private void put(int id, long now, int payload) {
    if ((int) (now >>> 32) == high) {
      commit(ThreadRecord.compact(id, now, payload));
      return;
    }
    int at = offset;
    LONG.set(memory, at, ThreadRecord.extendedFirst(id, now));
    LONG.set(memory, at + 8, ThreadRecord.extendedSecond(now, payload));
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, base + at + ThreadRecord.EXTENDED_SIZE);
    offset = at + ThreadRecord.EXTENDED_SIZE;
    high = (int) (now >>> 32);
    extra++;
  }

  /** Whether an event with so many bytes behind its word has no room. */
  boolean isFullFor(int behind) {
    return limit - offset <= behind;
  }

  /** Stores a compact record and its argument; there is room. */
  void commit(long word, long argument) {
    int at = offset;
    LONG.set(memory, at, word);
    LONG.set(memory, at + 8, argument);
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, base + at + 16);
    offset = at + 16;
    extra++;
  }

  /** Stores a compact record and its data; there is room. */
  void commit(long word, byte[] data, int length) {
    LONG.set(memory, offset, word);
    commitBehind(ThreadRecord.COMPACT_SIZE, ThreadRecord.dataHeader(length), data, length);
  }

  /** Stores what follows a word, and commits both. */
  private void commitBehind(int wordSize, long header, byte @Nullable [] data, int length) {
    int at = offset + wordSize;
    LONG.set(memory, at, header);
    at += Long.BYTES;
    if (data != null) {
      int size = ThreadRecord.dataSize(length);
      if (size > 0) {
        LONG.set(memory, at + size - Long.BYTES, 0L);
      }
      memory.put(at, data, 0, length);
      at += size;
    }
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, base + at);
    extra += (at - offset) / Long.BYTES - 1;
    offset = at;
  }

  private void close(long now) {
    int at = slot();
    int size = offset - at;
    PacketLayout.close(memory, at, now, size);
    records[(int) (packet % subBuffers)] =
        (size - PacketLayout.HEADER_SIZE) / ThreadRecord.COMPACT_SIZE - extra;
    open = false;
    offset = 0;
    limit = 0;
    packet++;
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, packet * subBufferSize);
    budget.packet(this, memory.getLong(at + PacketLayout.BEGIN_OFFSET), now, size);
  }

  /**
   * Reads the packet closed last, if its memory has not been used again meanwhile; by any thread.
   *
   * @return its records, one in each element, extended ones in two; null if there is none
   */
  long @Nullable [] lastPacket() {

    long position = (long) LONG.getAcquire(memory, RingLayout.POSITION_OFFSET);
    long last = position / subBufferSize - 1;
    if (last < 0) {
      return null;
    }
    int at = RingLayout.HEADER_SIZE + (int) (last % subBuffers) * subBufferSize;
    int size = (int) (memory.getLong(at + PacketLayout.CONTENT_SIZE_OFFSET) / Byte.SIZE);
    long[] records = records(memory, at, Math.min(size, subBufferSize));
    VarHandle.acquireFence();
    long now = (long) LONG.getAcquire(memory, RingLayout.POSITION_OFFSET) / subBufferSize;
    return now < last + subBuffers ? records : null;
  }

  /** Reads the records so far of a ring's first packet, while it is open. */
  static long[] openPacket(ByteBuffer memory) {
    int size = (int) (long) LONG.getAcquire(memory, RingLayout.POSITION_OFFSET);
    return records(memory, RingLayout.HEADER_SIZE, size);
  }

  private static long[] records(ByteBuffer memory, int packet, int size) {
    long[] records = new long[Math.max(0, size - PacketLayout.HEADER_SIZE) / Long.BYTES];
    for (int i = 0; i < records.length; i++) {
      records[i] = (long) LONG.get(memory, packet + PacketLayout.HEADER_SIZE + i * Long.BYTES);
    }
    return records;
  }

  private void open(long now, int number) {
    int index = (int) (packet % subBuffers);
    if (whenFull == RingLayout.OVERWRITE && packet >= subBuffers) {
      lost += records[index];
      LONG.setRelease(memory, RingLayout.LOST_OFFSET, lost);
    }
    int at = slot();
    PacketLayout.begin(memory, at, now, lost, packet, number);
    threadNumber = number;
    high = (int) (now >>> 32);
    extra = 0;
    base = packet * subBufferSize - at;
    limit = at + subBufferSize - ThreadRecord.COMPACT_SIZE; // never full: see RingLayout
    offset = at + PacketLayout.HEADER_SIZE;
    open = true;
    LONG.setRelease(memory, RingLayout.POSITION_OFFSET, base + offset);
  }

  private int slot() {
    return RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
  }

  private boolean nextIsFree() {
    return whenFull == RingLayout.OVERWRITE
        || packet - (long) LONG.getAcquire(memory, RingLayout.TAKEN_OFFSET) < subBuffers;
  }

  private boolean awaitRoom(boolean virtual) {
    while (!nextIsFree()) {
      // Should anything have overwritten it, the drainer finds out only now.
      LONG.setRelease(memory, RingLayout.POSITION_OFFSET, packet * subBufferSize);
      if (!drainer.await(virtual)) {
        return false;
      }
    }
    return true;
  }
}
