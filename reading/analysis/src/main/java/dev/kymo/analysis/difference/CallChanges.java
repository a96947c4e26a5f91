package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import dev.kymo.analysis.difference.statistics.Interval;
import dev.kymo.analysis.difference.statistics.Normal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes in how many calls the calls of a method make, and in which order. */
final class CallChanges {
  /** A caller that was called less often says nothing about how its calls vary. */
  private static final long ENOUGH = 3;

  /** Standard deviations by which numbers of calls that vary must differ. */
  private static final double FAR = 5;

  private static final double CHANCE = 0.001;

  private final MethodGroup group;

  private CallChanges(MethodGroup group) {
    this.group = group;
  }

  static List<Part> of(MethodGroup group) {
    CallChanges changes = new CallChanges(group);
    List<Part> parts = new ArrayList<>(changes.calls());
    group.nodes().forEach(node -> parts.addAll(orders(node)));
    return parts;
  }

  private List<Part> calls() {
    Map<Integer, List<AlignedNode>> byCallee = new LinkedHashMap<>();
    for (AlignedNode node : group.nodes()) {
      for (AlignedNode child : node.children()) {
        if (Math.abs(more(child)) > 1e-9) {
          byCallee.computeIfAbsent(child.key(), k -> new ArrayList<>()).add(child);
        }
      }
    }
    List<Part> parts = new ArrayList<>();
    byCallee.forEach((callee, children) -> parts.add(part(callee, children)));
    return parts;
  }

  private static AlignedNode caller(AlignedNode child) {
    AlignedNode caller = child.parent();
    if (caller == null) {
      throw new IllegalArgumentException("threads are not called");
    }
    return caller;
  }

  private static double rate(AlignedNode child, Side side) {
    double calls = caller(child).side(side).calls();
    return calls == 0 ? 0 : child.side(side).calls() / calls;
  }

  /** How many more calls a call of its caller makes of it. */
  private static double more(AlignedNode child) {
    return rate(child, Side.NEW) - rate(child, Side.BASE);
  }

  /** What the calls that there are more take, each as long as on the base side if it is there. */
  private static double weight(AlignedNode child) {
    SideNode times = child.base().isThere() ? child.base() : child.fresh();
    return caller(child).fresh().calls() * more(child) * times.totalPerCall();
  }

  private Part part(int callee, List<AlignedNode> children) {
    AlignedNode heaviest = MethodGroup.heaviest(children, CallChanges::weight);
    double weight = children.stream().mapToDouble(CallChanges::weight).sum();
    if (weight == 0) {
      heaviest = MethodGroup.heaviest(children, CallChanges::more);
    }
    return new Part(
        Part.Kind.CALLS,
        callee,
        rate(heaviest, Side.BASE),
        rate(heaviest, Side.NEW),
        Interval.exact(weight),
        verdict(heaviest),
        heaviest,
        children.size());
  }

  private Verdict verdict(AlignedNode child) {
    AlignedNode caller = caller(child);
    boolean cut = caller.base().isCut() || caller.fresh().isCut();
    if (cut || child.base().isPartial() || child.fresh().isPartial() || lostOutside(caller)) {
      return Verdict.INCOMPLETE;
    }
    double[] base = rates(child, Side.BASE);
    double[] fresh = rates(child, Side.NEW);
    if (Math.min(base.length, fresh.length) >= 2) {
      return byRecording(base, fresh);
    }
    double callsBefore = caller.base().callsInAll();
    double callsAfter = caller.fresh().callsInAll();
    if (Math.min(callsBefore, callsAfter) < ENOUGH) {
      return Verdict.ONCE;
    }
    double variance = variance(child, Side.BASE) / callsBefore;
    variance += variance(child, Side.NEW) / callsAfter;
    if (variance < 1e-12) {
      return Verdict.EXACT;
    }
    boolean far = Math.abs(more(child)) > FAR * Math.sqrt(variance);
    return far ? Verdict.CERTAIN : Verdict.UNCERTAIN;
  }

  private boolean lostOutside(AlignedNode caller) {
    return caller.parent() == null && group.role().isLossy();
  }

  /** Calls in a call of the caller, by recording. */
  private static double[] rates(AlignedNode child, Side side) {
    @Nullable PathNode[] callers = caller(child).side(side).nodes();
    @Nullable PathNode[] callees = child.side(side).nodes();
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < callers.length; i++) {
      PathNode caller = callers[i];
      PathNode callee = callees[i];
      if (caller != null && caller.calls() > 0) {
        rates.add(callee == null ? 0 : (double) callee.calls() / caller.calls());
      }
    }
    return rates.stream().mapToDouble(rate -> rate).toArray();
  }

  private static Verdict byRecording(double[] base, double[] fresh) {
    double spread = squares(base) + squares(fresh);
    int degrees = base.length + fresh.length - 2;
    if (spread < 1e-12) {
      return Verdict.EXACT;
    }
    double error = Math.sqrt(spread / degrees * (1.0 / base.length + 1.0 / fresh.length));
    double chance = Normal.student((mean(fresh) - mean(base)) / error, degrees);
    return chance < CHANCE ? Verdict.CERTAIN : Verdict.UNCERTAIN;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double squares(double[] values) {
    double mean = mean(values);
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return sum;
  }

  /** Of the calls in a call of the caller. */
  private static double variance(AlignedNode child, Side side) {
    return child.side(side).known().stream().mapToDouble(PathNode::variance).max().orElse(0);
  }

  /** Two methods that a method calls one after the other, and now the other way round. */
  private static List<Part> orders(AlignedNode node) {
    List<Part> parts = new ArrayList<>();
    for (AlignedNode child : node.children()) {
      int before = before(child.base());
      int after = before(child.fresh());
      if (after >= 0 && before != after && before(child(node, after), Side.BASE) == child.key()) {
        parts.add(
            new Part(Part.Kind.ORDER, after, 0, 0, Interval.exact(0), Verdict.EXACT, child, 1));
      }
    }
    return parts;
  }

  private static @Nullable AlignedNode child(AlignedNode node, int key) {
    return node.children().stream().filter(c -> c.key() == key).findFirst().orElse(null);
  }

  private static int before(@Nullable AlignedNode child, Side side) {
    return child == null ? -1 : before(child.side(side));
  }

  /** What always comes before it, in all recordings of a side; -1 = nothing does. */
  private static int before(SideNode side) {
    int before = -1;
    for (PathNode node : side.known()) {
      if (!node.isOrdered() || (before >= 0 && before != node.before())) {
        return -1;
      }
      before = node.before();
    }
    return before;
  }
}
