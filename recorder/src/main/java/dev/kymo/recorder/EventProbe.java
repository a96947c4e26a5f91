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
    Ring ring = Probe.RING.get();
    Thread thread = Thread.currentThread();
    long now = Probe.now();
    if (ring == null
        || ring.mustLeaveFastPath(thread, now)
        || ring.isFullFor(ThreadRecord.ARGUMENT_SIZE)) {
      slow(RingRecord.event(number, argument), now);
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
    if (ring == null
        || ring.mustLeaveFastPath(thread, now)
        || ring.isFullFor(ThreadRecord.DATA_HEADER_SIZE + ThreadRecord.dataSize(length))) {
      slow(RingRecord.event(number, data, length), now);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.EVENT_DATA, now, number), data, length);
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
    Ring ring = Probe.RING.get();
    Thread thread = Thread.currentThread();
    long now = Probe.now();
    if (ring == null || ring.mustLeaveFastPath(thread, now)) {
      slow(RingRecord.call(id, event), now);
      return;
    }
    ring.commit(ThreadRecord.compact(id, now, event));
  }

  private static void slow(RingRecord record, long now) {
    @Nullable ProcessRecorder recorder = ProcessRecorder.current();
    if (recorder != null && !recorder.isStopped() && !recorder.isPaused()) {
      recorder.slowPath().record(record, now);
    }
  }
}
