package dev.kymo.recorder;

import dev.kymo.recorder.platform.RecorderThreads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The time after which a recording that a trigger started pauses, if it has one. */
final class TimeLimit {
  private static final long LONGEST_PARK = 20_000_000;

  private final ProcessRecorder recorder;
  private final AtomicBoolean begun = new AtomicBoolean();

  TimeLimit(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** The recording begins, or goes on: the time runs from the first time on. */
  void begin() {
    long nanos = ofTrigger();
    if (nanos > 0
        && !recorder.isPaused()
        && !recorder.isStopped()
        && begun.compareAndSet(false, true)) {
      long end = System.nanoTime() + nanos;
      recorder.background().run(() -> pauseAt(end), RecorderThreads.CONTROL);
    }
  }

  private long ofTrigger() {
    var events = recorder.session().events().user();
    return events.startOn().isEmpty() ? 0 : events.nanos();
  }

  private void pauseAt(long end) {
    for (long left = end - System.nanoTime(); left > 0 && !recorder.isStopped(); ) {
      LockSupport.parkNanos(Math.min(left, LONGEST_PARK));
      left = end - System.nanoTime();
    }
    recorder.pause("--duration");
  }
}
