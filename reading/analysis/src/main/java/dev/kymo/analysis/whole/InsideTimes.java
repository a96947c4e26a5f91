package dev.kymo.analysis.whole;

import java.util.Arrays;

/**
 * Splits the time that the calls of one track have inside a selection into their own and that of
 * the calls they made. Calls come in the order of their ends, so what a call has called is known
 * when it comes.
 */
final class InsideTimes {
  /** By depth: time inside of the calls that came and whose caller has not. */
  private long[] pending = new long[16];

  /** Another track follows. */
  void clear() {
    Arrays.fill(pending, 0);
  }

  /** The call's own share of the time it has inside. */
  long self(int depth, long inside) {
    if (depth + 2 > pending.length) {
      pending = Arrays.copyOf(pending, (depth + 2) * 2);
    }
    long self = inside - pending[depth + 1];
    pending[depth + 1] = 0;
    pending[depth] += inside;
    return self;
  }
}
