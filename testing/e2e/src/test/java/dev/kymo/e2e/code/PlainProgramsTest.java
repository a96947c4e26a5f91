package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small part of {@link PlainModesTest}: programs that do unusual things do the same recorded. */
@Timeout(600)
class PlainProgramsTest {
  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @Test
  void programsDoAsTheyDoPlain() throws Exception {
    PlainPrograms programs = new PlainPrograms(folder);
    programs.manyCases("sandboxes", "descriptors", "self");
    programs.loading();
    PlainRun run = new PlainRun(folder, programs, "");
    run.plain();
    assertThat(run.recorded("default")).isEmpty();
  }
}
