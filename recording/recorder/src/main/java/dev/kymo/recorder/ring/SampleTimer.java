package dev.kymo.recorder;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Says when each thread is to look in which counted methods it is: about a thousand times a second,
 * at random, so that it does not fall into step with the program. Seldom when no method is counted.
 */
final class Looks implements Runnable {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_PERIOD = TimeUnit.MILLISECONDS.toNanos(32);

  private static final long AGE = TimeUnit.MILLISECONDS.toNanos(500);

  /** So many looks in vain make the period twice as long. */
  private static final int PATIENCE = 200;

  /** How much of what earlier looks were apart counts after one more. */
  private static final double MEMORY = 0.99;

  /** Clock of the latest one. Not volatile: a call that is counted reads it twice. */
  private static long latest;

  /** Ticks between two, as an average moment finds them. */
  private static long interval;

  private static boolean used;
  private static int age;

  private final ProcessRecorder recorder;

  Looks(ProcessRecorder recorder) {
    this.recorder = recorder;
  }

  /** Begins; what is counted from now on gets its time. */
  void start() {
    latest = recorder.now();
    interval = (long) (recorder.budget().ticksPerSecond() * PERIOD / 1e9);
    recorder.inBackground(this, OwnThreads.LOOKS);
  }

  /** Clock of the latest look. */
  static long latest() {
    return latest;
  }

  /** Ticks between two looks, about; 0 = there are none. */
  static long interval() {
    return interval;
  }

  /** Changes twice a second: a call that was there before has lasted for long. */
  static int age() {
    return age;
  }

  /** A look has found a call. */
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
    double ageTicks = recorder.budget().ticksPerSecond() * AGE / 1e9;
    long aged = latest;
    while (!recorder.isStopped()) {
      LockSupport.parkNanos(period / 2 + random.nextLong(period));
      long now = recorder.now();
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
