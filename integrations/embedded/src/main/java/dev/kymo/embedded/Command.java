package dev.kymo.embedded;

import dev.kymo.api.Unrecorded;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the installed {@code kymo}, which reads recordings, with a Java of its own. */
@Unrecorded
public final class Command {
  /** Names the program, where it is not found in {@code PATH}. */
  public static final String PROPERTY = "kymo.command";

  /** Exit code if a rule is violated. */
  public static final int VIOLATED = 3;

  /** Exit code if the arguments are wrong. */
  public static final int USAGE = 2;

  private Command() {}

  /**
   * What it said.
   *
   * @param exit its exit code
   * @param out its standard output
   * @param err its standard error
   */
  @Unrecorded
  public record Result(int exit, String out, String err) {
    /** Returns all of it, for people. */
    public String text() {
      return (out + err).strip();
    }
  }

  /** The program; null if it is not installed. */
  public static @Nullable Path find() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return Path.of(given);
    }
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, "kymo");
      if (Files.isExecutable(file)) {
        return file;
      }
    }
    return null;
  }

  /**
   * Runs it, and waits for its end.
   *
   * @throws IllegalStateException if it cannot be run
   */
  public static Result run(List<String> arguments) {
    Path program = find();
    if (program == null) {
      throw new IllegalStateException(
          "kymo is needed to read a recording, and is not in PATH; install it, or set -D"
              + PROPERTY
              + "=/path/to/kymo");
    }
    // Else it would be recorded, as other Java programs are that the test starts.
    List<String> words = new ArrayList<>(List.of("env", "-u", "JAVA_TOOL_OPTIONS"));
    words.add(program.toString());
    words.addAll(arguments);
    try {
      Path err = Files.createTempFile("kymo-", ".txt");
      try {
        Process process = new ProcessBuilder(words).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out, Files.readString(err));
      } finally {
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new IllegalStateException("kymo cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while kymo ran", e);
    }
  }
}
