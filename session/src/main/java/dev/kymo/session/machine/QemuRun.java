package dev.kymo.session.machine;

import dev.kymo.session.OutputFile;
import dev.kymo.session.system.LinuxCalls;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a machine in QEMU until it ends or halts, a signal ends it, its time is over, or it makes no
 * progress.
 */
final class QemuRun {
  private static final long LOOK_MILLIS = 200;
  private static final long END_SECONDS = 5;

  /** How often it may be asleep: half a minute. Whoever is waited for is not that slow. */
  private static final int ASLEEP = 150;

  /** What a kernel says last, before it stops the processor for good. */
  private static final Pattern HALTED = Pattern.compile("reboot: (?:System halted|Power down)");

  private final MachineHome home;
  private final Path console;
  private final Patience patience;
  private final Duration limit;
  private @Nullable String reason;

  /**
   * How a machine ended.
   *
   * @param status of the program, as the system encodes it; empty if the machine ended before
   * @param signal that ended the machine; 0 = none
   * @param failure why; null if nothing is known
   */
  record Outcome(OptionalInt status, int signal, @Nullable String failure) {}

  /**
   * How long a machine may say nothing.
   *
   * @param limit of the processor time that QEMU takes meanwhile, after which it is ended; 0 = any
   * @param watcher is told now and then how much processor time it has taken in all
   */
  record Patience(Duration limit, Consumer<Duration> watcher) {
    /** Whatever it does. */
    static final Patience ANY = new Patience(Duration.ZERO, _ -> {});
  }

  /**
   * A run.
   *
   * @param console file that gets what the kernel says
   * @param limit of its time, after which it is ended; 0 = any
   */
  QemuRun(MachineHome home, Path console, Patience patience, Duration limit) {
    this.home = home;
    this.console = console;
    this.patience = patience;
    this.limit = limit;
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
      LinuxCalls.makePipe(pipe);
      Path memory = LinuxCalls.memoryFile("kymo-machine");
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
    String failure = reason == null ? messages.failure() : reason;
    if (messages.status().isEmpty() && failure == null && code != 0 && signal.get() == 0) {
      failure = HostProgram.last(Files.readString(errors));
    }
    return new Outcome(messages.status(), signal.get(), failure);
  }

  private int await(Process process, GuestMessages messages)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    long seen = 0;
    GuestProgress progress = new GuestProgress(process.toHandle(), patience.limit, ASLEEP);
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      long output = messages.received() + console.toFile().length();
      if (output != seen && HALTED.matcher(KernelLearning.text(console)).find()) {
        reason = "it has halted";
      }
      seen = output;
      if (reason == null && !patience.limit.isZero()) {
        reason = progress.look(output);
        patience.watcher.accept(progress.used());
      }
      if (!limit.isZero() && System.nanoTime() - begin > limit.toNanos()) {
        reason = "it has not ended within --max-time";
      }
      if (reason != null || messages.isOver()) {
        process.destroy();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    }
    return process.exitValue();
  }
}
