package dev.kymo.agent.waits;

/**
 * The share of a processor that a thread uses from a given time on.
 *
 * @param thread number of the thread in Java
 * @param time clock
 * @param share 1 = all of one processor
 */
record Load(long thread, String name, long time, double share) {

  Load at(long newTime) {
    return new Load(thread, name, newTime, share);
  }
}
