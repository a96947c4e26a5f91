package dev.kymo.reader;

import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;

/** Expands the records of a thread stream's packet. Reading spends its time in the inner loop. */
final class RecordDecoder {
  private static final long HIGH = 0xFFFFFFFF00000000L;
  private static final long LOW = 0xFFFFFFFFL;
  private static final int PAYLOAD = 0xFFFFFF00;

  private final FileWindow window;
  private final Diagnostics diagnostics;
  private long position;
  private long end;
  private long clock;
  private long lastClock;
  private boolean timeless;
  private int thread;

  // What the record at the position is, if it is whole.
  private int peekedId;
  private int peekedSize;
  private int peekedPayload;
  private long peekedDetail;
  private long peekedClock;
  private boolean peekedInside;

  RecordDecoder(FileWindow window, Diagnostics diagnostics) {
    this.window = window;
    this.diagnostics = diagnostics;
  }

  /** Begins a packet whose records lie in [from, to). */
  void packet(long from, long to, PacketOrder order, int owner) {
    position = from;
    end = to;
    clock = order.begin();
    lastClock = order.end();
    timeless = clock == lastClock;
    thread = owner;
  }

  /** The packet has more records now, up to an offset and a clock. */
  void grow(long to, long last) {
    timeless &= last == lastClock;
    end = to;
    lastClock = last;
  }

  long end() {
    return end;
  }

  boolean atEnd() {
    return position >= end;
  }

  long position() {
    return position;
  }

  /** Thread of the records decoded last. */
  int thread() {
    return thread;
  }

  /** Clock of the record decoded last. */
  long clock() {
    return clock;
  }

  void clock(long known) {
    clock = known;
  }

  int peekedThread() {
    return peekedId == ThreadRecord.SWITCH ? peekedPayload : thread;
  }

  long peekedClock() {
    return peekedInside ? peekedClock : clock;
  }

  /** Fills a batch up to its capacity, the packet's end or the next switch. */
  void decode(EventBatch batch) {
    batch.clear();
    while (position < end && batch.count < batch.clocks.length) {
      if (window.require(position, ThreadRecord.COMPACT_SIZE)) {
        decodeCompact(batch);
      }
      if (batch.count == batch.clocks.length || position >= end) {
        return;
      }
      peek();
      if (peekedSize == 0) {
        cut();
      } else if (peekedId == ThreadRecord.SWITCH && batch.count > 0) {
        return;
      } else {
        take(batch);
      }
    }
  }

  private void decodeCompact(EventBatch batch) {
    ByteBuffer buffer = window.buffer();
    long[] clocks = batch.clocks;
    int[] words = batch.words;
    int first = window.index(position);
    int bytes = (int) Math.min(end - position, window.length() - first);
    int room = Math.min(clocks.length - batch.count, bytes >> 3);
    int count = batch.count;
    long now = clock;
    long last = lastClock;
    int at = first;
    for (int stop = first + (room << 3); at < stop; at += 8) {
      long word = buffer.getLong(at);
      if ((word & 0xFF) >= ThreadRecord.SWITCH) {
        break;
      }
      long then = (now & HIGH) | ((word >>> 8) & LOW);
      if (then < now || then > last) {
        then = wrapped(then, now, position + (at - first));
      }
      now = then;
      clocks[count] = then;
      words[count++] = ((int) (word >>> 32) & PAYLOAD) | ((int) word & 0xFF);
    }
    clock = now;
    batch.count = count;
    position += at - first;
  }

  /** The low half has wrapped, or is damaged. */
  private long wrapped(long then, long now, long at) {
    long clockThen = then < now ? then + LOW + 1 : then;
    return clockThen <= lastClock ? clockThen : outside(clockThen, now, at);
  }

  private long outside(long then, long now, long at) {
    if (!timeless) {
      diagnostics.add(
          Oddity.CLOCK_OUTSIDE,
          window.file().name(),
          at,
          () -> "clock=%d before=%d packet_end=%d".formatted(then, now, lastClock));
    }
    return now;
  }

