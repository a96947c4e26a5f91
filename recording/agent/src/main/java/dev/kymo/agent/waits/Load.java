package dev.kymo.agent;

/**
 * What part of a processor a thread takes from a time on.
 *
 * @param thread number of the thread in Java
 * @param time clock
 * @param share 1 = all of one processor
 */
record Load(long thread, String name, long time, double share) {

  /** The same at another time. */
  Load at(long newTime) {
    return new Load(thread, name, newTime, share);
  }
}
