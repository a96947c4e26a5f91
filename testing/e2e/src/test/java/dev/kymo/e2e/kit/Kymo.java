package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Main;
import dev.kymo.drain.SharedMemory;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.watch.HangingPrograms;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the installed kymo, and other commands, as child processes. Commands that only read a
 * recording run in this process: each start of a virtual machine costs more than they do.
 */
public final class Kymo {
  public static final Path INSTALLATION =
      SourceTree.path("cli/target/kymo").toAbsolutePath().normalize();
  public static final Path AGENT = INSTALLATION.resolve("agent/kymo-agent.jar");
  private static final long PATIENCE_SECONDS = 600;

  /** Commands that read a recording, and start nothing. */
  private static final Set<String> READING =
      Set.of("info", "report", "print", "replay", "why", "export", "diff", "slice", "merge");

  private Kymo() {}

  /** The result of a command. */
  public record Result(int exit, String out, String err) {}

  /** Runs kymo with these arguments. */
  public static Result run(String... arguments) throws IOException, InterruptedException {
    return READING.contains(arguments[0])
        ? runHere(arguments)
        : runIn(Path.of("."), Map.of(), "", arguments);
  }

  private static Result runHere(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = Main.run(arguments, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Result(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  public static Result runIn(
      Path directory, Map<String, String> environment, String input, String... arguments)
      throws IOException, InterruptedException {
    return finish(start(directory, environment, arguments), input);
  }

  public static Process start(Path directory, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = command(arguments);
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
  public static Result exec(Path directory, String... command)
      throws IOException, InterruptedException {
    return finish(new ProcessBuilder(command).directory(directory.toFile()).start(), "");
  }

  /** Sends a signal, such as {@code STOP}. */
  public static void signal(Process process, String name) throws IOException, InterruptedException {
    Result result = exec(Path.of("/"), "kill", "-" + name, Long.toString(process.pid()));
    if (result.exit() != 0) {
      throw new IOException(result.err());
    }
  }

  /** Waits for a file that a process makes; fails if the process ends before. */
  public static void awaitFile(Path file, Process by) throws InterruptedException {
    while (!Files.exists(file)) {
      assertThat(by.isAlive()).as("has ended without %s", file).isTrue();
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** Its result; if it does not end, it is killed, and the error says what it waited for. */
  public static Result finish(Process process, String input)
      throws IOException, InterruptedException {
    CompletableFuture<String> out = read(process.getInputStream());
    CompletableFuture<String> err = read(process.getErrorStream());
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // it did not read its input
    }
    try {
      // Its children may have its output, and go on.
      CompletableFuture.allOf(out, err).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return new Result(process.exitValue(), out.join(), err.join());
      }
    } catch (TimeoutException e) {
      // as if it had closed its output and not ended
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
    throw new AssertionError("does not end: " + HangingPrograms.end(process.toHandle()));
  }

  private static CompletableFuture<String> read(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
          } catch (IOException e) {
            text.completeExceptionally(e);
          }
        });
    return text;
  }

  /** Shared memory of recordings in a folder; others may be recording at the same time. */
  public static List<Path> sharedMemory(Path folder) throws IOException {
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

  /** The words before kymo's own arguments. */
  public static List<String> command() throws IOException {
    return command("record");
  }

  /** The words before kymo's own arguments, as {@code ./kymo} has them for these arguments. */
  public static List<String> command(String... arguments) throws IOException {
    if (!Files.isRegularFile(AGENT)) {
      throw new AssertionError("not installed, build module cli first: missing=" + AGENT);
    }
    String script =
        """
        . "%s"
        launch() { printf '%%s\\0' "${@:1:$#-1}"; } # without the command itself
        start "$@"
        """
            .formatted(SourceTree.path("config/options.sh"));
    List<String> shell = new ArrayList<>(List.of("bash", "-c", script, "kymo"));
    shell.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    shell.add(INSTALLATION.toString());
    shell.add(arguments[0]);
    Process process = new ProcessBuilder(shell).start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ArrayList<>(List.of(words.split("\0")));
  }
}
