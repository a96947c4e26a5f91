package dev.kymo.session.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Builds the index in a separate process with the lowest priority, which uses only idle time, while
 * a recording is written or when it is complete. A small recording needs no index, because it is
 * read quickly.
 */
final class Indexer {
  /** A smaller recording is indexed in half a second when it is viewed. */
  private static final long START_AT_BYTES = 128 << 20;

  private static final long PATIENCE_SECONDS = 10;
  private static final Path NICE = Path.of("/usr/bin/nice");

  private final Path recording;
  private final boolean comesLast;
  private final Runnable prepare;
  private @Nullable Process process;
  private boolean tried;

  /**
   * Starts nothing yet.
   *
   * @param comesLast whether all others have the processors first: a program is recorded, and
   *     nobody waits yet
   * @param prepare runs first
   */
  Indexer(Path recording, boolean comesLast, Runnable prepare) {
    this.recording = recording;
    this.comesLast = comesLast;
    this.prepare = prepare;
  }

  /**
   * Must be called regularly during the recording; starts when it is time.
   *
   * @param bytes that the recording has
   * @return whether it has been started now
   */
  boolean goOn(long bytes) {
    if (tried || bytes <= START_AT_BYTES) {
      return false;
    }
    tried = true;
    prepare.run();
    try {
      process =
          new ProcessBuilder(command())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return true;
    } catch (IOException e) {
      return false; // then `kymo view` makes it
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    if (comesLast && NICE.toFile().canExecute()) {
      command.addAll(List.of(NICE.toString(), "-n", "19"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-Xmx220m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.kymo.cli.Main", "index", "--without-totals"));
    command.add(recording.toString());
    return command;
  }

  /** Waits for all of it: the recording is complete already. */
  void complete() {
    Process running = process;
    if (running != null) {
      try {
        running.waitFor();
      } catch (InterruptedException e) {
        running.destroy();
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits for the rest, once everything is in the recording; leaves a large rest to the viewer of
   * the recording.
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
