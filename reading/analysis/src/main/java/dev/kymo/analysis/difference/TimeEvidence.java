package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import dev.kymo.analysis.difference.paths.PathSamples;
import dev.kymo.analysis.difference.statistics.Bootstrap;
import dev.kymo.analysis.difference.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of how long calls of a method take themselves: some of the calls one by one, and the
 * mean of each recording. Nanoseconds.
 */
final class TimeEvidence {
  /** Times below this are as inexact as the clock and the probes. */
  private static final double FLOOR = 20;

  /** Heaviest nodes whose calls are looked at. */
  private static final int NODES = 8;

  final double[] base;
  final double[] fresh;

  /** What calls took on average: a few long ones count. */
  final ByRecording means;

  /** What typical calls took. */
  final ByRecording typical;

  /** What probes took of a call on average, on the side where it was more. */
  final double probes;

  /** The part of the recording in which it is called, on the side where that is smaller. */
  final double coverage;

  /** Logarithms of times, one for each recording that has a call. */
  record ByRecording(List<Double> base, List<Double> fresh) {
    List<Double> side(Side side) {
      return side == Side.BASE ? base : fresh;
    }
  }

  private TimeEvidence(
      double[] base,
      double[] fresh,
      ByRecording means,
      ByRecording typical,
      double probes,
      double coverage) {
    this.base = base;
    this.fresh = fresh;
    this.means = means;
    this.typical = typical;
    this.probes = probes;
    this.coverage = coverage;
  }

  /**
   * Of nodes of one method.
   *
   * @param time sum of a node
   * @param values of its samples
   * @param length of the recordings of a side, nanoseconds
   */
  static TimeEvidence of(
      List<AlignedNode> nodes,
      ToDoubleFunction<PathNode> time,
      Function<PathSamples, double[]> values,
      Function<Side, Double> length) {
    List<AlignedNode> heaviest = new ArrayList<>(nodes);
    heaviest.sort((one, other) -> Double.compare(other.fresh().mean(time), one.fresh().mean(time)));
    List<AlignedNode> some = heaviest.subList(0, Math.min(NODES, heaviest.size()));
    return new TimeEvidence(
        samples(some, Side.BASE, values),
        samples(some, Side.NEW, values),
        new ByRecording(means(nodes, Side.BASE, time), means(nodes, Side.NEW, time)),
        new ByRecording(typical(some, Side.BASE, values), typical(some, Side.NEW, values)),
        Math.max(probes(nodes, Side.BASE), probes(nodes, Side.NEW)),
        Math.min(
            coverage(nodes, Side.BASE, length.apply(Side.BASE)),
            coverage(nodes, Side.NEW, length.apply(Side.NEW))));
  }

  private static double[] samples(
      List<AlignedNode> nodes, Side side, Function<PathSamples, double[]> values) {
    List<double[]> all = new ArrayList<>();
    for (AlignedNode node : nodes) {
      for (PathNode known : node.side(side).known()) {
        all.add(values.apply(known.samples()));
      }
    }
    return all.stream().flatMapToDouble(Arrays::stream).toArray();
  }

  private static List<Double> means(
      List<AlignedNode> nodes, Side side, ToDoubleFunction<PathNode> time) {
    List<Double> means = new ArrayList<>();
    for (int i = 0; i < nodes.getFirst().side(side).recordings(); i++) {
      double sum = 0;
      long calls = 0;
      for (AlignedNode node : nodes) {
        PathNode known = node.side(side).known(i);
        sum += known == null ? 0 : time.applyAsDouble(known);
        calls += known == null ? 0 : known.calls();
      }
      if (calls > 0) {
        means.add(Math.log(sum / calls + FLOOR));
      }
    }
    return means;
  }

  private static List<Double> typical(
      List<AlignedNode> nodes, Side side, Function<PathSamples, double[]> values) {
    List<Double> typical = new ArrayList<>();
    for (int i = 0; i < nodes.getFirst().side(side).recordings(); i++) {
      List<double[]> all = new ArrayList<>();
      for (AlignedNode node : nodes) {
        PathNode known = node.side(side).known(i);
        if (known != null) {
          all.add(values.apply(known.samples()));
        }
      }
      double[] together = all.stream().flatMapToDouble(Arrays::stream).toArray();
      if (together.length > 0) {
        typical.add(Math.log(Bootstrap.middle(together) + FLOOR));
      }
    }
    return typical;
  }

  private static double probes(List<AlignedNode> nodes, Side side) {
    double sum = 0;
    long calls = 0;
    for (AlignedNode node : nodes) {
      for (PathNode known : node.side(side).known()) {
        sum += known.probes();
        calls += known.calls();
      }
    }
    return calls == 0 ? 0 : sum / calls;
  }

  private static double coverage(List<AlignedNode> nodes, Side side, double length) {
    long longest = 0;
    for (AlignedNode node : nodes) {
      for (@Nullable PathNode known : node.side(side).known()) {
        longest = Math.max(longest, known == null ? 0 : known.span());
      }
    }
    return length <= 0 ? 0 : longest / length;
  }

  /** Logarithm of how many times as long a share of the calls takes at most on the new side. */
  double ratio(double share) {
    double before = Quantiles.of(Quantiles.sorted(base), share);
    double after = Quantiles.of(Quantiles.sorted(fresh), share);
    return Math.log((after + FLOOR) / (before + FLOOR));
  }

  /** Whether enough calls were looked at to say anything. */
  boolean isEnough(int calls) {
    return Math.min(base.length, fresh.length) >= calls;
  }

  /** Half of the calls take no longer, on the side where that is less. */
  double shortMedian() {
    return Math.min(Quantiles.median(base), Quantiles.median(fresh));
  }
}
