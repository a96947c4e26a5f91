package dev.kymo.drain;

import dev.kymo.format.RecordCursor;
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
    RecordCursor cursor = new RecordCursor(packet, from, before);
    while (cursor.next()) {
      // only where it ends counts
    }
    return cursor.clock();
  }
}
