package dev.kymo.recorder.ring;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RecordEncoder;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.platform.JdkInternals;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a ring in shared memory ({@link RingLayout}). One thread at a time writes;
 * the drainer, mostly in another process, reads below the position. The position's release store is
 * the commit: what it covers is in the recording even if the process is killed with the next
 * instruction.
 *
 * <p>The ring's thread is the platform thread it belongs to, or a virtual thread that runs on it.
 * Only this thread writes the fields in the section <i>of the ring's thread</i> below; they are
 * plain, and nobody else reads them. The registry's lock hands them from one owner to the next.
 * These fields are shared:
 *
 * <pre>
 *   field        written by                      read by               access
 *   position     the ring's thread               drainer, governor     release, acquire; {@link RingHeader}
 *   lost         the ring's thread               drainer               release, acquire
 *   taken        drainer                         the ring's thread     release, acquire
 *   thread       the ring's thread; null by all  the ring's thread     opaque
 *   retirements  all                             the ring's thread     volatile
 *   over         registry                        the ring's thread     volatile
 *   owner        registry, under its lock        all                   plain: each value is a thread
 *   stack        registry, under its lock        the ring's thread     plain
 *                                                governor              release, acquire
 *   credit       see {@link RingCredit}
 *   track        see {@link RingTrack}
 * </pre>
 *
 * <p>{@link #retire} sends the ring's thread to the slow path, whatever it is doing. The fast path
 * checks {@code thread} each time; a record that has begun by then is still committed. The slow
 * path sets {@code thread} itself. So afterwards, after a full fence, it checks whether the ring
 * was retired since the slow path began, and if so retires it again: a retirement is never lost.
 */
public final class Ring {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle THREAD;
  private static final VarHandle STACK;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      THREAD = lookup.findVarHandle(Ring.class, "thread", Thread.class);
      STACK = lookup.findVarHandle(Ring.class, "stack", CallStack.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ByteBuffer memory;
  private final int subBufferSize;
  private final int subBuffers;
  private final int whenFull;
  private final int number;
  private final @Nullable LentRing lent;
  private final DrainerWatch drainer;
  private final ThreadCounters.Maker maker;
  private final RingCredit credit;
  private final RingTrack track = new RingTrack();
  private final boolean hasStack;

  // Of the ring's thread.

  /**
   * The offset of the next record in {@link #memory}. Equal to {@link #limit} when there is no
   * room.
   */
  private int offset;

  private int limit;

  /** Whether C has newer values of {@link #offset} and {@link #extra}. */
  private boolean isLent;

  /** {@link #retirements} when the slow path began. */
  private int retirementsBefore;

  /** Position of memory offset 0 while the open packet lasts. */
  private long base;

  /** High half of the clock that readers assume for the next compact record. */
  private int high;

  private int threadNumber;
  private boolean open;
  private long packet;
  private long lost;

  /** Records in each sub-buffer: what is lost when it is overwritten. */
  private final long[] records;

  /** Words of the open packet beyond one for each record. */
  private long extra;

  final RingMark mark = new RingMark();

  // Shared.

  /** The thread whose records are being written; any other running thread takes the slow path. */
  @SuppressWarnings("UnusedVariable") // by its handle
  private @Nullable Thread thread;

  private final AtomicInteger retirements = new AtomicInteger();

  /** Whether the recording is over, so that the ring stays retired. */
  private volatile boolean over;

  /** The platform thread this ring belongs to. */
  private Thread owner;

  /** The owner's calls; null if none are ever counted. */
  private @Nullable CallStack stack;

  public Ring(
      ByteBuffer memory,
      DrainerWatch drainer,
      Budget budget,
      Thread owner,
      ThreadCounters.Maker maker) {
    this.memory = memory;
    this.drainer = drainer;
    this.maker = maker;
    this.owner = owner;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
    this.whenFull = memory.getInt(RingLayout.WHEN_FULL_OFFSET);
    this.number = memory.getInt(RingLayout.RING_OFFSET);
    this.lent = LentRing.of(memory);
    this.records = new long[subBuffers];
    this.credit = new RingCredit(budget, drainer.now());
    this.hasStack = budget.isLimited();
    this.stack = hasStack ? new CallStack(maker) : null;
  }

  /** Makes the calling thread, or its carrier, find the ring. */
  void use() {
    if (lent != null) {
      lent.use();
    }
  }

  int number() {
    return number;
  }

  public RingCredit credit() {
    return credit;
  }

  public Thread owner() {
    return owner;
  }

  RingTrack track() {
    return track;
  }

  /**
   * Takes the ring back from C, so that nothing but this class changes it; by the ring's thread.
   * {@link #lend} follows.
   */
  void take() {
    retirementsBefore = retirements.get();
    if (lent != null && isLent) {
      lent.close();
      isLent = false;
      offset = lent.offset();
      extra = lent.extra();
    }
  }

  /** Lends it to C again, unless somebody has retired it since it was taken. */
  @SuppressWarnings("ReferenceEquality") // this very thread
  void lend() {
    if (lent == null) {
      return;
    }
    Thread whose = threadOpaque();
    if (whose != null) {
      isLent = true;
      int answer = stack == null || whose != owner ? LentRing.NO_STACK : number;
      lent.lend(JdkInternals.id(whose), base, offset, limit, high, answer, extra);
      retireIfRetired();
    }
  }

  /**
   * Repeats a retirement that the slow path may have overwritten: retiring first counts, then
   * closes the ring, which may be open again by now.
   */
  private void retireIfRetired() {
    VarHandle.fullFence();
    if (over || retirements.get() != retirementsBefore) {
      shut();
    }
  }

  /** Releases memory that only the caller can use. */
  public void free() {
    if (lent != null) {
      lent.free();
    }
  }

  /** The stack of a thread's calls; null if there is none, as for a virtual thread. */
  @SuppressWarnings("ReferenceEquality") // this very thread
  @Nullable CallStack stackOf(Thread running) {
    return owner == running ? stack : null;
  }

  /** The owner's calls; null if none are counted, or the recording is over. By its thread. */
  @Nullable CallStack stack() {
    return over ? null : stack;
  }

  /** The same, for the governor. */
  public @Nullable CallStack stackAcquire() {
    return (CallStack) STACK.getAcquire(this);
  }

  private @Nullable Thread threadOpaque() {
    return (Thread) THREAD.getOpaque(this);
  }

  private void threadOpaque(@Nullable Thread whose) {
    THREAD.setOpaque(this, whose);
  }

  @SuppressWarnings("ReferenceEquality") // this very thread, whatever its equals() says
  boolean mustLeaveFastPath(Thread running, long now) {
    return threadOpaque() != running || (int) (now >>> 32) != high || offset >= limit;
  }

  /** The owner has ended and another one comes; under the registry's lock. */
  void passOn(Thread next) {
    STACK.setRelease(this, hasStack ? new CallStack(maker) : null);
    retire();
    owner = next;
    track.clear();
  }

  /** Stores a compact record; there is room. The field moves last: a stack overflow undoes all. */
  void commit(long word) {
    int at = offset;
    LONG.set(memory, at, word);
    RingHeader.positionRelease(memory, base + at + 8);
    offset = at + 8;
  }

  /**
   * Writes a record that the fast path could not take; counts it as lost if there is no room.
   *
   * @param running the thread that the event belongs to
   * @param number its number
   */
  public void record(RingRecord record, long clock, Thread running, int number, boolean virtual) {
    take();
    recordTaken(record, clock, running, number, virtual);
    retireIfRetired();
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
    if (number != threadNumber || (virtual && !announced && threadOpaque() != running)) {
      put(ThreadRecord.SWITCH, now, number);
      threadNumber = number;
    }
    if (!record.isNothing()) {
      put(record, now);
    }
    threadOpaque(running);
  }

  private void put(RingRecord record, long now) {
    if (!record.isEvent()) {
      put(record.id(), now, record.payload());
      return;
    }
    int after = RecordEncoder.word(memory, offset, high, record.id(), now, record.payload());
    high = RecordEncoder.high(now);
    commitBehind(after - offset, record.firstBehind(), record.data(), record.length());
  }

  void lose() {
    lost++;
    RingHeader.lostRelease(memory, lost);
  }

  /**
   * Makes this thread announce itself again; called by that thread, when it has recorded elsewhere.
   * If another thread takes over the ring in between, it announces itself once more than needed.
   */
  @SuppressWarnings("ReferenceEquality")
  void forget(Thread gone) {
    if (threadOpaque() == gone) {
      retire();
    }
  }

  /** Of the next record, unless another packet comes first; by the ring's thread. */
  long position() {
    return base + offset;
  }

  /** Sends whoever uses this ring to the slow path; by any thread. */
  void retire() {
    retirements.incrementAndGet();
    shut();
  }

  /** Retires the ring for good: the recording is over, which the slow path knows. */
  void retireForGood() {
    over = true;
    retire();
  }

  private void shut() {
    threadOpaque(null);
    if (lent != null) {
      lent.close();
    }
  }

  private void put(int id, long now, int payload) {
    int at = offset;
    int after = RecordEncoder.word(memory, at, high, id, now, payload);
    RingHeader.positionRelease(memory, base + after);
    offset = after;
    high = RecordEncoder.high(now);
    extra += (after - at) / Long.BYTES - 1;
  }

  /** Whether there is no room for an event with a number of bytes after its word. */
  boolean isFullFor(int behind) {
    return limit - offset <= behind;
  }

  /** Stores a compact record and its argument; there is room. */
  void commit(long word, long argument) {
    int at = offset;
    LONG.set(memory, at, word);
    LONG.set(memory, at + 8, argument);
    RingHeader.positionRelease(memory, base + at + 16);
    offset = at + 16;
    extra++;
  }

  /** Stores a compact record and its data; there is room. */
  void commit(long word, byte[] data, int length) {
    LONG.set(memory, offset, word);
    commitBehind(ThreadRecord.COMPACT_SIZE, ThreadRecord.dataHeader(length), data, length);
  }

  /** Stores the bytes after a word, and commits both. */
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
    RingHeader.positionRelease(memory, base + at);
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
    RingHeader.positionRelease(memory, packet * subBufferSize);
    credit.packet(memory.getLong(at + PacketLayout.BEGIN_OFFSET), now, size);
  }

  /**
   * Reads the packet closed last, unless its memory has been reused; by any thread.
   *
   * @return its records, one in each element, extended ones in two; null if there is none
   */
  public long @Nullable [] lastPacket() {

    long position = RingHeader.positionAcquire(memory);
    long last = position / subBufferSize - 1;
    if (last < 0) {
      return null;
    }
    int at = RingLayout.HEADER_SIZE + (int) (last % subBuffers) * subBufferSize;
    int size = (int) (memory.getLong(at + PacketLayout.CONTENT_SIZE_OFFSET) / Byte.SIZE);
    long[] records = records(memory, at, Math.min(size, subBufferSize));
    VarHandle.acquireFence();
    long now = RingHeader.positionAcquire(memory) / subBufferSize;
    return now < last + subBuffers ? records : null;
  }

  /** Reads the records so far of a ring's first packet, while it is open. */
  public static long[] openPacket(ByteBuffer memory) {
    int size = (int) RingHeader.positionAcquire(memory);
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
      RingHeader.lostRelease(memory, lost);
    }
    VarHandle.storeStoreFence(); // a reader that sees the new packet's bytes sees the position
    int at = slot();
    PacketLayout.begin(memory, at, now, lost, packet, number);
    threadNumber = number;
    high = RecordEncoder.high(now);
    extra = 0;
    base = packet * subBufferSize - at;
    limit = at + subBufferSize - ThreadRecord.COMPACT_SIZE; // never full: see RingLayout
    offset = at + PacketLayout.HEADER_SIZE;
    open = true;
    RingHeader.positionRelease(memory, base + offset);
  }

  private int slot() {
    return RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
  }

  private boolean nextIsFree() {
    return whenFull == RingLayout.OVERWRITE
        || packet - RingHeader.takenAcquire(memory) < subBuffers;
  }

  private boolean awaitRoom(boolean virtual) {
    while (!nextIsFree()) {
      // Should anything have overwritten it, the drainer finds out only now.
      RingHeader.positionRelease(memory, packet * subBufferSize);
      if (!drainer.await(virtual)) {
        return false;
      }
    }
    return true;
  }
}
