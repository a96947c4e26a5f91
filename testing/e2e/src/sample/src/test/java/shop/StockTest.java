package shop;

import static dev.kymo.junit.KymoAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.kymo.junit.Recorded;
import dev.kymo.junit.Recording;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockTest {
  private final Stock stock = new Stock();

  private void askOften() {
    for (int i = 0; i < 30; i++) {
      stock.count("ware" + i % 3);
    }
  }

  @Test
  @Recorded
  void loadsEachWareOnce(Recording recording) {
    askOften();
    assertThat(recording)
        .calls("shop.Stock.load")
        .isExactly(3)
        .calls("shop.Stock.count")
        .isAtLeast(30)
        .hasNoWaitForMonitorOver(Duration.ofSeconds(100));
  }

  @Test
  @Recorded(onFailure = true)
  void loadsTooOften(Recording recording) {
    askOften();
    assertThat(recording).calls("shop.Stock.load").isAtMost(2);
  }

  @Test
  @Recorded(onFailure = true, rules = "calls of shop.Stock.load at most 3")
  void keepsItsRule() {
    askOften();
  }

  @Test
  @Recorded(rules = {"no call of shop.Stock.load over 1 us", "calls of shop.Stock.load below 3"})
  void breaksBothItsRules() {
    askOften();
  }

  /** The first assertion itself takes longer, but that comes after what it judges. */
  @Test
  @Recorded
  void waitsForSomebody(Recording recording) throws InterruptedException {
    Thread other = new Thread(() -> stock.tidy(() -> stock.load("x")));
    Thread.sleep(1);
    other.start();
    other.join();
    assertThat(recording).hasNoWaitOver(Duration.ofSeconds(2)).hasNoWaitOver(Duration.ofMillis(1));
  }

  /** What it does after an assertion that it expects to fail is judged, too. */
  @Test
  @Recorded(rules = "calls of shop.Stock.count at most 30")
  void goesOnAfterAViolation(Recording recording) {
    askOften();
    assertThrows(
        AssertionError.class, () -> assertThat(recording).calls("shop.Stock.load").isAtMost(2));
    askOften();
  }

  @Test
  void isNotRecorded() {
    askOften();
  }

  @Nested
  @Recorded(onFailure = true)
  class Many {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void countsLetters(int length) {
      assertEquals(length, stock.count("ab".substring(0, Math.min(2, length))));
    }
  }

  @Test
  @Recorded
  void saysWhatIsNoRule(Recording recording) {
    assertThat(recording).keeps("no such thing");
  }
}
