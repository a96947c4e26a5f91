package dev.kymo.recorder.ring;

import dev.kymo.format.RingLayout;
import dev.kymo.recorder.platform.AgentLibrary;
import dev.kymo.recorder.platform.FastCalls;
import dev.kymo.recorder.platform.JdkInternals;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A ring's fast path in the agent's library, in memory that both know ({@code
 * recording/native/agent/ring.h}). While the ring is lent to C, C alone knows where the next record
 * goes; {@link Ring} takes it back for all that is rare.
 *
 * <p>The way to a thread's ring takes Java seven loads, each of which waits for the one before it;
 * C takes one. That is worth a second implementation in C because Intel's processors read their
 * clock only when all loads before it are done.
 *
 * <p>All of it is written by the ring's thread, in C or here. Only {@code thread} is also set to 0
 * by others, at any time ({@link #close}), with release; C reads it again for each event. {@link
 * Ring#lend} ensures that this 0 is not overwritten.
 */
public final class LentRing {
  /**
   * The answer to callers that have recorded: this value if they have no {@link CallStack},
   * otherwise the ring's number.
   */
  static final int NO_STACK = -1;

  /** Numbers of rings below this one may be lent. */
  static final int NUMBERED = 1 << 16;

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

  /** Makes the memory for a ring; null if there is none. */
  static @Nullable LentRing of(ByteBuffer ring) {
    if (!FastCalls.areUsed() || ring.getInt(RingLayout.RING_OFFSET) >= NUMBERED) {
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

  /** Makes the calling thread, or its carrier, use it. */
  void use() {
    AgentLibrary.use(address);
  }

  /**
   * Lends the ring, by its owner.
   *
   * @param thread whose records go there, {@link JdkInternals#id}
   * @param answer the result for a caller that has recorded
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

  /** Sends its user to the slow path; by any thread. */
  void close() {
    LONG.setRelease(state, THREAD, 0L);
  }

  int offset() {
    return state.getInt(OFFSET);
  }

  long extra() {
    return state.getLong(EXTRA);
  }

  /** Releases the memory, which otherwise stays because a thread may still use it. */
  void free() {
    AgentLibrary.use(0);
    AgentLibrary.freeRing(address);
  }
}
