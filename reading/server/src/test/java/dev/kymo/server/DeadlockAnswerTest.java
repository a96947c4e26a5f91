package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two threads each of which has what the other one waits for, until the end. */
class DeadlockAnswerTest {
  private static final int MONITOR = 7;

  @TempDir Path folder;

  @Test
  void tellsWhoWaitsForWhom() throws Exception {
    RecordingBuilder recording = new RecordingBuilder().process(1);
    recording.method(1, MONITOR, "monitor", "a.Lock");
    for (int thread = 1; thread <= 2; thread++) {
      recording.thread(1, thread, "t" + thread).states(1, 10 + thread, thread, "t" + thread);
      recording
          .ring(1, 10 + thread, 10 + thread)
          .enter(100L * thread, MONITOR)
          .detail(1000, 0xa0 + thread, 10 + 3 - thread);
    }
    Path written = recording.write(folder.resolve("r.kymo"));
    try (Timeline timeline = Timelines.open(written, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        Asker asker = new Asker(server.uri())) {
      String answer = asker.ask("/api/locks").body();
      assertThat(answer)
          .contains("\"values\":[\"monitor a.Lock@a1\",\"monitor a.Lock@a2\"]}")
          .contains("\"meaning\":\"threads that waited at the end\",\"values\":[1,1]}")
          .endsWith(
              """
              "cycles":[{"happened":true,"track":[1,0],\
              "held":["monitor a.Lock@a1","monitor a.Lock@a2"],\
              "wanted":["monitor a.Lock@a2","monitor a.Lock@a1"],"time":["100","0"]}]}\
              """);
    }
  }
}
