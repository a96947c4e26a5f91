package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.statistics.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The change that all methods have in common: a machine that is busy or hot makes everything
 * slower, and some more than others. That is no difference of any of them.
 *
 * @param methods from which it is known
 * @param factor new times are so many times as long, by the middle one of the methods; 1 if unknown
 * @param spread standard deviation of the methods' own factors around it, as a logarithm; methods
 *     that really changed do not count, as long as they are few
 * @param recordings by recording of the base side and then of the new side, logarithms
 */
public record Drift(int methods, double factor, double spread, List<Double> recordings) {
  /** Fewer methods cannot tell a change of one from one of all. */
  static final int ENOUGH = 4;

  /** Shorter methods are as long as the caches are kind. */
  private static final double SHORTEST = 200;

  private static final int CALLS = 8;

  /** How far methods are taken to vary where too few are known. */
  private static final double USUAL_SPREAD = 0.15;

  static Drift of(List<TimeEvidence> all, int base, int fresh) {
    List<TimeEvidence> some =
        all.stream().filter(e -> e.isEnough(CALLS) && e.shortMedian() >= SHORTEST).toList();
    double[] ratios = some.stream().mapToDouble(e -> e.ratio(0.5)).toArray();
    boolean known = ratios.length >= ENOUGH;
    return new Drift(
        ratios.length,
        known ? Math.exp(Quantiles.median(ratios)) : 1,
        known ? Quantiles.spread(ratios) : USUAL_SPREAD,
        recordings(some, base, fresh));
  }

  /** How much slower than the others of all recordings each one is. */
  private static List<Double> recordings(List<TimeEvidence> some, int base, int fresh) {
    List<List<Double>> complete =
        some.stream()
            .map(e -> Stream.concat(e.typical.base().stream(), e.typical.fresh().stream()).toList())
            .filter(all -> all.size() == base + fresh)
            .toList();
    List<Double> factors = new ArrayList<>();
    for (int i = 0; i < base + fresh; i++) {
      int recording = i;
      double[] away =
          complete.stream().mapToDouble(all -> all.get(recording) - mean(all)).toArray();
      factors.add(away.length < ENOUGH ? 0 : Quantiles.median(away));
    }
    return factors;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(value -> value).average().orElse(0);
  }

  public boolean isKnown() {
    return methods >= ENOUGH;
  }

  double of(Side side, int recording, int baseRecordings) {
    return recordings.get(side == Side.BASE ? recording : baseRecordings + recording);
  }
}