  /**
   * Looks at the record at the position without taking it.
   *
   * @return whether it is a switch
   */
  boolean peek() {
    peekedId = -1;
    peekedSize = 0;
    peekedInside = false;
    if (end - position < ThreadRecord.COMPACT_SIZE
        || !window.require(position, ThreadRecord.COMPACT_SIZE)) {
      return false;
    }
    long word = window.buffer().getLong(window.index(position));
    if (ThreadRecord.id(word) != ThreadRecord.EXTENDED) {
      peekedId = ThreadRecord.id(word);
      peekedSize = ThreadRecord.COMPACT_SIZE;
      peekedPayload = ThreadRecord.payload(word);
      peekedClock = ThreadRecord.clock(clock, ThreadRecord.clockLow(word));
    } else if (end - position >= ThreadRecord.EXTENDED_SIZE
        && window.require(position, ThreadRecord.EXTENDED_SIZE)) {
      long first = window.buffer().getLong(window.index(position));
      long second = window.buffer().getLong(window.index(position) + 8);
      peekedId = ThreadRecord.extendedId(first);
      peekedSize = ThreadRecord.EXTENDED_SIZE;
      peekedPayload = ThreadRecord.payload(second);
      peekedClock = ThreadRecord.extendedClock(first, second);
    }
    if (peekedId >= ThreadRecord.DETAIL && peekedId < ThreadRecord.ID_COUNT) {
      peekDetail();
    }
    peekedInside = peekedClock >= clock && peekedClock <= lastClock;
    return peekedId == ThreadRecord.SWITCH;
  }

  /** Looks at what follows the word; without that the record is not whole. */
  private void peekDetail() {
    int word = peekedSize;
    int size = word + ThreadRecord.DETAIL_SIZE;
    peekedSize = 0;
    if (isThere(size)) {
      peekedDetail = window.buffer().getLong(window.index(position) + word);
      if (peekedId == ThreadRecord.EVENT_DATA) {
        int behind = ThreadRecord.sizeBehindWord(peekedDetail);
        size = behind == 0 ? Integer.MAX_VALUE : word + behind;
      }
      peekedSize = isThere(size) ? size : 0;
    }
  }

  private boolean isThere(int size) {
    return end - position >= size && window.require(position, size);
  }

  private void take(EventBatch batch) {
    if (peekedId < 0 || peekedId >= ThreadRecord.ID_COUNT) {
      int id = peekedId;
      diagnostics.add(
          Oddity.UNKNOWN_RECORD,
          window.file().name(),
          position,
          () -> "id=" + Integer.toUnsignedString(id));
    } else {
      clock = peekedInside ? peekedClock : outside(peekedClock, clock, position);
      if (peekedId == ThreadRecord.SWITCH) {
        thread = peekedPayload;
      }
      add(batch);
    }
    position += peekedSize;
  }

  private void add(EventBatch batch) {
    switch (peekedId) {
      case ThreadRecord.DETAIL -> batch.addDetail(clock, peekedDetail);
      case ThreadRecord.EVENT -> batch.addEvent(clock, peekedPayload, peekedDetail);
      case ThreadRecord.EVENT_DATA -> {
        int length = (int) peekedDetail;
        ByteBuffer buffer = window.buffer();
        int data = window.index(position) + peekedSize - ThreadRecord.dataSize(length);
        batch.addEvent(clock, peekedPayload, length, buffer.duplicate().position(data));
      }
      default -> {
        batch.clocks[batch.count] = clock;
        batch.words[batch.count++] = (peekedPayload << 8) | peekedId;
      }
    }
  }

  private void cut() {
    long rest = end - position;
    diagnostics.add(Oddity.CUT_RECORD, window.file().name(), position, () -> "bytes=" + rest);
    position = end;
  }
}
