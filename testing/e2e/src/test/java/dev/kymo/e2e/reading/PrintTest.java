package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints what a real program recorded, as a table. */
class PrintTest {
  @TempDir Path folder;

  @Test
  void objectsAreCalledWhatTheProgramCallsThem() throws Exception {
    Path recording = folder.resolve("names.kymo");
    Kymo.run(
        "record",
        "-q",
        "--budget",
        "none",
        "--include",
        "Names",
        "-o",
        recording.toString(),
        "--",
        Jdk.running().java().toString(),
        "-cp",
        Programs.CLASSES + ":" + Programs.API,
        "Names");
    Kymo.Result table =
        Kymo.run("print", "--format", "table", "--event", "app.*", recording.toString());
    assertThat(table.err()).isEmpty();
    List<String> lines = table.out().lines().toList();
    assertThat(lines).hasSize(1 + 3);
    assertThat(lines.get(1))
        .containsPattern("main +app\\.queue +value=\\d+ +Names\\.put\\(Names\\.java:8\\)$");
    assertThat(lines.get(2))
        .containsPattern("main +app\\.queue +value=order queue +Names\\.put\\(");
    assertThat(lines.get(3))
        .containsPattern("billing +app\\.queue +value=order queue +Names\\.put\\(");
  }
}
