package dev.kymo.e2e;

import dev.kymo.drain.SharedMemory;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the installed kymo, and other commands, as child processes. */
final class Kymo {
  static final Path INSTALLATION = SourceTree.path("cli/target/kymo").toAbsolutePath().normalize();
  static final Path AGENT = INSTALLATION.resolve("agent/kymo-agent.jar");
  private static final long PATIENCE_SECONDS = 180;

  private Kymo() {}

  /** The result of a command. */
  record Result(int exit, String out, String err) {}

  /** Runs kymo with these arguments. */
  static Result run(String... arguments) throws IOException, InterruptedException {
    return runIn(Path.of("."), Map.of(), "", arguments);
  }

  static Result runIn(
      Path directory, Map<String, String> environment, String input, String... arguments)
      throws IOException, InterruptedException {
    return finish(start(directory, environment, arguments), input);
  }

  static Process start(Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = command();
    command.addAll(Arrays.asList(arguments));
    // Tests need every call as events, unless they are about the budget.
    if (arguments[0].equals("record") && !command.contains("--budget")) {
      command.addAll(command.indexOf("record") + 1, List.of("--budget", "none"));
    } else if (arguments[0].equals("record") && !environment.containsKey("XDG_CACHE_HOME")) {
      command.add(command.indexOf("record") + 1, "--no-memory");
    }
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Runs any command. */
  static Result exec(Path directory, String... command) throws IOException, InterruptedException {
    return finish(new ProcessBuilder(command).directory(directory.toFile()).start(), "");
  }

  /** Sends a signal, such as {@code STOP}. */
  static void signal(Process process, String name) throws IOException, InterruptedException {
    Result result = exec(Path.of("/"), "kill", "-" + name, Long.toString(process.pid()));
    if (result.exit() != 0) {
      throw new IOException(result.err());
    }
  }

  static Result finish(Process process, String input) throws IOException, InterruptedException {
    StringBuilder err = new StringBuilder();
    Thread reader =
        Thread.ofPlatform()
            .start(() -> {
              try {
                byte[] bytes = process.getErrorStream().readAllBytes();
                err.append(new String(bytes, StandardCharsets.UTF_8));
              } catch (IOException e) {
                err.append(e);
              }
            });
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // it did not read its input
    }
    byte[] out = process.getInputStream().readAllBytes();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end: " + process.info());
    }
    reader.join();
    return new Result(process.exitValue(), new String(out, StandardCharsets.UTF_8), err.toString());
  }

  /** Shared memory of recordings in a folder; others may be recording at the same time. */
  static List<Path> sharedMemory(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path own : SharedMemory.existing()) {
      try (var files = Files.newDirectoryStream(own)) {
        for (Path directory : files) {
          Path session = directory.resolve("session");
          if (Files.exists(session) && Files.readString(session).contains(folder.toString())) {
            found.add(directory);
          }
        }
      }
    }
    return found;
  }

  /** The arguments before kymo's own. */
  static List<String> command() {
    if (!Files.isRegularFile(AGENT)) {
      throw new AssertionError("not installed, build module cli first: missing=" + AGENT);
    }
    return new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            INSTALLATION.resolve("lib") + "/*",
            "dev.kymo.cli.Main"));
  }
}
