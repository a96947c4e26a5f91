package dev.kymo.analysis.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.model.calls.ProgressListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class SidesProgressTest {
  @Test
  void addsBothSidesUp() {
    List<String> told = new ArrayList<>();
    SidesProgress both = new SidesProgress((done, total) -> told.add(done + "/" + total));
    both.of(Side.BASE).progress(10, 100);
    both.of(Side.NEW).progress(5, 50);
    both.of(Side.BASE).progress(20, 100);
    assertThat(told).containsExactly("10/100", "15/150", "25/150");
  }

  /** Whichever side hears it: the reason is that of the listener. */
  @Test
  void whatEndsOneSideEndsTheOtherForTheSameReason() {
    for (Side heard : Side.values()) {
      ProgressListener tired =
          (done, total) -> {
            throw new CancellationException("cancelled");
          };
      SidesProgress both = new SidesProgress(tired);
      assertThatThrownBy(() -> both.of(heard).progress(1, 2)).hasMessage("cancelled");
      for (Side side : Side.values()) {
        assertThatThrownBy(() -> both.of(side).progress(1, 2)).hasMessage("cancelled");
      }
      both.giveUp();
      assertThatThrownBy(() -> both.of(heard).progress(1, 2)).hasMessage("cancelled");
    }
  }

  @Test
  void aSideThatFailsEndsTheOther() {
    SidesProgress both = new SidesProgress(ProgressListener.NONE);
    both.of(Side.NEW).progress(1, 2);
    both.giveUp();
    assertThatThrownBy(() -> both.of(Side.NEW).progress(2, 2))
        .isInstanceOf(CancellationException.class);
  }
}
