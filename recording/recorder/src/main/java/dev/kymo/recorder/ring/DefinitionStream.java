package dev.kymo.recorder.ring;

import dev.kymo.format.Definition;
import dev.kymo.format.DefinitionCodec;
import dev.kymo.format.PacketLayout;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.platform.JdkInternals;
import dev.kymo.recorder.platform.RecorderWork;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the definitions of this process into their ring. Any thread may define something, and none
 * waits for room: one at a time writes what is there, its own and that of others, as far as there
 * is room. The rest is kept for the next one; the housekeeper comes ten times a second.
 *
 * <p>So a record may be in its ring before the definition that it uses, but only as long as the
 * drainer leaves the ring of definitions full.
 */
public final class DefinitionStream {
  /** About 40 MB of the program's heap. Threads that come and go can fill it, classes hardly. */
  private static final int MOST_WAITING = 1 << 18;

  private final ByteBuffer memory;
  private final DrainerWatch drainer;
  private final int process;
  private final int subBufferSize;
  private final int subBuffers;
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCount = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();

  /** The thread that writes, which alone uses the fields below. */
  private final AtomicReference<@Nullable Thread> writer = new AtomicReference<>();

  private final ByteBuffer scratch =
      ByteBuffer.allocate(DefinitionCodec.MAX_SIZE).order(ByteOrder.LITTLE_ENDIAN);
  private long last; // clock
  private long packet;
  private int used; // bytes of the open packet; 0 = none open

  /**
   * A definition that is not in the ring yet.
   *
   * @param clock when it was made
   */
  private record Waiting(long clock, Definition definition) {}

  public DefinitionStream(ByteBuffer memory, DrainerWatch drainer, int process) {
    this.process = process;
    this.memory = memory;
    this.drainer = drainer;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
  }

  /** Number of this process in the recording. */
  public int process() {
    return process;
  }

  /** Commits a definition, as soon as there is room for it. */
  public void put(Definition definition) {
    boolean begun = RecorderWork.begin();
    try {
      if (waitingCount.incrementAndGet() > MOST_WAITING) {
        waitingCount.decrementAndGet();
        dropped.incrementAndGet();
        return;
      }
      waiting.add(new Waiting(drainer.now(), definition));
      write();
    } finally {
      RecorderWork.end(begun);
    }
  }

  public void notice(String text) {
    put(new Definition.Notice(process, text));
  }

  /**
   * Writes what has waited for room; returns whether that is all.
   *
   * @param patient whether to wait for room, as long as the drainer makes any, and then to drop the
   *     rest
   */
  public boolean write(boolean patient) {
    int lost = dropped.getAndSet(0);
    if (lost > 0) {
      notice("the recorder made no room for definitions, names are missing: count=" + lost);
    }
    write();
    while (patient && !waiting.isEmpty() && drainer.await(false)) {
      write();
    }
    boolean all = waiting.isEmpty();
    if (patient && !all) {
      drop();
    }
    return all;
  }

  /** Nobody will take it, and the program shall have its memory again. */
  private void drop() {
    if (writer.compareAndSet(null, Thread.currentThread())) {
      while (!waiting.isEmpty()) {
        forgetFirst();
      }
      writer.set(null);
    } // else that thread finds no room either
  }

  /** Others wait for the writer, so that what they define is there before they use it. */
  @SuppressWarnings({"ReferenceEquality", "ThreadPriorityCheck"}) // this very thread
  private void write() {
    Thread self = Thread.currentThread();
    boolean room = true;
    while (room && !waiting.isEmpty()) {
      if (writer.compareAndSet(null, self)) {
        try {
          room = writeAll();
        } finally {
          writer.set(null);
        }
      } else if (writer.get() == self) {
        return; // writing has loaded a class that is woven: the writer goes on below this
      } else if (JdkInternals.isVirtual(self)) {
        Thread.onSpinWait(); // it must not leave its carrier
      } else {
        Thread.yield();
      }
    }
  }

  private boolean writeAll() {
    for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
      if (!write(next)) {
        return false;
      }
      forgetFirst();
    }
    return true;
  }

  private void forgetFirst() {
    waiting.remove();
    waitingCount.decrementAndGet();
  }

  /** Returns false when there is no room. */
  private boolean write(Waiting next) {
    long clock = Math.max(last + 1, next.clock); // never twice: see spec.md
    scratch.clear();
    try {
      DefinitionCodec.put(scratch, clock, next.definition);
    } catch (RuntimeException e) {
      forgetFirst(); // what cannot be written must not hold up the others
      throw e;
    }
    scratch.flip();
    if (used > 0 && used + scratch.remaining() >= subBufferSize) {
      used = 0;
      packet++;
      RingHeader.positionRelease(memory, packet * subBufferSize);
    }
    int at = RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
    if (used == 0) {
      if (packet - RingHeader.takenAcquire(memory) >= subBuffers) {
        return false;
      }
      PacketLayout.begin(memory, at, clock, 0, packet, 0);
      used = PacketLayout.HEADER_SIZE;
    }
    memory.put(at + used, scratch.array(), 0, scratch.limit());
    used += scratch.limit();
    last = clock;
    PacketLayout.close(memory, at, clock, used); // always closed: the drainer need not understand
    RingHeader.positionRelease(memory, packet * subBufferSize + used);
    return true;
  }
}
