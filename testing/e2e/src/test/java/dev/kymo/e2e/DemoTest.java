package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the first thing that a new user sees. */
class DemoTest {
  @Test
  void theShopIsRecordedAndShown(@TempDir Path folder) throws Exception {
    Map<String, String> keepsItsFilesHere =
        Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder);
    try (Viewing viewing = Viewing.by(keepsItsFilesHere, "demo", "--no-browser")) {
      assertThat(viewing.ask("api/recording")).contains("\"tracks\"");
      assertThat(viewing.ask("api/methods?ids=1")).contains("dev.kymo.demo");
    }
  }
}
