package dev.kymo.session.run;

import dev.kymo.model.index.Scratch;
import dev.kymo.session.system.PrintedBytes;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Standard output in place of a recording: a process prints a temporary one while it is written,
 * and gives back the space of what it has printed. It is a process of its own because a reader
 * would end the recorder's lock on the recording.
 */
public final class Console implements AutoCloseable {
  /** Most bytes that are not printed yet, if the user does not say it. */
  private static final long USUAL_SIZE = 256L << 20;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The terminal sends its signals to all of them, but the recorder decides when it is over. */
  private static final String WITHOUT_SIGNALS = "trap '' INT HUP TERM QUIT; exec \"$@\"";

  private final Scratch scratch;
  private final List<String> words;
  private final long most;
  private final Thread removal = new Thread(this::remove);
  private @Nullable Process process;
  private @Nullable PrintedBytes printed;
  private long bytes;
  private long looked = System.nanoTime() - LOOK_NANOS;

  private Console(Scratch scratch, List<String> words, long most) {
    this.scratch = scratch;
    this.words = words;
    this.most = most;
  }

  /**
   * Makes a place for the temporary recording.
   *
   * @param words options of {@code kymo print}
   * @param most bytes that may be there and are not printed yet; null = as usual, 0 = any
   */
  public static Console make(List<String> words, @Nullable Long most) throws IOException {
    long size = most == null ? USUAL_SIZE : most == 0 ? Long.MAX_VALUE : most;
    Console console = new Console(Scratch.make("console"), words, size);
    Runtime.getRuntime().addShutdownHook(console.removal);
    return console;
  }

  /** The temporary recording. */
  public Path recording() {
    return scratch.path().resolve("run.kymo");
  }

  /** Begins to print; the recording has its metadata. */
  void start() throws IOException {
    printed = new PrintedBytes(recording());
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WITHOUT_SIGNALS, "kymo"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-Xmx220m"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.kymo.cli.Main", "print", "--follow", "--spooled"));
    command.addAll(words);
    command.add(recording().toString());
    Process begun =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.INHERIT)
            .redirectError(Redirect.INHERIT)
            .start();
    begun.getOutputStream().close();
    process = begun;
  }

  /** Whether no more may be written before more has been printed. */
  boolean isFull(long written) {
    long now = System.nanoTime();
    PrintedBytes from = printed;
    if (from != null && now - looked >= LOOK_NANOS) {
      looked = now;
      try {
        bytes = from.read();
      } catch (IOException e) {
        // what was printed before still holds
      }
    }
    return written - bytes >= most && !isOver();
  }

  /** Whether nothing is printed any more, because nobody reads it or it cannot be written. */
  boolean isOver() {
    return process != null && !process.isAlive();
  }

  /** Waits until all of it is printed; the recording is complete. */
  void await() throws InterruptedException {
    if (process != null) {
      process.waitFor();
    }
  }

  private void remove() {
    try {
      if (process != null) {
        process.destroyForcibly();
      }
      if (Files.exists(scratch.path())) {
        Scratch.delete(scratch.path());
      }
    } catch (IOException e) {
      // a later command removes it
    }
  }

  /** Removes the recording. */
  @Override
  public void close() throws IOException {
    if (printed != null) {
      printed.close();
    }
    if (process != null) {
      process.destroyForcibly(); // it has ended, unless something failed
    }
    scratch.close();
  }
}
