package dev.kymo.analysis.summary;

import dev.kymo.testkit.StreamWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random calls that know each other, so that a test can add up what it expects the slow way. */
final class CallTrees {
  /** A call and those it made. */
  static final class Call {
    final int method;
    final boolean nested;
    final long begin;
    final List<Call> made = new ArrayList<>();
    long end;

    Call(int method, boolean nested, long begin) {
      this.method = method;
      this.nested = nested;
      this.begin = begin;
    }

    /** How many calls lie in it that overlap a range. */
    long below(long from, long to) {
      return made.stream()
          .filter(c -> c.overlaps(from, to))
          .mapToLong(c -> 1 + c.below(from, to))
          .sum();
    }

    boolean overlaps(long from, long to) {
      return end >= from && begin <= to;
    }

    long inside(long from, long to) {
      return Math.min(end, to) - Math.max(begin, from);
    }
  }

  private final SplittableRandom random;
  private final StreamWriter ring;
  private final int methods;
  private final int gap;
  private final List<Call> all = new ArrayList<>();
  private long now;

  /**
   * Nothing yet.
   *
   * @param gap nanoseconds between two events at most
   */
  CallTrees(SplittableRandom random, StreamWriter ring, int methods, int gap) {
    this.random = random;
    this.ring = ring;
    this.methods = methods;
    this.gap = gap;
  }

  /** Writes calls until there are so many; all of them, inner ones first. */
  List<Call> write(int calls) {
    while (all.size() < calls) {
      call(new ArrayList<>());
    }
    return all;
  }

  private Call call(List<Integer> above) {
    int method = random.nextInt(methods);
    now += random.nextInt(gap);
    Call call = new Call(method, above.contains(method), now);
    ring.enter(now, method);
    List<Integer> callers = new ArrayList<>(above);
    callers.add(method);
    while (callers.size() < 6 && random.nextInt(10) < 6) {
      call.made.add(call(callers));
    }
    now += random.nextInt(gap);
    call.end = now;
    ring.leave(now, method);
    all.add(call);
    return call;
  }
}
