package dev.kymo.recorder.ring;

import dev.kymo.recorder.platform.BackgroundThreads;
import dev.kymo.recorder.platform.RecorderThreads;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells each thread when to look which counted methods it is in: about a thousand times a second,
 * at random, so that the looks do not synchronize with the program. Looks are rare when no method
 * is counted.
 */
public final class SampleTimer implements Runnable {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(32);

  private static final long AGE = TimeUnit.MILLISECONDS.toNanos(500);

  /** This number of looks without a result doubles the period. */
  private static final int PATIENCE = 200;

  /** The weight of the earlier distances between looks after one more look. */
  private static final double MEMORY = 0.99;

  /** Clock of the latest one. Not volatile: a call that is counted reads it twice. */
  private static long latest;

  /** Ticks between two, as an average moment finds them. */
  private static long interval;

  private static boolean used;
  private static int age;

  private final RecorderState recording;
  private final DrainerWatch clock;
  private final Budget budget;
  private final BackgroundThreads background;
  private volatile boolean begun;

  public SampleTimer(
      RecorderState recording, DrainerWatch clock, Budget budget, BackgroundThreads background) {
    this.recording = recording;
    this.clock = clock;
    this.budget = budget;
    this.background = background;
  }

  /** Starts timing counted calls. By one thread. */
  public void begin() {
    if (!begun) {
      begun = true;
      latest = clock.now();
      interval = (long) (budget.ticksPerSecond() * PERIOD / 1e9);
      background.run(this, RecorderThreads.LOOKS);
    }
  }

  /** Whether anything is counted. */
  public boolean hasBegun() {
    return begun;
  }

  /** Clock of the latest look. */
  public static long latest() {
    return latest;
  }

  /** Ticks between two looks, about; 0 = there are none. */
  static long interval() {
    return interval;
  }

  /** Changes twice a second: a call that began before the change has lasted for long. */
  static int age() {
    return age;
  }

  /** Whether a call can have been found to last for long. */
  public static boolean findsLongCalls() {
    return age > 0;
  }

  /** Notes that a look has found a call. */
  static void used() {
    used = true;
  }

  @Override
  public void run() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long period = PERIOD;
    int vain = 0;
    double squares = 0;
    double sum = 0;
    double ageTicks = budget.ticksPerSecond() * AGE / 1e9;
    long aged = latest;
    while (!recording.isStopped()) {
      LockSupport.parkNanos(period / 2 + random.nextLong(period));
      long now = clock.now();
      double apart = now - latest;
      squares = squares * MEMORY + apart * apart;
      sum = sum * MEMORY + apart;
      interval = (long) (squares / Math.max(1, sum));
      latest = now;
      if (now - aged > ageTicks) {
        aged = now;
        age++;
      }
      if (used) {
        used = false;
        period = PERIOD;
        vain = 0;
      } else if (++vain > PATIENCE) {
        vain = 0;
        period = Math.min(LONGEST_PERIOD, period * 2);
      }
    }
  }
}
