package dev.kymo.model;

import java.util.Arrays;

/** The state of a thread before one of its batches, so that reading can go on from there. */
final class Snapshot {
  private final long clock;
  private final int stream;
  private final long packetOffset;
  private final long offset;
  private final long[] frames;
  private final int depth;
  private final long rootEnd;

  /**
   * The state as it is.
   *
   * @param clock of the batch's first event
   * @param offset of its first record
   */
  Snapshot(ThreadCalls thread, long clock, int stream, long packetOffset, long offset) {
    this.clock = clock;
    this.stream = stream;
    this.packetOffset = packetOffset;
    this.offset = offset;
    int used = Math.min(thread.frames.length, (thread.depth + 1) * ThreadCalls.FRAME);
    this.frames = Arrays.copyOf(thread.frames, used);
    this.depth = thread.depth;
    this.rootEnd = thread.rootEnd;
  }

  long clock() {
    return clock;
  }

  int stream() {
    return stream;
  }

  long packetOffset() {
    return packetOffset;
  }

  long offset() {
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

  /** Memory, longs. */
  int size() {
    return 16 + frames.length;
  }
}
