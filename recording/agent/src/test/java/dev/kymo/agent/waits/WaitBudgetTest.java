package dev.kymo.agent.waits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is given up for the budget is what cost too much. */
class WaitBudgetTest {
  private static final long PERIOD = 5_000_000_000L;
  private static final int BUDGET = 50_000;

  @Test
  void withinTheBudgetNothingIsTooMuch() {
    assertThat(WaitBudget.excess(250_000_000, PERIOD, 1_000_000, BUDGET)).isZero();
  }

  @Test
  void manyEventsAreTheReason() {
    assertThat(WaitBudget.excess(400_000_000, PERIOD, 100_000, BUDGET)).isEqualTo(80_000);
  }

  @Test
  void fewEventsAreNotTheReason() {
    assertThat(WaitBudget.excess(268_000_000, PERIOD, 170, BUDGET)).isZero();
  }
}
