package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.analysis.difference.Difference;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.reader.Recording;
import dev.kymo.server.difference.DifferenceJson;
import dev.kymo.server.difference.DifferencePage;
import dev.kymo.viewer.ViewerFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DifferencePageTest {
  @TempDir Path folder;

  @Test
  void hasItsDataAndAsksForNothing() throws IOException {
    assumeTrue(
        ViewerFiles.read("difference-page.html").isPresent(),
        "the viewer was not built (-Dviewer.skip)");
    Path old = written("old.kymo", ChangedProgram.old());
    Path changed = written("new.kymo", ChangedProgram.changed());
    Path page = folder.resolve("diff.html");
    try (Recording before = Recording.open(old);
        Recording after = Recording.open(changed)) {
      Difference difference =
          Difference.of(
              List.of(CallPass.open(before)), List.of(CallPass.open(after)), ProgressListener.NONE);
      DifferencePage.write(
          new DifferenceJson(difference, List.of("</script>old"), List.of("new")),
          json -> {
            json.writeArrayFieldStart("gate");
            json.writeEndArray();
          },
          page);
    }
    assertThat(Files.readString(page))
        .contains("3 more calls of a.App.write: 5 → 8")
        .contains("\\u003c/script>old")
        .contains("\"gate\":[]")
        .contains("default-src 'none'")
        .doesNotContain("</script>old")
        .doesNotContain("<!--differences-->");
  }

  private Path written(String name, ChangedProgram program) throws IOException {
    Path to = folder.resolve(name);
    try (Timeline timeline = program.open(to)) {
      assertThat(timeline.directory()).isPresent();
    }
    return to;
  }
}
