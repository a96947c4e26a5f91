package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs jcstress, which starts a virtual machine for each of its tests. */
class StressTest {
  /** {@link StressedRing} has memory for a few times as many rings. */
  private static final List<String> STATES = List.of("-strideSize", "128", "-strideCount", "4");

  @TempDir Path folder;

  @Test
  void nothingForbiddenIsSeenInAFewSeconds() throws Exception {
    assertThat(run("-f", "1", "-iters", "1", "-time", "300")).contains("Failed tests: No matches");
  }

  @Test
  @Tag("long")
  void nothingForbiddenIsSeenInMinutes() throws Exception {
    assertThat(run("-f", "2", "-iters", "10", "-time", "1000"))
        .contains("Failed tests: No matches");
  }

  private String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-af", "NONE", "-sc", "false", "-r", folder.toString()));
    command.addAll(List.of("-jvmArgs", "-XX:+UseSerialGC -Xmx256m -XX:MaxDirectMemorySize=256m"));
    command.addAll(STATES);
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
