package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.RolePaths;
import dev.kymo.analysis.difference.paths.RolePaths.Counted;
import dev.kymo.analysis.difference.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Methods that were counted in one of the recordings or more: nobody knows who called them, but how
 * many calls there were in all is known exactly, and about how long they took.
 */
final class CountedChanges {
  private CountedChanges() {}

  /**
   * A finding for each such method; threads are not told apart, as the calls of virtual threads are
   * counted with those that carry them.
   *
   * @param leftOut of a key, whether nothing of the method was recorded for some of the time
   */
  static List<Finding> of(List<AlignedRole> roles, int base, int fresh, IntPredicate leftOut) {
    Set<Integer> keys = new TreeSet<>();
    for (AlignedRole role : roles) {
      for (Side side : Side.values()) {
        role.side(side).forEach(r -> keys.addAll(r == null ? Set.of() : r.counted().keySet()));
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (int key : keys) {
      Sums before = Sums.of(roles, Side.BASE, key, base);
      Sums after = Sums.of(roles, Side.NEW, key, fresh);
      if (before.calls != after.calls || before.self != after.self) {
        AlignedRole role = most(roles, key);
        Part part = part(role, before, after, leftOut.test(key));
        findings.add(new Finding(role, key, role.tree(), List.of(part)));
      }
    }
    return findings;
  }

  /** The threads with most of the calls. */
  private static AlignedRole most(List<AlignedRole> roles, int key) {
    AlignedRole most = roles.getFirst();
    double calls = -1;
    for (AlignedRole role : roles) {
      List<AlignedRole> one = List.of(role);
      double own = Sums.of(one, Side.BASE, key, 1).calls + Sums.of(one, Side.NEW, key, 1).calls;
      if (own > calls) {
        calls = own;
        most = role;
      }
    }
    return most;
  }

  private static Part part(AlignedRole role, Sums before, Sums after, boolean incomplete) {
    double weight = after.self - before.self;
    double error = before.error + after.error;
    boolean same = Math.abs(after.calls - before.calls) < 1 || Math.abs(weight) <= error;
    Verdict verdict =
        incomplete || before.atLeast || after.atLeast
            ? Verdict.INCOMPLETE
            : same ? Verdict.UNCERTAIN : Verdict.ONCE;
    return new Part(
        Part.Kind.COUNTED,
        -1,
        before.calls,
        after.calls,
        new Interval(weight - error, weight, weight + error),
        verdict,
        role.tree(),
        1);
  }

  /** Of an average recording of a side. */
  private record Sums(double calls, double self, double error, boolean atLeast) {
    static Sums of(List<AlignedRole> roles, Side side, int key, int recordings) {
      double calls = 0;
      double self = 0;
      double error = 0;
      boolean atLeast = false;
      for (AlignedRole role : roles) {
        for (RolePaths paths : role.side(side)) {
          Counted counted = paths == null ? null : paths.counted().get(key);
          if (paths != null && counted != null) {
            calls += counted.calls();
            self += counted.self();
            error += counted.error();
            atLeast |= counted.isAtLeast() || paths.isLossy();
          }
        }
      }
      return new Sums(calls / recordings, self / recordings, error / recordings, atLeast);
    }
  }
}
