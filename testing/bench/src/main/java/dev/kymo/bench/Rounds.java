package dev.kymo.bench;

import dev.kymo.api.Kymo;

/**
 * Does a program's work in rounds and prints the nanoseconds of each, one a line, as {@code warm-up
 * 1234} or {@code round 1234}: the rounds before the compiler has done its work are marked. A
 * recording has their begins and ends as events.
 */
final class Rounds {
  private Rounds() {}

  /** The same work each time. */
  interface Work {
    /** Does the work once, and throws if the answer is wrong. */
    void run() throws Exception;
  }

  static void run(int warmUp, int rounds, Work work) throws Exception {
    run("warm-up", warmUp, work);
    run("round", rounds, work);
  }

  static void run(String label, int times, Work work) throws Exception {
    for (int i = 0; i < times; i++) {
      System.gc(); // garbage of the last round must not count for this round
      Kymo.instant(label);
      long begin = System.nanoTime();
      work.run();
      long end = System.nanoTime();
      Kymo.instant("end of " + label);
      System.out.println(label + " " + (end - begin));
    }
  }
}
