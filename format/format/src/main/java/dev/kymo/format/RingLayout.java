package dev.kymo.format;

/**
 * Header of a ring: the shared memory that one thread (or carrier of virtual threads) writes and
 * the drainer empties. It is a file of one header page and the sub-buffers, each with room for one
 * packet.
 *
 * <pre>
 *   byte    0  u64  magic "KYMORING"
 *           8  u32  bytes of a sub-buffer
 *          12  u32  number of sub-buffers, n
 *          16  u32  stream class
 *          20  u32  number of this ring in its process
 *          24  u32  process
 *          28  u32  what happens when full: {@link #DISCARD}, {@link #BLOCK}, {@link #OVERWRITE}
 *    -- written by the recording thread --
 *          64  u64  position: packet number * bytes of a sub-buffer + committed bytes of it
 *          72  u64  events lost
 *    -- written by the drainer --
 *         128  u64  packets taken
 *        4096  sub-buffer 0: packets 0, n, 2n, ...
 * </pre>
 *
 * A packet's bytes below the position are final. Packet {@code p} is closed (its header complete)
 * when {@code position >= (p + 1) * bytes}; a remainder of 0 means that no packet is open. A packet
 * never fills its sub-buffer to the last byte, so that it does not look closed as soon as its last
 * record is committed.
 */
public final class RingLayout {
  public static final long MAGIC = 0x474E49524F4D594BL;
  public static final int MAGIC_OFFSET = 0;
  public static final int SUB_BUFFER_SIZE_OFFSET = 8;
  public static final int SUB_BUFFERS_OFFSET = 12;
  public static final int STREAM_CLASS_OFFSET = 16;
  public static final int RING_OFFSET = 20;
  public static final int PROCESS_OFFSET = 24;
  public static final int WHEN_FULL_OFFSET = 28;
  public static final int POSITION_OFFSET = 64;
  public static final int LOST_OFFSET = 72;
  public static final int TAKEN_OFFSET = 128;
  public static final int HEADER_SIZE = 4096;

  /** New events are dropped and counted. */
  public static final int DISCARD = 0;

  /** The thread waits for the drainer. */
  public static final int BLOCK = 1;

  /** The oldest packet is dropped and its events counted. */
  public static final int OVERWRITE = 2;

  private RingLayout() {}
}
