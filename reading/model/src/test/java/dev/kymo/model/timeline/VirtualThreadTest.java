package dev.kymo.model.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualThreadTest {
  @TempDir Path folder;

  /** Nobody else recorded on the first carrier while the thread was on the second. */
  @Test
  void comesBackToACarrierThatWasIdleMeanwhile() throws Exception {
    RecordingBuilder recording = new RecordingBuilder();
    recording
        .process(1)
        .thread(1, 7, "guest")
        .method(1, 1, "a.B", "outer")
        .method(1, 2, "a.B", "x");
    StreamWriter first = recording.ring(1, 0, 7).enter(100, 1).enter(110, 2);
    recording.ring(1, 1, 7).leave(120, 2).enter(130, 2);
    first.switchTo(140, 7).leave(140, 2).leave(150, 1);
    try (Timeline timeline =
        Timelines.open(recording.write(folder.resolve("run.kymo")), ProgressListener.NONE)) {
      assertThat(timeline.oddities()).isEmpty();
      List<String> calls = new ArrayList<>();
      timeline.slices(
          0,
          0,
          1000,
          0,
          (depth, method, begin, end, count, flags) ->
              calls.add(depth + " " + begin + "-" + end + " " + flags));
      assertThat(calls).containsExactly("0 0-50 0", "1 10-20 0", "1 30-40 0");
    }
  }
}
