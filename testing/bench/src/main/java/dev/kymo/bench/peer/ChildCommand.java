package dev.kymo.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs other programs and keeps their output. */
public final class ChildCommand {
  private static final long PATIENCE_SECONDS = 120;

  private ChildCommand() {}

  /** Standard output of a command. */
  public static String run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    return run(folder, Map.of(), command);
  }

  /**
   * Standard output of a command.
   *
   * @throws IOException if it fails, with the last line of its standard error
   */
  static String run(Path folder, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new IOException(
            "does not end: command=%s seconds=%d"
                .formatted(String.join(" ", command), PATIENCE_SECONDS));
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "failed: command=%s exit=%d error=\"%s\""
                .formatted(
                    String.join(" ", command),
                    process.exitValue(),
                    Files.readString(err).strip().lines().reduce("", (a, b) -> b)));
      }
      return Files.readString(out).strip();
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Size of the files below a folder. */
  static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
    }
  }

  /** Deletes a folder with everything in it. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    }
  }
}
