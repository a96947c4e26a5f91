package dev.kymo.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The three numbers in a ring's header by which its thread and the drainer understand each other,
 * with the ordering of each access in its name. {@link RingLayout} says where they are.
 *
 * <pre>
 *   position  written by the ring's thread, read by drainer and governor:  release, acquire
 *             commits all bytes below it; frees nothing
 *   taken     written by the drainer, read by the ring's thread:           release, acquire
 *             frees the packets before it, whose bytes the drainer has read
 *   lost      written by the ring's thread, read by the drainer:           release, acquire
 *             only grows; counts events of which the position knows nothing
 * </pre>
 *
 * <p>In a ring that overwrites itself nothing is freed. There a reader copies a packet and then
 * asks the position, after an acquire fence, whether the packet was being overwritten; so the
 * thread needs a store-store fence between the position that closes a packet and the first byte of
 * the next one.
 */
public final class RingHeader {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private RingHeader() {}

  /** Commits what lies below a position. */
  public static void positionRelease(ByteBuffer ring, long position) {
    LONG.setRelease(ring, RingLayout.POSITION_OFFSET, position);
  }

  /** The position: all bytes below it can be read. */
  public static long positionAcquire(ByteBuffer ring) {
    return (long) LONG.getAcquire(ring, RingLayout.POSITION_OFFSET);
  }

  /** Says how many packets were taken: their room can be used again. */
  public static void takenRelease(ByteBuffer ring, long packets) {
    LONG.setRelease(ring, RingLayout.TAKEN_OFFSET, packets);
  }

  /** Packets that were taken: nobody reads them any more. */
  public static long takenAcquire(ByteBuffer ring) {
    return (long) LONG.getAcquire(ring, RingLayout.TAKEN_OFFSET);
  }

  public static void lostRelease(ByteBuffer ring, long events) {
    LONG.setRelease(ring, RingLayout.LOST_OFFSET, events);
  }

  public static long lostAcquire(ByteBuffer ring) {
    return (long) LONG.getAcquire(ring, RingLayout.LOST_OFFSET);
  }
}
