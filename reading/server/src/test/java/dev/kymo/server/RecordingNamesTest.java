package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.KernelProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of one name are told apart by the folders that they are in. */
class RecordingNamesTest {
  @TempDir Path folder;

  private List<String> names(String... paths) throws IOException {
    List<Timeline> timelines = new ArrayList<>();
    try {
      for (String path : paths) {
        Path recording = folder.resolve(path);
        Files.createDirectories(recording.getParent());
        KernelProgram.recording().write(recording);
        timelines.add(Timelines.follow(recording, ProgressListener.NONE));
      }
      return RecordingNames.of(timelines);
    } finally {
      timelines.forEach(Timeline::close);
    }
  }

  @Test
  void asManyFoldersAsMakeThemDiffer() throws IOException {
    assertThat(names("a/run.kymo", "b/run.kymo", "b/other.kymo"))
        .containsExactly("a/run.kymo", "b/run.kymo", "other.kymo");
    assertThat(names("c/x/run.kymo", "d/x/run.kymo"))
        .containsExactly("c/x/run.kymo", "d/x/run.kymo");
  }
}
