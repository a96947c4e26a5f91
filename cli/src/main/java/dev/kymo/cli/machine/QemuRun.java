package dev.kymo.cli.machine;

import dev.kymo.cli.system.Signals;
import dev.kymo.cli.system.SystemCalls;
import dev.kymo.cli.terminal.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Runs a machine in QEMU until it ends, a signal ends it, or it makes no progress. */
final class QemuRun {
  private static final long LOOK_MILLIS = 200;
  private static final long PATIENCE_SECONDS = 5;

  private final MachineHome home;
  private final Path console;
  private final long patience;

  /**
   * How a machine ended.
   *
   * @param status of the program, as the system encodes it; empty if the machine ended before
   * @param signal that ended the machine; 0 = none
   * @param failure why; null if nothing is known
   */
  record Outcome(OptionalInt status, int signal, @Nullable String failure) {}

  /**
   * A run.
   *
   * @param console file that gets what the kernel says
   * @param patience seconds without output after which QEMU is ended; 0 = any
   */
  QemuRun(MachineHome home, Path console, long patience) {
    this.home = home;
    this.console = console;
    this.patience = patience;
  }

  /**
   * Runs it.
   *
   * @param words QEMU's arguments for a pipe of messages and a file of memory
   */
  Outcome run(BiFunction<Path, Path, List<String>> words, GuestMessages.Receiver receiver)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("kymo-machine-");
    try {
      Path pipe = folder.resolve("messages");
      SystemCalls.makePipe(pipe);
      Path memory = SystemCalls.memoryFile("kymo-machine");
      GuestMessages messages = new GuestMessages(pipe, memory, receiver);
      return run(words.apply(pipe, memory), messages, folder.resolve("errors"));
    } finally {
      OutputFile.delete(folder);
    }
  }

  private Outcome run(List<String> words, GuestMessages messages, Path errors)
      throws IOException, InterruptedException {
    AtomicInteger signal = new AtomicInteger();
    int code;
    try (messages) {
      Process process = home.start(words, errors);
      try (Signals _ =
          Signals.onEndBy(number -> {
            signal.compareAndSet(0, number);
            process.destroy();
          })) {
        code = await(process, messages);
      }
    }
    String failure = messages.failure();
    if (messages.status().isEmpty() && failure == null && code != 0 && signal.get() == 0) {
      failure = HostProgram.last(Files.readString(errors));
    }
    return new Outcome(messages.status(), signal.get(), failure);
  }

  private int await(Process process, GuestMessages messages) throws InterruptedException {
    long seen = 0;
    long since = System.nanoTime();
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      long progress = messages.received() + console.toFile().length();
      if (progress != seen) {
        seen = progress;
        since = System.nanoTime();
      }
      boolean stuck =
          patience > 0 && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(patience);
      if (stuck || messages.isOver()) {
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    }
    return process.exitValue();
  }
}
