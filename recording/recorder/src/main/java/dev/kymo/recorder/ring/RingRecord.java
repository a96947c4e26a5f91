package dev.kymo.recorder.ring;

import dev.kymo.format.ThreadRecord;
import org.jspecify.annotations.Nullable;

/** A record that takes the slow path. */
public final class RingRecord {
  private static final int NOTHING = -1;

  private final int id;
  private final int payload;

  /** Of an {@link ThreadRecord#EVENT}. */
  private final long argument;

  /** Of an {@link ThreadRecord#EVENT_DATA}. */
  private final byte @Nullable [] data;

  private final int length;

  private RingRecord(int id, int payload, long argument, byte @Nullable [] data, int length) {
    this.id = id;
    this.payload = payload;
    this.argument = argument;
    this.data = data;
    this.length = length;
  }

  public static RingRecord call(int id, int method) {
    return new RingRecord(id, method, 0, null, 0);
  }

  public static RingRecord event(int event, long argument) {
    return new RingRecord(ThreadRecord.EVENT, event, argument, null, 0);
  }

  public static RingRecord event(int event, byte[] data, int length) {
    return new RingRecord(ThreadRecord.EVENT_DATA, event, 0, data, length);
  }

  /** No record: for a thread that needs a ring, and that the ring says whose records follow. */
  public static RingRecord nothing() {
    return new RingRecord(NOTHING, 0, 0, null, 0);
  }

  boolean isNothing() {
    return id == NOTHING;
  }

  int id() {
    return id;
  }

  /** Method or event. */
  int payload() {
    return payload;
  }

  byte @Nullable [] data() {
    return data;
  }

  /** Bytes of the data. */
  int length() {
    return length;
  }

  boolean isEvent() {
    return id >= ThreadRecord.EVENT;
  }

  /** Whether it may get a later time if it had to wait for room. */
  boolean mayBeLater() {
    return id == ThreadRecord.ENTER || isEvent();
  }

  /** The eight bytes after the word of an event. */
  long firstBehind() {
    return data == null ? argument : ThreadRecord.dataHeader(length);
  }

  /** Bytes after the word. */
  int behind() {
    if (!isEvent()) {
      return 0;
    }
    return data == null
        ? ThreadRecord.ARGUMENT_SIZE
        : ThreadRecord.DATA_HEADER_SIZE + ThreadRecord.dataSize(length);
  }
}
