package dev.kymo.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.Result;

class KymoResultTest {
  private static Profile.Method method(String name, long calls, long self, boolean atLeast) {
    return new Profile.Method(name, calls, 0, self, 0, 0, atLeast, false);
  }

  private static Profile fork(
      long operations, List<Profile.Method> methods, Profile.Wait... waits) {
    return new Profile(
        1,
        operations,
        operations,
        methods,
        Profile.Method.none("loops"),
        List.of(waits),
        List.of(),
        List.of());
  }

  private static KymoResult sum(int methods, Profile... forks) {
    KymoResult first = new KymoResult(forks[0], "shop.Benchmark", methods);
    return first
        .getIterationAggregator()
        .aggregate(
            List.of(forks).stream()
                .map(fork -> new KymoResult(fork, "shop.Benchmark", methods))
                .toList());
  }

  private static Map<String, Double> rows(KymoResult result) {
    return result.getDerivativeResults().stream()
        .collect(Collectors.toMap(Result::getLabel, Result::getScore));
  }

  /** Which is not the mean of the forks' means; and what one fork does not have counts as 0. */
  @Test
  void forksAreAddedUp() {
    KymoResult result =
        sum(
            5,
            fork(100, List.of(method("shop.Stock.load", 300, 500, false))),
            fork(
                300,
                List.of(
                    method("shop.Stock.load", 900, 1500, false),
                    method("shop.Stock.order", 4, 100, false)),
                new Profile.Wait("park", "park", 3, 800, 500)));
    assertThat(result.getScore()).isEqualTo(1204.0 / 400);
    assertThat(rows(result))
        .containsEntry("kymo.calls:Stock.load", 3.0)
        .containsEntry("kymo.self:Stock.load", 5.0)
        .containsEntry("kymo.calls:Stock.order", 0.01)
        .containsEntry("kymo.waiting", 2.0)
        .containsEntry("kymo.waiting.park", 2.0);
  }

  @Test
  void namesAreShortWhereThatIsClear() {
    KymoResult result =
        sum(
            5,
            fork(
                10,
                List.of(
                    method("shop.Benchmark.sell", 10, 100, false),
                    method("shop.Stock.load", 10, 100, false),
                    method("store.Stock.load", 10, 100, false),
                    method("shop.Small.used", 20_000, 0, false),
                    method("shop.Seldom.used", 10, 0, false))));
    assertThat(rows(result).keySet())
        .containsExactlyInAnyOrder(
            "kymo.calls:sell",
            "kymo.self:sell",
            "kymo.calls:shop.Stock.load",
            "kymo.self:shop.Stock.load",
            "kymo.calls:store.Stock.load",
            "kymo.self:store.Stock.load",
            "kymo.calls:Small.used",
            "kymo.self:Small.used",
            "kymo.stopped",
            "kymo.waiting");
  }

  @Test
  void whatIsMissingIsSaid() {
    KymoResult result = sum(1, fork(10, List.of(method("a.B.c", 10, 100, true))));
    assertThat(result.getScoreUnit()).isEqualTo("#/op at least");
    assertThat(result.extendedInfo()).contains("≥1.000");
    KymoResult nothing = new KymoResult(Profile.none("why"), "a.B", 5);
    assertThat(nothing.getDerivativeResults()).isEmpty();
    assertThat(nothing.extendedInfo()).isEqualToIgnoringNewLines("  why");
  }
}
