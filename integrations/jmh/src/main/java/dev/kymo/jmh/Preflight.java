package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.Command;
import dev.kymo.embedded.EmbeddedAgent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.ProfilerException;

/** Finds out before minutes of benchmarks whether they can be recorded as is asked for. */
@Unrecorded
final class Preflight {
  private static final Set<List<String>> KEPT = new HashSet<>();

  private static @Nullable Path temporary;

  private Preflight() {}

  /**
   * Checks what a run would fail for.
   *
   * @throws ProfilerException if {@code kymo} is not installed, or the agent refuses an option; the
   *     message names it
   */
  static synchronized void check(ProfilerOptions options) throws ProfilerException {
    Path kymo = Command.find();
    if (kymo == null || !Files.isExecutable(kymo)) {
      throw new ProfilerException(
          kymo == null
              ? "kymo is needed to read recordings, and is not in PATH; install it, or set -D"
                  + Command.PROPERTY
                  + "=/path/to/kymo"
              : "kymo cannot be run: " + Command.PROPERTY + "=" + kymo);
    }
    // The agent itself knows its options best.
    if (options.given().isEmpty() || KEPT.contains(options.given())) {
      return;
    }
    try {
      Path recording = agent().resolveSibling("check.kymo");
      Process process =
          new ProcessBuilder(
                  "env",
                  "-u",
                  "JAVA_TOOL_OPTIONS",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-javaagent:" + agent() + "=" + options.agent(recording),
                  "-version")
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new ProfilerException(said.strip());
      }
      delete(recording);
      KEPT.add(options.given());
    } catch (IOException e) {
      throw new ProfilerException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProfilerException(e);
    }
  }

  /** The agent, in a folder that is there as long as this virtual machine. */
  static synchronized Path agent() throws IOException {
    Path folder = temporary;
    if (folder == null) {
      folder = Files.createTempDirectory("kymo-jmh-");
      Path made = folder;
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made), "kymo-jmh"));
      temporary = folder;
      return EmbeddedAgent.copy(folder);
    }
    return folder.resolve(EmbeddedAgent.NAME);
  }

  private static void delete(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    } catch (IOException e) {
      // What is left lies among temporary files.
    }
  }
}
