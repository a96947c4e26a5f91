package dev.kymo.drain;

import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;

/** Finds the clock of the last record of a packet that nobody has closed. */
final class LastClock {
  private LastClock() {}

  /**
   * Returns the clock of the last record.
   *
   * @param from where the first record to read begins
   * @param before clock of the record before it
   */
  static long of(ByteBuffer packet, int from, long before) {
    long clock = before;
    int at = from;
    while (at + ThreadRecord.COMPACT_SIZE <= packet.limit()) {
      long word = packet.getLong(at);
      int id = ThreadRecord.id(word);
      if (id != ThreadRecord.EXTENDED) {
        clock = ThreadRecord.clock(clock, ThreadRecord.clockLow(word));
        at += ThreadRecord.COMPACT_SIZE;
      } else if (at + ThreadRecord.EXTENDED_SIZE <= packet.limit()) {
        id = ThreadRecord.extendedId(word);
        clock = ThreadRecord.extendedClock(word, packet.getLong(at + 8));
        at += ThreadRecord.EXTENDED_SIZE;
      } else {
        break;
      }
      at += sizeAfterWord(packet, at, id);
    }
    return clock;
  }

  private static int sizeAfterWord(ByteBuffer packet, int at, int id) {
    if (id == ThreadRecord.EVENT_DATA && at + ThreadRecord.DATA_HEADER_SIZE <= packet.limit()) {
      return ThreadRecord.sizeBehindWord(packet.getLong(at));
    }
    boolean bare = id < ThreadRecord.DETAIL || id >= ThreadRecord.ID_COUNT;
    return bare ? 0 : ThreadRecord.DETAIL_SIZE;
  }
}
