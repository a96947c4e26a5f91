package dev.kymo.model.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Temporary directories of processes that live, and that were killed. */
class ScratchTest {
  @Test
  void whatAKilledProcessLeftIsRemoved() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.kymo.model.index.ScratchTest")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path left = Path.of(process.inputReader().readLine());
    Scratch.sweep();
    assertThat(left.resolve("file")).as("it is in use").exists();
    process.destroyForcibly();
    assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
    Scratch.sweep();
    assertThat(left).doesNotExist();
  }

  @Test
  void ownDirectoriesStay() throws Exception {
    Path path;
    try (Scratch scratch = Scratch.make("test")) {
      path = scratch.path();
      Files.writeString(path.resolve("file"), "text");
      Scratch.sweep();
      assertThat(path.resolve("file")).exists();
    }
    assertThat(path).doesNotExist();
  }

  /** Makes one, says where, and waits to be killed. */
  public static void main(String[] arguments) throws Exception {
    Path path = Scratch.make("test").path();
    Files.writeString(path.resolve("file"), "text");
    System.out.println(path);
    TimeUnit.MINUTES.sleep(5);
  }
}
