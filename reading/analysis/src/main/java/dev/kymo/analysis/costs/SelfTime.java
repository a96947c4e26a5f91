package dev.kymo.analysis.costs;

import dev.kymo.analysis.cause.TimeUse;

/**
 * What the self time of calls was, as far as that was recorded; nanoseconds. The rest of the self
 * time is unknown.
 *
 * @param weaving Kymo put probes into classes that they loaded
 * @param waiting they waited, as the program reports: for locks, to be notified, asleep
 * @param stopped the virtual machine had stopped their threads, to collect garbage for example
 * @param blocked they waited, as the kernel reports
 * @param runnable they wanted a processor and had none
 * @param loading the virtual machine loaded classes for them
 * @param running they ran, and loaded none
 */
public record SelfTime(
    long weaving,
    long waiting,
    long stopped,
    long blocked,
    long runnable,
    long loading,
    long running) {
  /** Nothing is known. */
  public static final SelfTime UNKNOWN = new SelfTime(0, 0, 0, 0, 0, 0, 0);

  /** Time in which the methods themselves did not run, for any reason. */
  public long waited() {
    return weaving + waiting + stopped + blocked + runnable + loading;
  }

  /**
   * From sums.
   *
   * @param self to which it is cut, the last first: where calls were counted, what they waited for
   *     is in their caller's sum, and not in its self time
   */
  static SelfTime of(MethodTotals totals, long self) {
    long[] uses = totals.uses;
    if (uses == null) {
      return UNKNOWN;
    }
    long[] parts = new long[TimeUse.COUNT];
    long left = self;
    for (int kind = 0; kind < parts.length; kind++) {
      parts[kind] = Math.clamp(uses[kind], 0, left);
      left -= parts[kind];
    }
    return new SelfTime(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]);
  }
}
