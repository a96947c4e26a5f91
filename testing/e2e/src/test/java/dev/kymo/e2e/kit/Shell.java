package dev.kymo.e2e.kit;

import dev.kymo.testkit.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs a bash script twice, with its command {@code "${run[@]}"} once as it is and once recorded,
 * as {@code ./kymo} starts it.
 */
public final class Shell {
  private static final Path CONFIG = SourceTree.path("config").toAbsolutePath().normalize();

  private final Path folder;

  public Shell(Path folder) {
    this.folder = folder;
  }

  /** The results of both runs; Kymo's own messages are left out of standard error. */
  public record Both(Kymo.Result plain, Kymo.Result recorded) {}

  /**
   * Runs a script both ways, each time in the same folder, empty at first.
   *
   * @param environment additional variables for bash
   * @param options of {@code kymo record}
   */
  public Both both(Map<String, String> environment, String script, String... options)
      throws Exception {
    Path work = folder.resolve("work");
    Files.createDirectory(work);
    Kymo.Result plain = script(work, environment, "run=()\n" + script);
    Files.move(work, folder.resolve("plain"));
    Files.createDirectory(work);
    String run =
        "run=(%s record -q -o %s %s --)\n"
            .formatted(kymo(), folder.resolve("run.kymo"), String.join(" ", options));
    Kymo.Result recorded = script(work, environment, run + script);
    String err = recorded.err().replaceAll("(?m)^kymo: nothing recorded: .*\n", "");
    return new Both(plain, new Kymo.Result(recorded.exit(), recorded.out(), err));
  }

  /** A script as it is. */
  public Kymo.Result script(Path directory, Map<String, String> environment, String script)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(List.of("bash", "-c", script)).directory(directory.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    return Kymo.finish(builder.start(), "");
  }

  /** Variables with which {@code kymo} and {@code java} are in the path, and nothing is kept. */
  public Map<String, String> variables() throws Exception {
    String path =
        "%s:%s:%s"
            .formatted(kymo().getParent(), Jdk.running().java().getParent(), System.getenv("PATH"));
    return Map.of("PATH", path, "XDG_CACHE_HOME", folder.resolve("cache").toString());
  }

  /** The command that {@code ./kymo} runs once everything is built. */
  public Path kymo() throws Exception {
    Path kymo = folder.resolve("kymo");
    if (!Files.exists(kymo)) {
      Files.writeString(
          kymo,
          """
          #!/usr/bin/env bash
          set -eu
          . "%1$s/launch.sh"
          . "%1$s/options.sh"
          open_standard_files
          start "%2$s" "%3$s" "$@"
          """
              .formatted(CONFIG, Jdk.running().java(), Kymo.INSTALLATION));
      if (!kymo.toFile().setExecutable(true)) {
        throw new AssertionError("cannot be made executable: " + kymo);
      }
    }
    return kymo;
  }
}
