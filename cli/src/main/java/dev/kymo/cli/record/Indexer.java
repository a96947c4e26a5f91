package dev.kymo.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the index while a recording is written, in a process of its own with the lowest priority:
 * it takes the time that nobody else wants. A small recording needs none, it is read in no time.
 */
final class Indexer {
  /** What is smaller is indexed in half a second when somebody looks at it. */
  private static final long START_AT_BYTES = 128 << 20;

  private static final long PATIENCE_SECONDS = 10;
  private static final Path NICE = Path.of("/usr/bin/nice");

  private final Path recording;
  private final Runnable prepare;
  private @Nullable Process process;
  private boolean tried;

  /**
   * Starts nothing yet.
   *
   * @param prepare what is to be done before
   */
  Indexer(Path recording, Runnable prepare) {
    this.recording = recording;
    this.prepare = prepare;
  }

  /**
   * To be called now and then while the recording goes on; starts when it is time.
   *
   * @param bytes that the recording has
   */
  void goOn(long bytes) {
    if (!tried && bytes > START_AT_BYTES) {
      tried = true;
      prepare.run();
      try {
        process =
            new ProcessBuilder(command())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
      } catch (IOException e) {
        // Then `kymo view` makes it.
      }
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    if (NICE.toFile().canExecute()) {
      command.addAll(List.of(NICE.toString(), "-n", "19"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-Xmx220m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.kymo.cli.Main", "index", "--without-totals"));
    command.add(recording.toString());
    return command;
  }

  /**
   * Waits for the rest, once everything is in the recording; if there is much of it, leaves it to
   * who looks at the recording.
   */
  void finish() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        running.destroy();
        running.waitFor();
      }
    } catch (InterruptedException e) {
      running.destroy();
      Thread.currentThread().interrupt();
    }
  }
}
