package dev.kymo.format;

/**
 * The page through which a recorded process and its drainer communicate.
 *
 * <pre>
 *   byte   0  u64  magic "KYMOCTRL", stored last: then the other files exist as well
 *          8  u32  process id
 *         12  u32  process: its number in the recording
 *         16  u64  the process began at this time or before: clock ticks since boot (as /proc/PID/stat, field 22)
 *         24  u32  number of rings: files ring-0 .. ring-(n-1) are complete
 *         28  u32  {@link #RUNNING} or {@link #ENDED}
 *         32  u64  events lost because their thread could get no ring
 *         40  u32  snapshots requested
 *         44  u32  flushes requested
 *         48  u32  user, plus 1, that this directory should belong to: the process has become that user; 0 = none
 *         56  u64  clock up to which every state that is over is in the rings; 0 = states come at once
 *   -- written by the drainer --
 *         64  u32  1 = stop recording
 *         72  u64  counts up while the drainer runs
 *         80  u32  flushes done: all that was committed before is in the files
 *         84  u32  the user at 48 that the directory was given to, or {@link #REFUSED}
 * </pre>
 */
public final class ControlLayout {
  public static final long MAGIC = 0x4C5254434F4D594BL;
  public static final int MAGIC_OFFSET = 0;
  public static final int PID_OFFSET = 8;
  public static final int PROCESS_OFFSET = 12;
  public static final int BEGUN_BY_OFFSET = 16;
  public static final int RINGS_OFFSET = 24;
  public static final int STATE_OFFSET = 28;
  public static final int LOST_OFFSET = 32;
  public static final int SNAPSHOTS_OFFSET = 40;
  public static final int FLUSHES_OFFSET = 44;
  public static final int OWNER_ASKED_OFFSET = 48;
  public static final int STATES_UNTIL_OFFSET = 56;
  public static final int STOP_OFFSET = 64;
  public static final int HEARTBEAT_OFFSET = 72;
  public static final int FLUSHED_OFFSET = 80;
  public static final int OWNER_DONE_OFFSET = 84;
  public static final int SIZE = 4096;

  /**
   * Name of the file beside the processes' folders that the drainer keeps locked as long as it
   * lives, even while it is stopped.
   */
  public static final String ALIVE = "alive";

  /** Name of the socket beside this page on which the process takes commands. */
  public static final String SOCKET = "control-socket";

  public static final int RUNNING = 1;
  public static final int ENDED = 2;

  /** The process is not that user, or this recorder may not give the directory away. */
  public static final int REFUSED = -1;

  private ControlLayout() {}
}
