package dev.kymo.exporters.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs that read what was exported. */
public final class Tools {
  private Tools() {}

  /** Skips the test by name if the program is not installed. */
  public static void assume(String program, String debianPackage) {
    boolean there =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    Assumptions.assumeTrue(
        there, program + " is not installed; Debian has it in package " + debianPackage);
  }

  /** What a program writes, errors included; it must succeed. */
  public static String run(Path input, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectInput(input.toFile()).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.onExit().join().exitValue();
    if (code != 0) {
      throw new AssertionError(command + " ended with " + code + ": " + text);
    }
    return text;
  }
}
