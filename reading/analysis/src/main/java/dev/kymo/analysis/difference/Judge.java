package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.statistics.Bootstrap;
import dev.kymo.analysis.difference.statistics.Interval;
import dev.kymo.analysis.difference.statistics.Normal;
import dev.kymo.analysis.difference.statistics.Quantiles;
import dev.kymo.analysis.difference.statistics.Ranks;
import java.util.Arrays;
import java.util.List;

/**
 * Says of differences in time whether they are more than chance. With three recordings a side or
 * more, the recordings are what varies. With fewer, nobody knows how much the next run would
 * differ: then calls all over the run must be longer, short ones as well as long ones, and by more
 * than methods differ from each other between these two runs anyway.
 */
final class Judge {
  /** From so many recordings a side on, they say themselves how much runs differ. */
  static final int RECORDINGS = 3;

  /** One recording a side: what runs of the same program may differ in any case, a logarithm. */
  static final double ALWAYS = 0.2;

  /** Waits depend on what other threads do at the time. */
  private static final double ALWAYS_WAITS = Math.log(2);

  /** Smaller differences are not told, however certain; a logarithm. */
  private static final double SMALLEST = 0.02;

  private static final int CALLS = 8;
  private static final int BLOCKS = 16;
  private static final double CHANCE = 0.01;

  /** A method that is called in a shorter part of the run may have met a bad moment. */
  private static final double COVERAGE = 0.2;

  private static final double PROBES = 0.3;
  private static final double[] QUARTERS = {0.25, 0.5, 0.75};

  /** A variance that is known of all methods counts as much as one of so many more recordings. */
  private static final double PRIOR_DEGREES = 4;

  private final Drift drift;
  private final int base;
  private final int fresh;
  private final double priorOfMeans;
  private final double priorOfTypical;

  /** Values of recordings: what is compared, and what is known of its variance from all methods. */
  private record Values(TimeEvidence.ByRecording of, double prior) {}

  Judge(Drift drift, int base, int fresh, List<TimeEvidence> all) {
    this.drift = drift;
    this.base = base;
    this.fresh = fresh;
    this.priorOfMeans = prior(all.stream().map(e -> e.means).toList());
    this.priorOfTypical = prior(all.stream().map(e -> e.typical).toList());
  }

  boolean isByRecording() {
    return Math.min(base, fresh) >= RECORDINGS;
  }

  private double prior(List<TimeEvidence.ByRecording> all) {
    double[] variances =
        all.stream().filter(this::isComplete).mapToDouble(this::variance).toArray();
    return Math.max(1e-4, Quantiles.median(variances));
  }

  private boolean isComplete(TimeEvidence.ByRecording of) {
    return isByRecording() && of.base().size() == base && of.fresh().size() == fresh;
  }

  /** Without the drift of the recordings. */
  private double[] values(TimeEvidence.ByRecording of, Side side) {
    double[] values = of.side(side).stream().mapToDouble(value -> value).toArray();
    for (int i = 0; i < values.length; i++) {
      values[i] -= drift.of(side, i, base);
    }
    return values;
  }

  /** Within the sides. */
  private double variance(TimeEvidence.ByRecording of) {
    double sum = 0;
    for (Side side : Side.values()) {
      double[] values = values(of, side);
      double mean = Bootstrap.mean(values);
      sum += Arrays.stream(values).map(m -> (m - mean) * (m - mean)).sum();
    }
    return sum / (base + fresh - 2);
  }

  /** Of the difference of the sides. */
  private double error(Values v) {
    int degrees = base + fresh - 2;
    double variance = PRIOR_DEGREES * v.prior + degrees * variance(v.of);
    return Math.sqrt(variance / (PRIOR_DEGREES + degrees) * (1.0 / base + 1.0 / fresh));
  }

  private double difference(Values v) {
    return Bootstrap.mean(values(v.of, Side.NEW)) - Bootstrap.mean(values(v.of, Side.BASE));
  }

  private double chance(Values v) {
    return isComplete(v.of) ? Normal.student(difference(v) / error(v), degrees()) : 1;
  }

  /** What says more: the means, or typical calls. */
  private Values clearer(TimeEvidence e) {
    Values means = new Values(e.means, priorOfMeans);
    Values typical = new Values(e.typical, priorOfTypical);
    return chance(means) <= chance(typical) ? means : typical;
  }

  /** Probability that it is chance; 1 if too little is known. */
  double chance(TimeEvidence e) {
    if (isByRecording()) {
      return Math.min(1, 2 * chance(clearer(e)));
    }
    return e.isEnough(CALLS) ? Ranks.probabilityOfBlocks(e.base, e.fresh, BLOCKS) : 1;
  }

  private double degrees() {
    return base + fresh - 2 + PRIOR_DEGREES;
  }

  /**
   * Whether a difference is certain.
   *
   * @param chance corrected for the number of differences that were looked at
   */
  Verdict verdict(TimeEvidence e, double chance, boolean waits) {
    if (chance > CHANCE) {
      return Verdict.UNCERTAIN;
    }
    if (isByRecording()) {
      double ratio = difference(clearer(e));
      return Math.abs(ratio) > SMALLEST && !isProbes(e, ratio)
          ? Verdict.CERTAIN
          : Verdict.UNCERTAIN;
    }
    double least = leastRatio(e, waits ? 0 : Math.log(drift.factor()));
    double margin = waits ? ALWAYS_WAITS : margin();
    boolean known = waits || drift.isKnown();
    return known && e.coverage >= COVERAGE && Math.abs(least) > margin && !isProbes(e, least)
        ? Verdict.CERTAIN
        : Verdict.UNCERTAIN;
  }

  private double margin() {
    return Math.max(ALWAYS, 3 * drift.spread());
  }

  /** With few recordings a side, differences up to this are not certain; a logarithm. */
  static double margin(Drift drift, int base, int fresh) {
    return Math.min(base, fresh) >= RECORDINGS
        ? 0
        : new Judge(drift, base, fresh, List.of()).margin();
  }

  /** What is taken out for probes is not exact. */
  private static boolean isProbes(TimeEvidence e, double ratio) {
    double middle = e.isEnough(1) ? e.shortMedian() : 0;
    return Math.abs(Math.expm1(Math.abs(ratio)) * middle) < PROBES * e.probes;
  }

  /** By how much short, middle and long calls all differ; 0 if not all in the same direction. */
  private static double leastRatio(TimeEvidence e, double common) {
    double least = Double.POSITIVE_INFINITY;
    double sign = Math.signum(e.ratio(0.5) - common);
    for (double share : QUARTERS) {
      least = Math.min(least, sign * (e.ratio(share) - common));
    }
    return Math.max(0, least) * sign;
  }

  /**
   * What a difference weighs.
   *
   * @param weight by the sums
   * @param calls of the new side
   * @param factor base times are taken times this
   */
  Interval weight(TimeEvidence e, double weight, double calls, double factor) {
    Values clearer = clearer(e);
    if (isComplete(clearer.of)) {
      double error = Normal.studentQuantile(0.05, degrees()) * error(clearer);
      double mean = Math.exp(Bootstrap.mean(values(clearer.of, Side.NEW))) * calls;
      return new Interval(weight - mean * error, weight, weight + mean * error);
    }
    double[] scaled = Arrays.stream(e.base).map(time -> time * factor).toArray();
    return Bootstrap.ofDifference(scaled, e.fresh).times(calls);
  }
}
