package dev.kymo.recorder;

import dev.kymo.format.ThreadRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records events of the program's own, as {@link Probe} does calls: thread's ring, clock, two
 * stores, and the release store of the position. They are never counted instead: who asks for an
 * event wants it.
 *
 * <p>Whether an event is wanted was asked before. A negative number is that of an event that
 * triggers something.
 */
final class EventProbe {
  private EventProbe() {}

  static void record(int event, long argument) {
    int number = event;
    if (number < 0) {
      number = OwnEvents.triggered(-number, argument);
      if (number == 0) {
        return;
      }
    }
    Thread thread = Thread.currentThread();
    if (Probe.LENT && Probe.record(ThreadRecord.EVENT, number, thread, argument) != 0) {
      return;
    }
    Ring ring = Probe.RING.get();
    long now = Probe.slowNow();
    if (Probe.LENT
        || ring == null
        || ring.mustLeaveFastPath(thread, now)
        || ring.isFullFor(ThreadRecord.ARGUMENT_SIZE)) {
      slow(number, argument, now);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.EVENT, now, number), argument);
  }

  static void data(int event, byte[] data, int length) {
    int number = event < 0 ? OwnEvents.triggered(-event, first(data, length)) : event;
    if (number == 0) {
      return;
    }
    if (length > ThreadRecord.MAX_DATA) {
      OwnEvents.refuse(number, length);
      return;
    }
    Ring ring = Probe.RING.get();
    Thread thread = Thread.currentThread();
    long now = Probe.now();
    if (ring != null) {
      ring.take();
    }
    if (ring == null
        || ring.mustLeaveFastPath(thread, now)
        || ring.isFullFor(ThreadRecord.DATA_HEADER_SIZE + ThreadRecord.dataSize(length))) {
      slow(number, data, length, now);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.EVENT_DATA, now, number), data, length);
    ring.lend();
  }

  /** What a trigger compares: the first eight bytes. */
  private static long first(byte[] data, int length) {
    long first = 0;
    for (int i = Math.min(length, Long.BYTES) - 1; i >= 0; i--) {
      first = first << 8 | (data[i] & 0xFF);
    }
    return first;
  }

  /** A call begins or ends. */
  static void call(int id, int event) {
    Thread thread = Thread.currentThread();
    if (Probe.LENT && Probe.record(id, event, thread) != 0) {
      return;
    }
    Ring ring = Probe.RING.get();
    long now = Probe.slowNow();
    if (Probe.LENT || ring == null || ring.mustLeaveFastPath(thread, now)) {
      slowCall(id, event, now);
      return;
    }
    ring.commit(ThreadRecord.compact(id, now, event));
  }

  // What goes wrong here stays here. The fast paths have no such guard, which would slow them: only
  // for want of stack something fails in them, and then the program's own call has none.

  private static void slow(int number, long argument, long now) {
    try {
      slow(RingRecord.event(number, argument), now);
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  private static void slow(int number, byte[] data, int length, long now) {
    try {
      slow(RingRecord.event(number, data, length), now);
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  private static void slowCall(int id, int event, long now) {
    try {
      slow(RingRecord.call(id, event), now);
    } catch (Throwable e) {
      Probe.fail(e);
    }
  }

  private static void slow(RingRecord record, long now) {
    @Nullable ProcessRecorder recorder = ProcessRecorder.current();
    if (recorder != null && !recorder.isStopped() && !recorder.isPaused()) {
      recorder.slowPath().record(record, now);
    }
  }
}
