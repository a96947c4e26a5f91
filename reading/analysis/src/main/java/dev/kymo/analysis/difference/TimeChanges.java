package dev.kymo.analysis.difference;

import dev.kymo.analysis.cause.TimeUse;
import dev.kymo.analysis.difference.Part.Kind;
import dev.kymo.analysis.difference.paths.PathNode;
import dev.kymo.analysis.difference.paths.PathSamples;
import dev.kymo.analysis.difference.statistics.Bootstrap;
import dev.kymo.analysis.difference.statistics.Holm;
import dev.kymo.analysis.difference.statistics.Interval;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Changes in how long calls take themselves: running, waiting, and kept from running. */
final class TimeChanges {
  private static final Map<Kind, Integer> USES =
      Map.of(
          Kind.STOPPED, TimeUse.STOPPED,
          Kind.BLOCKED, TimeUse.BLOCKED,
          Kind.RUNNABLE, TimeUse.RUNNABLE,
          Kind.LOADING, TimeUse.LOADING);

  private final Function<Side, Double> length;
  private final List<Time> times = new ArrayList<>();
  private final List<Candidate> candidates = new ArrayList<>();
  private final List<TimeEvidence> busy = new ArrayList<>();

  /** A kind of time of a method; what differs of it is one part. */
  private record Time(MethodGroup group, Kind kind, int key, ToDoubleFunction<PathNode> of) {}

  /** Nodes of a method, of which it is asked whether that time differs: one of them, or all. */
  private record Candidate(Time time, List<AlignedNode> nodes, TimeEvidence evidence) {}

  private record Judged(Candidate candidate, double chance) {}

  /**
   * Nothing yet.
   *
   * @param length of the recordings of a side
   */
  TimeChanges(Function<Side, Double> length) {
    this.length = length;
  }

  void add(MethodGroup group) {
    if (group.key() < 0) {
      return; // threads run only what they call
    }
    add(new Time(group, Kind.BUSY, -1, MethodGroup::busy), PathSamples::busy);
    for (int state : states(group)) {
      add(new Time(group, Kind.WAIT, state, node -> waited(node, state)), PathSamples::waiting);
    }
    USES.forEach((kind, use) -> add(new Time(group, kind, -1, n -> n.use(use)), null));
  }

  private static Set<Integer> states(MethodGroup group) {
    Set<Integer> states = new HashSet<>();
    for (AlignedNode node : group.nodes()) {
      for (Side side : Side.values()) {
        for (PathNode known : node.side(side).known()) {
          known.forEachWait((state, count, time) -> states.add(state));
        }
      }
    }
    return states;
  }

  private static double waited(PathNode node, int wanted) {
    double[] sum = {0};
    node.forEachWait((state, count, time) -> sum[0] += state == wanted ? time : 0);
    return sum[0];
  }

  private void add(Time time, @Nullable Function<PathSamples, double[]> of) {
    List<AlignedNode> nodes = new ArrayList<>(time.group.nodes());
    nodes.removeIf(n -> n.base().mean(time.of) + n.fresh().mean(time.of) <= 0);
    if (nodes.isEmpty()) {
      return;
    }
    times.add(time);
    if (of == null) {
      return;
    }
    for (AlignedNode node : nodes) {
      TimeEvidence evidence = TimeEvidence.of(List.of(node), time.of, of, length);
      if (time.kind == Kind.BUSY) {
        busy.add(evidence);
      }
      if (isWorthATest(time, List.of(node))) {
        candidates.add(new Candidate(time, List.of(node), evidence));
      }
    }
    if (nodes.size() > 1 && isWorthATest(time, nodes)) {
      candidates.add(new Candidate(time, nodes, TimeEvidence.of(nodes, time.of, of, length)));
    }
  }

  /** What would not be told anyway is not asked about: each question makes chance likelier. */
  private static boolean isWorthATest(Time time, List<AlignedNode> nodes) {
    double base = 0;
    double fresh = 0;
    for (AlignedNode node : nodes) {
      base += node.base().mean(time.of);
      fresh += node.fresh().mean(time.of);
    }
    return Math.max(base, fresh) >= Choice.SHARE * Choice.time(time.group.role());
  }

