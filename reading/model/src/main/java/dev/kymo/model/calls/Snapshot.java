package dev.kymo.model.calls;

import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;

/** The state of a thread before one of its batches, so that reading can continue from there. */
public final class Snapshot {
  private static final int BEGIN = 0;

  private final long clock;
  private final int stream;
  private final long packetOffset;
  private final long offset;
  private final long[] frames;
  private final int depth;
  private final long rootEnd;
  private final long begun;
  private final long detail;

  /**
   * The state as it was written.
   *
   * @param clock of the batch's first event
   */
  public Snapshot(long clock, ByteCursor from) {
    this.clock = clock;
    stream = (int) from.number();
    packetOffset = from.number();
    offset = from.number();
    rootEnd = clock - from.signed();
    begun = from.number();
    detail = from.signed();
    depth = (int) from.number();
    int used = from.count();
    frames = new long[used * ThreadCalls.FRAME];
    for (int at = 0; at < frames.length; at += ThreadCalls.FRAME) {
      frames[at + BEGIN] = clock - from.signed();
      long method = from.number();
      frames[at + ThreadCalls.METHOD] =
          method >>> 1 << 32 | ((method & 1) == 0 ? 0 : Slice.OPEN_BEGIN);
      frames[at + ThreadCalls.END_BEFORE] = clock - from.signed();
      frames[at + ThreadCalls.CHILD_TIME] = from.number();
      frames[at + ThreadCalls.CHILDREN] = from.number();
      frames[at + ThreadCalls.NUMBER] = begun - from.number();
    }
  }

  /**
   * Writes the state as it is.
   *
   * @param clock of the batch's first event
   * @param offset of its first record
   */
  public static void write(
      ThreadCalls thread, long clock, int stream, long packetOffset, long offset, ByteWriter to) {
    to.number(stream).number(packetOffset).number(offset);
    long begun = thread.begun();
    to.signed(clock - thread.rootEnd).number(begun).signed(thread.openDetail());
    to.number(thread.depth);
    int used = Math.min(thread.frames.length / ThreadCalls.FRAME, thread.depth + 1);
    to.number(used);
    for (int i = 0; i < used; i++) {
      int at = i * ThreadCalls.FRAME;
      to.signed(clock - thread.frames[at + BEGIN]);
      long method = thread.frames[at + ThreadCalls.METHOD];
      to.number(method >>> 32 << 1 | ((method & Slice.OPEN_BEGIN) == 0 ? 0 : 1));
      to.signed(clock - thread.frames[at + ThreadCalls.END_BEFORE]);
      boolean open = i < thread.depth; // else it is the next one's, and END_BEFORE alone counts
      to.number(open ? thread.frames[at + ThreadCalls.CHILD_TIME] : 0);
      to.number(open ? thread.frames[at + ThreadCalls.CHILDREN] : 0);
      to.number(open ? begun - thread.number(i) : 0);
    }
  }

  public long clock() {
    return clock;
  }

  public int stream() {
    return stream;
  }

  public long packetOffset() {
    return packetOffset;
  }

  public long offset() {
    return offset;
  }

  /** As {@link ThreadCalls} has them. */
  long[] frames() {
    return frames;
  }

  int depth() {
    return depth;
  }

  long rootEnd() {
    return rootEnd;
  }

  /** How many calls of the thread had begun. */
  long begun() {
    return begun;
  }

  /** A detail of the innermost call that came before the call's end. */
  long detail() {
    return detail;
  }
}
