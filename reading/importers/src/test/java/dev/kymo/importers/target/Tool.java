package dev.kymo.importers.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Another tracer's program, which may not be installed. */
public final class Tool {
  private Tool() {}

  /** Skips the test if a program is missing. */
  public static void assume(String program) {
    boolean installed =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(installed, "skipped: %s is not installed, it was not asked".formatted(program));
  }

  /** Runs a program; says whether it ended with status 0. Its output goes into a file. */
  public static boolean run(Path output, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(output.toFile())
            .start();
    return process.waitFor() == 0;
  }

  /** The lines that a program writes, which has to end with status 0. */
  public static List<String> lines(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    return text.lines().toList();
  }
}
