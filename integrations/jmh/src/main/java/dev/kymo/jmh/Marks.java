package dev.kymo.jmh;

import dev.kymo.api.Kymo;
import dev.kymo.api.Unrecorded;

/**
 * Marks in the recording where the measured iterations begin and end, while no benchmark runs.
 * Counted calls have no place in time but between two readings of the counters, and readings that
 * are close together are one; so there is one well before each mark, and one well after it.
 */
@Unrecorded
final class Marks {
  /** Methods that JMH makes around each benchmark: a call is a thread's loop in an iteration. */
  static final String LOOPS = "**.jmh_generated.**#*_jmhStub";

  /** The same, as a pattern in questions. */
  static final String LOOP = "*.jmh_generated.*_jmhStub";

  /** Has a text, which names the benchmark's run, and whether it begins or ends. */
  private static final String MEASURED = "jmh/measured";

  /** Has a text, the iteration's type and number. */
  private static final String ITERATION = "jmh/iteration";

  private static final long QUIET_MILLIS = 150;

  private Marks() {}

  /** The measured iterations begin. */
  static void begin(String run) {
    mark(run + "/begin");
  }

  /** They have ended. */
  static void end(String run) {
    mark(run + "/end");
  }

  private static void mark(String text) {
    Kymo.flush();
    pause(QUIET_MILLIS);
    Kymo.instant(MEASURED, text);
    pause(QUIET_MILLIS);
    Kymo.flush();
  }

  /** An iteration begins; for those who look at the recording. */
  static void iteration(String what) {
    Kymo.instant(ITERATION, what);
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the recording was awaited", e);
    }
  }
}
