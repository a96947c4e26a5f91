package dev.kymo.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What threads did, and why they did not run. */
class ThreadUseTest {
  private static final int CALL = 1;
  private static final int START = 2;
  private static final int BLOCKED = 3;

  @TempDir Path directory;

  @Test
  void theKernelSaysWhyWhereTheProgramWaitedForNoTime() throws IOException {
    RecordingBuilder recording = new RecordingBuilder().process(1).thread(1, 1, "main");
    recording.states(1, 2, 1, "main");
    recording.define(1, new TracedThread(3, TracedThread.SCHEDULED, 1001, 2001, "main"));
    recording.method(1, CALL, "a.B", "run").method(1, START, "start", "");
    recording.method(1, BLOCKED, "blocked", "futex");
    recording.ring(1, 1, 1).enter(0, CALL).leave(1000, CALL);
    recording.ring(1, 2, 2).enter(10, START).leave(10, START);
    recording.ring(1, 3, 3).enter(100, BLOCKED).leave(900, BLOCKED);
    Path path = recording.write(directory.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      List<ThreadUse> uses = ThreadUse.of(timeline, 0, timeline.duration(), new Progress());
      assertThat(uses).hasSize(1);
      assertThat(uses.getFirst().waited()).isZero();
      assertThat(uses.getFirst().why())
          .extracting(part -> timeline.method(part.method()).name(), CausePart::time)
          .containsExactly(tuple("futex", 800L));
    }
  }
}
