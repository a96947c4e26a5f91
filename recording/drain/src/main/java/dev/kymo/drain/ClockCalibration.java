package dev.kymo.drain;

import dev.kymo.format.Clock;
import dev.kymo.recorder.platform.ProcessorCounter;
import dev.kymo.recorder.platform.TickClock;
import java.lang.invoke.MethodHandle;
import java.time.Instant;

/**
 * Finds the frequency of a clock by comparing it with the monotonic clock: a first estimate at the
 * start of the recording, a better one at its end, when more time lies between the readings.
 */
public final class ClockCalibration {
  private static final long NANOS = 1_000_000_000L;
  private static final int TRIES = 20;
  private static final long FIRST_ESTIMATE_NANOS = 2_000_000L;

  private final String name;
  private final MethodHandle handle;
  private final Reading first;

  /** Takes the first reading. */
  public ClockCalibration(String name) {
    this.name = name;
    this.handle = TickClock.handle(name);
    this.first = read();
  }

  /** Name of the best clock that this machine and virtual machine can read. */
  public static String best(int oldestJava) {
    return oldestJava >= 22 && Runtime.version().feature() >= 22 && counterWorks()
        ? ProcessorCounter.name()
        : Clock.MONOTONIC;
  }

  private static boolean counterWorks() {
    try {
      return ProcessorCounter.isUsable()
          && TickClock.read(TickClock.handle(ProcessorCounter.name())) != 0;
    } catch (IllegalStateException | LinkageError e) {
      return false;
    }
  }

  public long now() {
    return TickClock.read(handle);
  }

  /**
   * The best description of the clock so far; waits a little if the readings are too close
   * together.
   */
  public Clock clock() {
    if (name.equals(Clock.MONOTONIC)) {
      return new Clock(name, NANOS, first.wall - first.monotonic);
    }
    while (System.nanoTime() - first.monotonic < FIRST_ESTIMATE_NANOS) {
      Thread.onSpinWait();
    }
    Reading last = read();
    double ticks = last.clock - first.clock;
    long frequency = Math.round(ticks * NANOS / (last.monotonic - first.monotonic));
    Clock clock = new Clock(name, frequency, 0);
    return new Clock(name, frequency, first.wall - clock.nanos(first.clock));
  }

  /** A reading of three clocks at the same moment: the closest of several tries. */
  private Reading read() {
    Reading best = null;
    long closest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      long before = now();
      long monotonic = System.nanoTime();
      long after = now();
      if (best == null || after - before < closest) {
        closest = after - before;
        Instant wall = Instant.now();
        long since = System.nanoTime() - monotonic;
        best =
            new Reading(
                before + (after - before) / 2,
                monotonic,
                wall.getEpochSecond() * NANOS + wall.getNano() - since);
      }
    }
    if (best == null) {
      throw new AssertionError();
    }
    return best;
  }

  private record Reading(long clock, long monotonic, long wall) {}
}
