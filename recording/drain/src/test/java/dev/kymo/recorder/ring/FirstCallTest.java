package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.RecorderWork;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread's first call is often the one that lasts: it has its place among the calls too, or its
 * class is woven anew although it is a loop.
 */
class FirstCallTest {
  private static final int FIRST = 1010;
  private static final int SECOND = 1011;

  @TempDir Path folder;

  @Test
  void theFirstCallOfAThreadHasAPlace() throws Exception {
    OwnRecording recording =
        new OwnRecording(folder, Session.Methods.DEFAULT.withBudget(1_000_000_000));
    recording.record((drainer, recorder) -> {
      int[] places = new int[2];
      Thread thread =
          new Thread(() -> {
            long first = Probe.enter(FIRST);
            RecorderWork.end(Probe.beginUnrecorded()); // as when a class is loaded
            long second = Probe.enter(SECOND);
            places[0] = Probe.place(first);
            places[1] = Probe.place(second);
            Probe.leave(SECOND, second);
            Probe.leave(FIRST, first);
          });
      thread.start();
      thread.join();
      assertThat(places).containsExactly(0, 1);
    });
  }
}
