package dev.kymo.analysis.difference;

import dev.kymo.analysis.costs.Durations;
import dev.kymo.analysis.difference.paths.RolePaths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Check whether anything has certainly grown by more than rules allow. What may be chance breaks no
 * rule.
 */
public final class Gate {
  /** What is for everything looks at what takes this share of its limit of a role's time. */
  private static final double WEIGHT = 0.1;

  /** Calls of a caller that was called once or twice may vary that much by themselves. */
  private static final double ONCE = 0.1;

  private final Difference difference;
  private final Map<Integer, double[]> callsByKey = new HashMap<>();
  private final Map<Integer, double[]> selfByKey = new HashMap<>();
  private final List<Broken> broken = new ArrayList<>();
  private final List<String> unmet = new ArrayList<>();

  /**
   * A rule that is broken.
   *
   * @param finding what broke it, for a rule for everything; otherwise the parts are empty
   * @param method the name; of a rule for one
   * @param before nanoseconds or calls of a recording, of a rule for one
   */
  public record Broken(
      GateRule rule, List<Finding> finding, String method, double before, double after) {}

  private Gate(Difference difference) {
    this.difference = difference;
    for (AlignedRole role : difference.roles()) {
      role.tree().all().forEach(this::add);
      for (Side side : Side.values()) {
        int recordings = difference.recordings(side).size();
        for (RolePaths paths : role.side(side)) {
          if (paths != null) {
            paths
                .counted()
                .forEach((key, counted) -> {
                  sums(callsByKey, key)[side.index()] += (double) counted.calls() / recordings;
                  sums(selfByKey, key)[side.index()] += counted.self() / recordings;
                });
          }
        }
      }
    }
  }

  private void add(AlignedNode node) {
    for (Side side : Side.values()) {
      if (node.key() >= 0) {
        sums(callsByKey, node.key())[side.index()] += node.side(side).calls();
        sums(selfByKey, node.key())[side.index()] += node.side(side).self();
      }
    }
  }

  private static double[] sums(Map<Integer, double[]> of, int key) {
    return of.computeIfAbsent(key, k -> new double[2]);
  }

  /** Checks rules; names in them must have been watched. */
  public static Gate of(Difference difference, List<GateRule> rules) {
    Gate gate = new Gate(difference);
    for (GateRule rule : rules) {
      if (rule.isForEverything()) {
        gate.everything(rule);
      } else {
        gate.methods(rule);
      }
    }
    return gate;
  }

  /** The rules that are broken, the heaviest findings first. */
  public List<Broken> broken() {
    return broken;
  }

  /** Rules for methods that none of the recordings has. */
  public List<String> unmet() {
    return unmet;
  }

  private void everything(GateRule rule) {
    for (Finding finding : Choice.certain(difference)) {
      List<Part> parts =
          finding.parts().stream().filter(part -> breaks(rule, finding, part)).toList();
      if (!parts.isEmpty()) {
        broken.add(new Broken(rule, List.of(finding.with(parts)), "", 0, 0));
      }
    }
  }

  private boolean breaks(GateRule rule, Finding finding, Part part) {
    double least = WEIGHT * rule.limit() * Choice.time(finding.role());
    if (part.weight().low() < least || part.weight().low() <= 0) {
      return false;
    }
    return switch (part.kind()) {
      case BUSY -> part.after() > part.before() * difference.drift().factor() * (1 + rule.limit());
      case WAIT -> rule.isBroken(part.before(), part.after());
      case CALLS -> rule.isBroken(part.before(), part.after()) && isMore(rule, part);
      case COUNTED -> part.after() > part.before() * (1 + Math.max(ONCE, rule.limit()));
      case STOPPED, BLOCKED, RUNNABLE, LOADING, ORDER -> false;
    };
  }

  /** Whether there are more calls in all, and not the same ones made by others. */
  private boolean isMore(GateRule rule, Part part) {
    double[] calls = sums(callsByKey, part.key());
    if (!rule.isBroken(calls[0], calls[1])) {
      return false;
    }
    if (part.verdict() != Verdict.ONCE) {
      return true;
    }
    // A loop that waits for the time to pass makes more calls if each is shorter.
    double before = part.node().base().total() * difference.drift().factor();
    double limit = 1 + Math.max(ONCE, rule.limit());
    return part.after() > part.before() * limit && part.node().fresh().total() > before * limit;
  }

  private void methods(GateRule rule) {
    boolean met = false;
    for (int key : new TreeSet<>(callsByKey.keySet())) {
      if (rule.matches(difference.name(key))) {
        met = true;
        method(rule, key);
      }
    }
    if (!met) {
      unmet.add(rule.text());
    }
  }

  private void method(GateRule rule, int key) {
    double[] pair =
        switch (rule.metric()) {
          case CALLS -> sums(callsByKey, key).clone();
          case SELF -> sums(selfByKey, key).clone();
          default -> durations(rule.metric(), key);
        };
    double common =
        rule.metric() == GateRule.Metric.CALLS
            ? 1
            : Math.max(1, difference.drift().factor()) * difference.margin();
    boolean known = rule.metric() == GateRule.Metric.CALLS || pair[0] > 0;
    if (known && rule.isBroken(pair[0] * common, pair[1])) {
      broken.add(new Broken(rule, List.of(), difference.name(key), pair[0], pair[1]));
    }
  }

  /**
   * Of all calls of a side; of percentiles the end of what is known that speaks for the program.
   */
  private double[] durations(GateRule.Metric metric, int key) {
    double[] pair = new double[2];
    for (Side side : Side.values()) {
      Durations all = new Durations();
      for (AlignedRole role : difference.roles()) {
        for (RolePaths paths : role.side(side)) {
          Durations some = paths == null ? null : paths.watched().get(key);
          if (some != null) {
            all.addAll(some);
          }
        }
      }
      double calls = Math.max(1, sums(callsByKey, key)[side.index()]);
      calls *= difference.recordings(side).size();
      pair[side.index()] = figure(metric, all, calls, side == Side.BASE ? 1 : -1);
    }
    return pair;
  }

  private static double figure(GateRule.Metric metric, Durations all, double calls, int direction) {
    if (metric == GateRule.Metric.MEAN) {
      double[] sums = new double[2];
      all.forEachDuration((duration, count) -> {
        sums[0] += duration * count;
        sums[1] += count;
      });
      return sums[1] == 0 ? 0 : sums[0] / sums[1];
    }
    double share = metric.share();
    double unsure = 2 * Math.sqrt(share * (1 - share) / calls);
    return all.percentile(Math.clamp(share + direction * unsure, 0, 1));
  }
}
