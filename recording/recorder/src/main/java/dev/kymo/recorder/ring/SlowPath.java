package dev.kymo.recorder;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What probes do when the fast path cannot: on the program's threads, in the middle of its code. So
 * nothing is thrown, nothing of it is recorded ({@link OwnWork}), and it is done with the
 * recorder's own permissions. It uses no lambda, for which classes would be made in the middle of a
 * probe.
 */
final class SlowPath {
  /** Frames below which nothing overflows the stack, so that what has begun also ends. */
  private static final int FRAMES = 80;

  private final ProcessRecorder recorder;
  private final RingRegistry rings;

  SlowPath(ProcessRecorder recorder, RingRegistry rings) {
    this.recorder = recorder;
    this.rings = rings;
  }

  /**
   * Records an event off the fast path; never throws, except when there is no stack left for it.
   *
   * @return whether the end of a call that begins with it is to be recorded as well: not if it is
   *     one that the recorder itself makes
   */
  boolean record(int id, long now, int payload) {
    if (payload == Calibration.METHOD) {
      return true;
    }
    try {
      return record(RingRecord.call(id, payload), now);
    } catch (StackOverflowError | OutOfMemoryError e) {
      rings.loseWithoutRing();
      return true;
    }
  }

  /** Writes a record off the fast path; never throws, as above. */
  boolean record(RingRecord record, long now) {
    boolean begun = false;
    try {
      RingRegistry.reserveStack(FRAMES);
      if (OwnWork.isOn()) {
        return false;
      }
      begun = OwnWork.begin();
      if (Privileged.isNeeded()) {
        Privileged.run(new PrivilegedRecord(record, now));
      } else {
        rings.record(recorder, record, now);
      }
    } catch (StackOverflowError | OutOfMemoryError e) {
      rings.loseWithoutRing();
    } catch (Throwable e) {
      Faults.throwIfPrograms(e);
      recorder.fault("recording an event failed", e);
    } finally {
      OwnWork.end(begun);
    }
    return true;
  }

  /** A record to be written. */
  private final class PrivilegedRecord implements Runnable {
    private final RingRecord record;
    private final long now;

    PrivilegedRecord(RingRecord record, long now) {
      this.record = record;
      this.now = now;
    }

    @Override
    public void run() {
      rings.record(recorder, record, now);
    }
  }

  /** A new counter of the calling thread's carrier; null if there is no memory or recording. */
  static @Nullable Counter counter(Counted counted, int mode) {
    ProcessRecorder recorder = ProcessRecorder.current();
    return recorder == null || recorder.isStopped()
        ? null
        : recorder.slowPath().newCounter(counted, mode);
  }

  private @Nullable Counter newCounter(Counted counted, int mode) {
    boolean begun = false;
    try {
      RingRegistry.reserveStack(FRAMES);
      if (OwnWork.isOn()) {
        return null;
      }
      begun = OwnWork.begin();
      PrivilegedCounter counter = new PrivilegedCounter(counted, mode);
      Privileged.run(counter);
      if (counter.made == null) {
        rings.loseWithoutRing();
      }
      return counter.made;
    } catch (StackOverflowError | OutOfMemoryError e) {
      rings.loseWithoutRing();
      return null;
    } catch (Throwable e) {
      Faults.throwIfPrograms(e);
      recorder.fault("counting a call failed", e);
      return null;
    } finally {
      OwnWork.end(begun);
    }
  }

  /** A counter to be made. */
  private final class PrivilegedCounter implements Runnable {
    private final Counted counted;
    private final int mode;
    private @Nullable Counter made;

    PrivilegedCounter(Counted counted, int mode) {
      this.counted = counted;
      this.mode = mode;
    }

    @Override
    public void run() {
      try {
        made = rings.counter(recorder, counted, mode);
      } catch (IOException e) {
        // there is no memory for it
      }
    }
  }
}
