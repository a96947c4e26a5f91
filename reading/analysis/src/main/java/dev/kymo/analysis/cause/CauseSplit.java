package dev.kymo.analysis.cause;

/**
 * What the time of a call went to; nanoseconds, which together are its duration.
 *
 * @param running running, without what interrupted it
 * @param interrupted it had a processor, which did something else
 * @param runnable it wanted a processor and had none
 * @param blocked it waited
 * @param unknown the kernel says nothing of it
 * @param faults page faults, a number
 */
public record CauseSplit(
    long running, long interrupted, long runnable, long blocked, long unknown, long faults) {
  /** All of it. */
  public long duration() {
    return running + interrupted + runnable + blocked + unknown;
  }
}
