package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.Aggregator;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.ScalarDerivativeResult;

/**
 * A {@link Profile} in JMH's words. The rows of JMH's table are made from the sums of all forks, so
 * they are means over all operations.
 */
@Unrecorded
final class KymoResult extends Result<KymoResult> {
  private static final long serialVersionUID = 1L;

  private static final String CALLS = "kymo.calls";

  /** Share of all time, or of all calls, from which a method may have rows. */
  private static final double SMALLEST_SHARE = 0.001;

  private final Profile profile;
  private final String owner;
  private final int methods;

  /**
   * A result.
   *
   * @param owner the benchmark's class
   * @param methods most methods that get rows
   */
  KymoResult(Profile profile, String owner, int methods) {
    super(
        ResultRole.SECONDARY,
        CALLS,
        of(per(profile.calls(), profile.operations())),
        unit("#/op", profile.isAtLeast()),
        AggregationPolicy.AVG);
    this.profile = profile;
    this.owner = owner;
    this.methods = methods;
  }

  private static double per(long sum, long operations) {
    return operations == 0 ? Double.NaN : (double) sum / operations;
  }

  private static String unit(String unit, boolean atLeast) {
    return atLeast ? unit + " at least" : unit;
  }

  @Override
  protected Aggregator<KymoResult> getThreadAggregator() {
    return KymoResult::sum;
  }

  @Override
  protected Aggregator<KymoResult> getIterationAggregator() {
    return KymoResult::sum;
  }

  private static KymoResult sum(Collection<KymoResult> results) {
    return results.stream()
        .reduce((a, b) -> new KymoResult(a.profile.plus(b.profile), a.owner, a.methods))
        .orElseThrow();
  }

  @Override
  protected Collection<? extends Result<?>> getDerivativeResults() {
    if (profile.operations() == 0) {
      return List.of();
    }
    List<Result<?>> rows = new ArrayList<>();
    List<Profile.Method> most =
        profile.most().stream().filter(this::isNotable).limit(methods).toList();
    Map<String, String> names = names();
    for (Profile.Method method : most) {
      String name = names.getOrDefault(method.name(), method.name());
      rows.add(row(CALLS + ":" + name, method.calls(), unit("#/op", method.atLeast())));
      rows.add(row("kymo.self:" + name, method.self(), unit("ns/op", method.atLeast())));
    }
    rows.add(row("kymo.stopped", profile.stopped(), "ns/op"));
    rows.add(
        new ScalarDerivativeResult(
            "kymo.waiting",
            per(profile.waited(), profile.timed()),
            "ns/op",
            AggregationPolicy.AVG));
    Map<String, Long> kinds = new HashMap<>();
    profile.waits().forEach(wait -> kinds.merge(wait.kind(), wait.time(), Long::sum));
    kinds.forEach((kind, time) ->
        rows.add(
            new ScalarDerivativeResult(
                "kymo.waiting." + kind,
                per(time, profile.timed()),
                "ns/op",
                AggregationPolicy.AVG)));
    return rows;
  }

  /** A method of which all time was its probes' is notable for its calls. */
  private boolean isNotable(Profile.Method method) {
    return method.self() >= SMALLEST_SHARE * profile.self()
        || method.calls() >= SMALLEST_SHARE * profile.calls();
  }

  private ScalarDerivativeResult row(String label, long sum, String unit) {
    return new ScalarDerivativeResult(
        label, per(sum, profile.operations()), unit, AggregationPolicy.AVG);
  }

  /**
   * Names without packages, and of the benchmark's own methods without the class, where they are of
   * one method only.
   */
  private Map<String, String> names() {
    Map<String, String> byShort = new HashMap<>();
    Map<String, String> names = new HashMap<>();
    for (Profile.Method method : profile.methods()) {
      String other = byShort.putIfAbsent(method.shortName(owner), method.name());
      names.put(method.name(), other == null ? method.shortName(owner) : method.name());
      if (other != null) {
        names.put(other, other);
      }
    }
    return names;
  }

  @Override
  public String extendedInfo() {
    return ProfileText.of(profile);
  }
}
