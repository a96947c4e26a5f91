package dev.kymo.recorder.waits;

import dev.kymo.format.PacketLayout;
import dev.kymo.format.RecordEncoder;
import dev.kymo.format.RingHeader;
import dev.kymo.format.RingLayout;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.Ring;
import java.nio.ByteBuffer;

/**
 * A ring for states. They are written by one thread that may wait, after they happened, and for
 * many tracks in turn; so there is no fast path as in {@link Ring}, and what belongs together, such
 * as a state's begin and end, is committed together or lost together.
 *
 * <p>Not safe for several threads at a time.
 */
final class StateRing {
  /** Two switches, an enter, a detail and a leave, all extended. */
  private static final int LARGEST_STATE =
      5 * ThreadRecord.EXTENDED_SIZE + ThreadRecord.DETAIL_SIZE;

  private final ByteBuffer memory;
  private final DrainerWatch drainer;
  private final int subBufferSize;
  private final int subBuffers;
  private final boolean overwrite;

  /** Enters and leaves in each sub-buffer: what is lost when it is overwritten. */
  private final long[] events;

  private long packet;
  private boolean open;
  private int offset;
  private int limit;
  private int high;
  private int track;
  private long lost;
  private long last;

  StateRing(ByteBuffer memory, DrainerWatch drainer) {
    this.memory = memory;
    this.drainer = drainer;
    this.subBufferSize = memory.getInt(RingLayout.SUB_BUFFER_SIZE_OFFSET);
    this.subBuffers = memory.getInt(RingLayout.SUB_BUFFERS_OFFSET);
    this.overwrite = memory.getInt(RingLayout.WHEN_FULL_OFFSET) == RingLayout.OVERWRITE;
    this.events = new long[subBuffers];
  }

  /** Clock of the last record: nothing earlier may follow. */
  long last() {
    return last;
  }

  void enter(int of, long clock, int method) {
    if (makeRoom(of, clock, true)) {
      put(ThreadRecord.ENTER, clock, method);
      commit(clock, 1);
    } else {
      lose(1);
    }
  }

  void leave(int of, long clock, int method, int object, int other) {
    if (makeRoom(of, clock, false)) {
      end(clock, method, object, other);
      commit(clock, 1);
    } else {
      lose(1);
    }
  }

  /** A state begins that will not end. */
  void open(int of, long begin, int method, int object, int other) {
    if (makeRoom(of, begin, true)) {
      put(ThreadRecord.ENTER, begin, method);
      detail(begin, object, other);
      commit(begin, 1);
    } else {
      lose(1);
    }
  }

  /** More about a state that has begun and will not end. */
  void detail(int of, long clock, int object, int other) {
    if (makeRoom(of, clock, false)) {
      detail(clock, object, other);
      commit(clock, 0);
    }
  }

  /** A whole state. */
  void state(int of, long begin, long end, int method, int object, int other) {
    if (makeRoom(of, begin, true)) {
      put(ThreadRecord.ENTER, begin, method);
      end(end, method, object, other);
      commit(end, 2);
    } else {
      lose(2);
    }
  }

  void event(int of, long clock, int event, long argument) {
    if (makeRoom(of, clock, false)) {
      put(ThreadRecord.EVENT, clock, event);
      offset = RecordEncoder.argument(memory, offset, argument);
      commit(clock, 1);
    } else {
      lose(1);
    }
  }

  /** Counts events that are not written. */
  void lose(int count) {
    lost += count;
    RingHeader.lostRelease(memory, lost);
  }

  private void end(long clock, int method, int object, int other) {
    detail(clock, object, other);
    put(ThreadRecord.LEAVE, clock, method);
  }

  private void detail(long clock, int object, int other) {
    if (object != 0 || other != 0) {
      put(ThreadRecord.DETAIL, clock, 0);
      offset = RecordEncoder.argument(memory, offset, ThreadRecord.detail(object, other));
    }
  }

  /**
   * Makes room for a state, or its begin or end, and announces its track. A begin is always
   * announced, because since the track's last state there may have been another one elsewhere.
   */
  private boolean makeRoom(int of, long clock, boolean begins) {
    if (!open || limit - offset < LARGEST_STATE) {
      if (open) {
        close();
      }
      if (!awaitRoom()) {
        return false;
      }
      open(clock, of);
    } else if (begins || track != of) {
      put(ThreadRecord.SWITCH, clock, of);
      track = of;
    }
    return true;
  }

  private void put(int id, long clock, int payload) {
    offset = RecordEncoder.word(memory, offset, high, id, clock, payload);
    high = RecordEncoder.high(clock);
  }

  private void commit(long clock, int count) {
    last = clock;
    events[(int) (packet % subBuffers)] += count;
    RingHeader.positionRelease(memory, packet * subBufferSize + (offset - slot()));
  }

  private void close() {
    PacketLayout.close(memory, slot(), last, offset - slot());
    open = false;
    packet++;
    RingHeader.positionRelease(memory, packet * subBufferSize);
  }

  private void open(long clock, int of) {
    int index = (int) (packet % subBuffers);
    if (overwrite && packet >= subBuffers) {
      lose((int) events[index]);
    }
    events[index] = 0;
    int at = slot();
    PacketLayout.begin(memory, at, clock, lost, packet, of);
    track = of;
    high = RecordEncoder.high(clock);
    offset = at + PacketLayout.HEADER_SIZE;
    limit = at + subBufferSize - ThreadRecord.COMPACT_SIZE; // never full: see RingLayout
    open = true;
  }

  private int slot() {
    return RingLayout.HEADER_SIZE + (int) (packet % subBuffers) * subBufferSize;
  }

  /**
   * Unlike the program's own threads, this thread waits even when the recording is about to stop.
   */
  private boolean awaitRoom() {
    while (!overwrite && packet - RingHeader.takenAcquire(memory) >= subBuffers) {
      if (!drainer.isAlive()) {
        return false;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
