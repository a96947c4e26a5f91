package dev.kymo.e2e.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Viewing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the first thing that a new user sees. */
class DemoTest {
  @Test
  void theShopIsRecordedAndShown(@TempDir Path folder) throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path cache = folder.resolve("cache");
    Path demos = cache.resolve("kymo/demo");
    Path earlier = Files.createDirectories(demos.resolve("shop-999999999.kymo"));
    Path shown = Files.createDirectories(demos.resolve("shop-1.kymo"));
    Map<String, String> environment =
        Map.of(
            "JDK_JAVA_OPTIONS",
            "-Djava.io.tmpdir=" + temporary,
            "XDG_CACHE_HOME",
            cache.toString(),
            "USER",
            "ann",
            "SSH_CONNECTION",
            "192.0.2.1 54321 192.0.2.7 22");
    try (Viewing viewing = Viewing.by(environment, "demo", "--no-browser")) {
      assertThat(viewing.ask("api/recording")).contains("\"tracks\"");
      assertThat(viewing.ask("api/methods?ids=1")).contains("dev.kymo.demo");
      assertThat(viewing.line()).contains("ssh -N -L ").endsWith(" ann@192.0.2.7");
    }
    assertThat(earlier).doesNotExist();
    assertThat(shown).exists();
    try (var left = Files.list(demos)) {
      assertThat(left).hasSize(2);
    }
    try (var left = Files.list(temporary)) {
      assertThat(left.map(Path::getFileName).map(Path::toString).toList()).isEqualTo(List.of());
    }
  }
}
