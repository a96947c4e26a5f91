package dev.kymo.recorder;

import dev.kymo.format.RingLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A ring's fast path in the agent's library, in memory that both know ({@code
 * native/agent/ring.h}). While the ring is lent to C, C alone knows where the next record goes;
 * {@link Ring} takes it back for all that is rare.
 *
 * <p>The way to a thread's ring takes Java seven loads, each of which waits for the one before it;
 * C takes one. That is worth a store in another language because a processor of Intel's reads its
 * clock only when all loads before it are done.
 */
final class LentRing {
  /**
   * What those get that have recorded, if they have no {@link CallStack}; else the ring's number.
   */
  static final int NO_STACK = -1;

  private static final int THREAD = 0;
  private static final int MEMORY = 8;
  private static final int BASE = 16;
  private static final int OFFSET = 24;
  private static final int LIMIT = 28;
  private static final int HIGH = 32;
  private static final int ANSWER = 36;
  private static final int EXTRA = 40;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ByteBuffer state;
  private final long address;

  private LentRing(ByteBuffer state) {
    this.state = state;
    this.address = AgentLibrary.address(state);
  }

  /** For a ring; null if it has to do without. */
  static @Nullable LentRing of(ByteBuffer ring) {
    if (!FastCalls.areUsed() || ring.getInt(RingLayout.RING_OFFSET) >= Probe.NUMBERED) {
      return null;
    }
    ByteBuffer state = AgentLibrary.newRing();
    if (state == null) {
      return null;
    }
    LentRing lent = new LentRing(state.order(ByteOrder.LITTLE_ENDIAN));
    lent.state.putLong(MEMORY, AgentLibrary.address(ring));
    return lent;
  }

  /** Has the calling thread, or its carrier, use it. */
  void use() {
    AgentLibrary.use(address);
  }

  /**
   * Lends the ring, by its owner.
   *
   * @param thread whose records go there, {@link Internals#id}
   * @param answer what a caller gets that has recorded
   */
  void lend(long thread, long base, int offset, int limit, int high, int answer, long extra) {
    state.putLong(BASE, base);
    state.putInt(OFFSET, offset);
    state.putInt(LIMIT, limit);
    state.putInt(HIGH, high);
    state.putInt(ANSWER, answer);
    state.putLong(EXTRA, extra);
    LONG.setRelease(state, THREAD, thread);
  }

  /** Sends whoever uses it to the slow path; by any thread. */
  void close() {
    LONG.setRelease(state, THREAD, 0L);
  }

  int offset() {
    return state.getInt(OFFSET);
  }

  long extra() {
    return state.getLong(EXTRA);
  }

  /** Lets go of the memory, which else stays: some thread may have it still. */
  void free() {
    AgentLibrary.use(0);
    AgentLibrary.freeRing(address);
  }
}
