package dev.kymo.recorder.ring;

import dev.kymo.format.ThreadRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records events of the program's own, as {@link Probe} does calls: thread's ring, clock, two
 * stores, and the release store of the position. They are never counted instead: who asks for an
 * event wants it.
 *
 * <p>Whether an event is wanted was asked before.
 */
public final class EventProbe {
  private EventProbe() {}

  public static void record(int number, long argument) {
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

  /** At most {@link ThreadRecord#MAX_DATA} bytes. */
  public static void data(int number, byte[] data, int length) {
    Ring ring = Probe.RING.get();
    long now = Probe.now();
    if (ring != null) {
      ring.take();
    }
    data(number, data, length, ring, now);
  }

  private static void data(int number, byte[] data, int length, @Nullable Ring ring, long now) {
    if (ring == null
        || ring.mustLeaveFastPath(Thread.currentThread(), now)
        || ring.isFullFor(ThreadRecord.DATA_HEADER_SIZE + ThreadRecord.dataSize(length))) {
      slow(number, data, length, now);
      return;
    }
    ring.commit(ThreadRecord.compact(ThreadRecord.EVENT_DATA, now, number), data, length);
    ring.lend();
  }

  /**
   * Remembers the time for {@link #dataSinceMark}: something begins that is recorded when it has
   * ended, because only then its data are known.
   */
  public static void mark() {
    Ring ring = Probe.RING.get();
    long now = Probe.slowNow();
    if (ring != null) {
      ring.take();
    }
    if (ring == null || ring.mustLeaveFastPath(Thread.currentThread(), now)) {
      ring = findRing(now); // the thread's first record would be late, if it made a ring
      if (ring == null) {
        return;
      }
      ring.take();
      now = Probe.slowNow();
    }
    ring.mark.set(ring.position(), now);
    ring.lend();
  }

  /**
   * As {@link #data}, with the time of the last {@link #mark} if nothing was recorded since but by
   * this.
   */
  public static void dataSinceMark(int number, byte[] data, int length) {
    Ring ring = Probe.RING.get();
    if (ring == null) {
      ring = findRing(Probe.slowNow()); // a class was loaded meanwhile: Probe.beginUnrecorded
    }
    long now = Probe.slowNow();
    boolean isMarked = false;
    if (ring != null) {
      ring.take();
      isMarked = ring.mark.isAt(ring.position());
      now = isMarked ? ring.mark.time() : now;
    }
    data(number, data, length, ring, now);
    if (ring != null && isMarked) {
      ring.mark.moveTo(ring.position());
    }
  }

  /** The calling thread's ring, which becomes ready for records; null if there is none. */
  private static @Nullable Ring findRing(long now) {
    slow(RingRecord.nothing(), now);
    return Probe.RING.get();
  }

  /** A call begins or ends. */
  public static void call(int id, int event) {
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
    SlowPath path = SlowPath.current();
    if (path != null && path.isRecording()) {
      path.record(record, now);
    }
  }
}
