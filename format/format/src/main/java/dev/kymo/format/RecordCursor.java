package dev.kymo.format;

import java.nio.ByteBuffer;

/**
 * Goes through the records of a {@link StreamClass#THREADS} stream that lie in memory, in the order
 * in which they were written. It reads words only, so records may be cut or damaged: then it ends,
 * or finds records that are none, but never leaves the buffer.
 */
public final class RecordCursor {
  private final ByteBuffer records;
  private int at;
  private long clock;
  private int id;
  private int payload;

  /**
   * Begins before the first record.
   *
   * @param records little-endian, up to the limit
   * @param from index of the first record
   * @param before clock of the record before it, or of the packet's begin
   */
  public RecordCursor(ByteBuffer records, int from, long before) {
    this.records = records;
    this.at = from;
    this.clock = before;
  }

  /** Goes to the next record; false if there is none. */
  public boolean next() {
    if (at + ThreadRecord.COMPACT_SIZE > records.limit()) {
      return false;
    }
    long word = records.getLong(at);
    id = ThreadRecord.id(word);
    if (id != ThreadRecord.EXTENDED) {
      clock = ThreadRecord.clock(clock, ThreadRecord.clockLow(word));
      payload = ThreadRecord.payload(word);
      at += ThreadRecord.COMPACT_SIZE;
    } else if (at + ThreadRecord.EXTENDED_SIZE <= records.limit()) {
      long second = records.getLong(at + Long.BYTES);
      id = ThreadRecord.extendedId(word);
      clock = ThreadRecord.extendedClock(word, second);
      payload = ThreadRecord.payload(second);
      at += ThreadRecord.EXTENDED_SIZE;
    } else {
      return false;
    }
    if (id >= ThreadRecord.DETAIL && id < ThreadRecord.ID_COUNT) {
      at += sizeAfterWord();
    }
    return true;
  }

  private int sizeAfterWord() {
    if (id == ThreadRecord.EVENT_DATA && at + ThreadRecord.DATA_HEADER_SIZE <= records.limit()) {
      return ThreadRecord.sizeBehindWord(records.getLong(at));
    }
    return ThreadRecord.DETAIL_SIZE;
  }

  /** What the record is: {@link ThreadRecord#ENTER} and so on. */
  public int id() {
    return id;
  }

  /** When it was; before the first record, the clock that was given. */
  public long clock() {
    return clock;
  }

  /** Method, thread or event. */
  public int payload() {
    return payload & ThreadRecord.MAX_PAYLOAD;
  }
}
