package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.RolePaths;
import dev.kymo.analysis.difference.paths.RolePaths.Counted;
import dev.kymo.analysis.difference.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Methods that were counted in one of the recordings or more: nobody knows who called them, but how
 * many calls there were in all is known exactly, and about how long they took.
 */
final class CountedChanges {
  private CountedChanges() {}

  /**
   * Findings of a role.
   *
   * @param leftOut of a key, whether nothing of the method was recorded for some of the time
   */
  static List<Finding> of(AlignedRole role, int base, int fresh, IntPredicate leftOut) {
    Set<Integer> keys = new TreeSet<>();
    for (Side side : Side.values()) {
      role.side(side).forEach(r -> keys.addAll(r == null ? Set.of() : r.counted().keySet()));
    }
    List<Finding> findings = new ArrayList<>();
    for (int key : keys) {
      Sums before = Sums.of(role.base(), key, base);
      Sums after = Sums.of(role.fresh(), key, fresh);
      if (before.calls != after.calls || before.self != after.self) {
        Part part = part(role, before, after, leftOut.test(key));
        findings.add(new Finding(role, key, role.tree(), List.of(part)));
      }
    }
    return findings;
  }

  private static Part part(AlignedRole role, Sums before, Sums after, boolean incomplete) {
    double weight = after.self - before.self;
    double error = before.error + after.error;
    boolean same = before.calls == after.calls || Math.abs(weight) <= error;
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
    static Sums of(List<@Nullable RolePaths> side, int key, int recordings) {
      double calls = 0;
      double self = 0;
      double error = 0;
      boolean atLeast = false;
      for (RolePaths role : side) {
        Counted counted = role == null ? null : role.counted().get(key);
        if (counted != null) {
          calls += counted.calls();
          self += counted.self();
          error += counted.error();
          atLeast |= counted.isAtLeast() || (role != null && role.isLossy());
        }
      }
      return new Sums(calls / recordings, self / recordings, error / recordings, atLeast);
    }
  }
}
