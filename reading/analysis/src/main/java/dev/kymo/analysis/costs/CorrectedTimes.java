package dev.kymo.analysis.costs;

import dev.kymo.format.Definition.ProbeCost;
import org.jspecify.annotations.Nullable;

/**
 * Times of a method without what the probes took, as far as that is known; nanoseconds. What is
 * subtracted, and how far it may be off, is explained in {@code docs/truth.md}.
 *
 * @param error total and self are within so much of what they would be without probes
 */
public record CorrectedTimes(long total, long self, long error) {
  /** How far probes in a program may cost more or less than when they were measured. */
  public static final double ELSEWHERE = 0.3;

  private static final double PICOS = 1e-3;

  /** Takes what probes cost out of a method's times. */
  static CorrectedTimes of(ProbeCost cost, MethodTotals events, @Nullable CountedTotals counted) {
    double inside = cost.inside() * PICOS;
    double outside = cost.outside() * PICOS;
    double pair = inside + outside;
    double weaving = events.weavingInTotal;
    double weavingInSelf = SelfTime.of(events, events.self).weaving();
    double inTotal = (events.calls - events.nested) * inside + events.below * pair;
    double inSelf = events.calls * inside + events.children * outside;
    double total = Math.max(0, events.total - weaving - inTotal - events.countedInTotal);
    double self = Math.max(0, events.self - weavingInSelf - inSelf - events.countedInSelf);
    double error = events.countedInTotal;
    double most = events.total;
    if (counted != null) {
      double inCounted = counted.probesInside(cost);
      total += Math.max(0, counted.total() - inCounted);
      self = Math.max(0, self - counted.below()) + Math.max(0, counted.self() - inCounted);
      inTotal += inCounted;
      error += counted.others() + counted.sampledProbes(cost) + counted.error();
      most += counted.total() + counted.error();
    }
    double probes = pair == 0 ? 0 : inTotal / pair;
    error += probes * cost.spread() * PICOS + inTotal * ELSEWHERE;
    error = Math.min(error, most); // without probes it took no longer, and not less than nothing
    return new CorrectedTimes(Math.round(total), Math.round(self), (long) Math.ceil(error));
  }
}
