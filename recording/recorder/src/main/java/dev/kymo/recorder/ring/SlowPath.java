package dev.kymo.recorder.ring;

import dev.kymo.recorder.platform.Faults;
import dev.kymo.recorder.platform.Privileged;
import dev.kymo.recorder.platform.RecorderWork;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The work of probes that the fast path cannot do: on the program's threads, in the middle of its
 * code. So nothing is thrown, nothing of it is recorded ({@link RecorderWork}), and it is done with
 * the recorder's own permissions. It uses no lambda, for which classes would be made in the middle
 * of a probe.
 */
public final class SlowPath {
  /** Frames below which nothing overflows the stack, so that what has begun also ends. */
  private static final int FRAMES = 80;

  public static final ThreadCounters.Maker MAKER = new Maker();

  private static volatile @Nullable SlowPath current;

  private final RecorderState recording;
  private final RingRegistry rings;

  public SlowPath(RecorderState recording, RingRegistry rings) {
    this.recording = recording;
    this.rings = rings;
  }

  /** The slow path of the latest recording of this process, if any. */
  public static @Nullable SlowPath current() {
    return current;
  }

  /** Makes probes use this slow path from now on. */
  public void use() {
    current = this;
  }

  boolean isRecording() {
    return !recording.isStopped() && !recording.isPaused();
  }

  /**
   * Records an event off the fast path; never throws, except when there is no stack left for it.
   *
   * @return whether the end of a call that begins with it is to be recorded as well: not if it is
   *     one that the recorder itself makes
   */
  public boolean record(int id, long now, int payload) {
    if (payload == Probe.CALIBRATION) {
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
  public boolean record(RingRecord record, long now) {
    boolean begun = false;
    try {
      RingRegistry.reserveStack(FRAMES);
      if (RecorderWork.isOn()) {
        return false;
      }
      begun = RecorderWork.begin();
      if (Privileged.isNeeded()) {
        Privileged.run(new PrivilegedRecord(record, now));
      } else {
        rings.record(record, now);
      }
    } catch (StackOverflowError | OutOfMemoryError e) {
      rings.loseWithoutRing();
    } catch (Throwable e) {
      Faults.throwIfPrograms(e);
      recording.fault("recording an event failed", e);
    } finally {
      RecorderWork.end(begun);
    }
    return true;
  }

  private final class PrivilegedRecord implements Runnable {
    private final RingRecord record;
    private final long now;

    PrivilegedRecord(RingRecord record, long now) {
      this.record = record;
      this.now = now;
    }

    @Override
    public void run() {
      rings.record(record, now);
    }
  }

  /** A new counter of the calling thread's carrier; null if there is no memory or recording. */
  static @Nullable Counter counter(MethodCounters counted, int mode) {
    SlowPath slow = current;
    return slow == null || slow.recording.isStopped() ? null : slow.newCounter(counted, mode);
  }

  private static final class Maker implements ThreadCounters.Maker {
    @Override
    public @Nullable Counter make(MethodCounters counted, int mode) {
      return counter(counted, mode);
    }
  }

  private @Nullable Counter newCounter(MethodCounters counted, int mode) {
    boolean begun = false;
    try {
      RingRegistry.reserveStack(FRAMES);
      if (RecorderWork.isOn()) {
        return null;
      }
      begun = RecorderWork.begin();
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
      recording.fault("counting a call failed", e);
      return null;
    } finally {
      RecorderWork.end(begun);
    }
  }

  private final class PrivilegedCounter implements Runnable {
    private final MethodCounters counted;
    private final int mode;
    private @Nullable Counter made;

    PrivilegedCounter(MethodCounters counted, int mode) {
      this.counted = counted;
      this.mode = mode;
    }

    @Override
    public void run() {
      try {
        made = rings.counter(counted, mode);
      } catch (IOException e) {
        // there is no memory for it
      }
    }
  }
}