  /** What all methods have in common; when all were added. */
  Drift drift(int base, int fresh) {
    return Drift.of(busy, base, fresh);
  }

  interface Sink {
    void part(MethodGroup group, Part part);
  }

  /** Judges everything that was added. */
  void judge(Drift drift, int base, int fresh, Sink sink) {
    Judge judge = new Judge(drift, base, fresh, busy);
    double[] chances =
        Holm.corrected(candidates.stream().mapToDouble(c -> judge.chance(c.evidence)).toArray());
    Map<Time, List<Judged>> judged = new LinkedHashMap<>();
    times.forEach(time -> judged.put(time, new ArrayList<>()));
    for (int i = 0; i < chances.length; i++) {
      Candidate candidate = candidates.get(i);
      judged
          .computeIfAbsent(candidate.time, t -> new ArrayList<>())
          .add(new Judged(candidate, chances[i]));
    }
    judged.forEach((time, all) -> judge(time, all, judge, drift, sink));
  }

  /** The nodes that certainly differ or, if there are none, all of them together. */
  private static void judge(Time time, List<Judged> all, Judge judge, Drift drift, Sink sink) {
    MethodGroup group = time.group;
    double factor = time.kind == Kind.BUSY ? drift.factor() : 1;
    List<AlignedNode> certain = new ArrayList<>();
    for (Judged one : all) {
      Verdict verdict = judge.verdict(one.candidate.evidence, one.chance, time.kind == Kind.WAIT);
      boolean single = one.candidate.nodes.size() == 1;
      if (verdict == Verdict.CERTAIN && (single || certain.isEmpty())) {
        certain.addAll(one.candidate.nodes);
      }
    }
    List<AlignedNode> nodes = certain.isEmpty() ? group.nodes() : certain;
    AlignedNode heaviest =
        MethodGroup.heaviest(nodes, node -> MethodGroup.weight(node, time.of, factor));
    boolean typical = !certain.isEmpty() && !judge.isByRecording();
    sink.part(
        group,
        new Part(
            time.kind,
            time.key,
            typical ? typical(heaviest, all, Side.BASE) : mean(heaviest, time, Side.BASE),
            typical ? typical(heaviest, all, Side.NEW) : mean(heaviest, time, Side.NEW),
            weight(time, nodes, all, certain.isEmpty() ? null : judge, factor),
            certain.isEmpty() ? Verdict.UNCERTAIN : Verdict.CERTAIN,
            heaviest,
            nodes.size()));
  }

  private static @Nullable TimeEvidence evidence(AlignedNode node, List<Judged> all) {
    return all.stream()
        .filter(j -> j.candidate.nodes.equals(List.of(node)))
        .map(j -> j.candidate.evidence)
        .findFirst()
        .orElse(null);
  }

  private static double typical(AlignedNode node, List<Judged> all, Side side) {
    TimeEvidence evidence = evidence(node, all);
    return evidence == null
        ? 0
        : Bootstrap.middle(side == Side.BASE ? evidence.base : evidence.fresh);
  }

  /**
   * Sum over nodes. How far it may be off is at most how far those of the nodes may be.
   *
   * @param judge null = by the sums, since nobody knows
   */
  private static Interval weight(
      Time time, List<AlignedNode> nodes, List<Judged> all, @Nullable Judge judge, double factor) {
    double low = 0;
    double value = 0;
    double high = 0;
    for (AlignedNode node : nodes) {
      double sums = MethodGroup.weight(node, time.of, factor);
      TimeEvidence evidence = evidence(node, all);
      Interval own =
          judge == null || evidence == null
              ? Interval.exact(sums)
              : judge.weight(evidence, sums, node.fresh().calls(), factor);
      low += own.low();
      value += own.value();
      high += own.high();
    }
    return new Interval(low, value, high);
  }

  private static double mean(AlignedNode node, Time time, Side side) {
    double calls = node.side(side).calls();
    return calls == 0 ? 0 : node.side(side).mean(time.of) / calls;
  }
}
