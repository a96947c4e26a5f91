package dev.kymo.query.worker;

import dev.kymo.analysis.selection.Progress;
import dev.kymo.model.index.Scratch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The process that answers ({@link WorkerLoop}), as seen from the one that asks. A question that
 * takes too long, or too much memory, is ended with the process, and another one is started: there
 * are functions of SQL that nothing else ends. Safe for use by several threads, whose questions are
 * answered one after the other.
 */
public final class Worker implements AutoCloseable {
  /** A question that may take any time. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** Until then a question may end by itself, once it was told to. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long LOOK_MILLIS = 20;
  private static final Pattern MEMORY = Pattern.compile("(?m)^RssAnon:\\s+(\\d+) kB");

  private final Function<Path, List<String>> command;
  private final long maxBytes;
  private final ReentrantLock asking = new ReentrantLock();
  private @Nullable Running running;
  private boolean closed;
  private long asked;

  /**
   * A process that begins with the first question.
   *
   * @param command that runs {@link WorkerLoop}, given a directory for temporary files, of which a
   *     process that is ended leaves some
   * @param maxBytes of memory that the process may have for itself
   */
  public Worker(Function<Path, List<String>> command, long maxBytes) {
    this.command = command;
    this.maxBytes = maxBytes;
  }

  /** A process, and what it says. */
  private record Running(Process process, Scratch room, BlockingQueue<String> lines) {
    /** In place of a line: it says no more. */
    static final String END = "";

    boolean isTooLarge(long maxBytes) {
      try {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        Matcher memory = MEMORY.matcher(Files.readString(status, StandardCharsets.ISO_8859_1));
        return memory.find() && Long.parseLong(memory.group(1)) << 10 > maxBytes;
      } catch (IOException e) {
        return false; // it has ended, which its lines say
      }
    }

    int end() throws IOException {
      int exit = process.destroyForcibly().onExit().join().exitValue();
      room.close();
      return exit;
    }

    void send(String line) {
      try {
        process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
      } catch (IOException e) {
        // It has ended, which its lines say.
      }
    }
  }

  /**
   * Begins now, so that the first question has to wait less.
   *
   * @param failed takes the exit code of the process if that ends before it is ready
   */
  public synchronized void start(IntConsumer failed) throws IOException {
    running = begin(failed);
  }

  private Running begin(IntConsumer failed) throws IOException {
    Scratch room = Scratch.make("worker");
    Running begun = new Running(start(room), room, new LinkedBlockingQueue<>());
    Thread.ofPlatform().daemon().name("kymo worker").start(() -> listen(begun, failed));
    return begun;
  }

  private Process start(Scratch room) throws IOException {
    try {
      return new ProcessBuilder(command.apply(room.path()))
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      room.close();
      throw e;
    }
  }

  private static void listen(Running to, IntConsumer failed) {
    boolean ready = false;
    try (BufferedReader lines = to.process().inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (ready) {
          to.lines().add(line);
        }
        ready = true;
      }
    } catch (IOException e) {
      // It was ended.
    }
    to.lines().add(Running.END);
    if (!ready) {
      failed.accept(to.process().onExit().join().exitValue());
    }
  }

  /**
   * Has a question answered, after those that others have asked before.
   *
   * @param question a line
   * @param seconds that it may take once it is its turn, or {@link #UNLIMITED}
   * @param progress is told how far the answer is, and says whether it is still wanted
   * @return a line
   * @throws StoppedException if there is no answer
   * @throws IOException if no process can be started
   */
  public String ask(String question, long seconds, Progress progress)
      throws IOException, InterruptedException, StoppedException {
    try {
      while (!asking.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        progress.check();
      }
    } catch (CancellationException e) {
      throw cancelled();
    }
    try {
      Running to = running();
      long number = ++asked;
      to.send("ask %d %s".formatted(number, question));
      return await(to, number, seconds, progress);
    } finally {
      asking.unlock();
    }
  }

  private String await(Running to, long number, long seconds, Progress progress)
      throws IOException, InterruptedException, StoppedException {
    long begin = System.nanoTime();
    long limit = TimeUnit.SECONDS.toNanos(seconds);
    StoppedException why = null;
    long told = 0;
    while (true) {
      String line = to.lines().poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (line != null) {
        if (line.equals(Running.END)) {
          throw ended(to, why);
        }
        String[] words = line.split(" ", 3);
        switch (words[0]) {
          case "progress" -> progress.reach(Double.parseDouble(words[2]));
          case "answer" -> {
            return words[2];
          }
          default -> throw why == null ? cancelled() : why;
        }
      }
      if (to.isTooLarge(maxBytes)) {
        replace(to);
        throw new StoppedException(
            StoppedException.Reason.MEMORY,
            "it took more than %d MB of memory; ask for less".formatted(maxBytes >> 20));
      }
      long now = System.nanoTime();
      if (why == null && (progress.isGivenUp() || now - begin > limit)) {
        why = progress.isGivenUp() ? cancelled() : tooLong(seconds);
        told = now;
        to.send("cancel " + number);
      }
      if (why != null && now - told > GRACE_NANOS) {
        replace(to);
        throw why;
      }
    }
  }

  private static StoppedException cancelled() {
    return new StoppedException(StoppedException.Reason.CANCELLED, "cancelled");
  }

  private static StoppedException tooLong(long seconds) {
    return new StoppedException(
        StoppedException.Reason.TIME,
        "it took more than %d seconds; ask for less, or give more with seconds".formatted(seconds));
  }

  private StoppedException ended(Running which, @Nullable StoppedException why) throws IOException {
    int exit = replace(which);
    return why != null
        ? why
        : new StoppedException(
            StoppedException.Reason.ENDED,
            "the process that answers has ended: exit=%d; ask again".formatted(exit));
  }

  private synchronized Running running() throws IOException, StoppedException {
    if (closed) {
      throw cancelled();
    }
    Running now = running;
    if (now == null) {
      now = begin(code -> {});
      running = now;
    }
    return now;
  }

  /** The next question should not have to wait until a process has begun. */
  private synchronized int replace(Running ended) throws IOException {
    int exit = ended.end();
    running = closed ? null : begin(code -> {});
    return exit;
  }

  /** Whatever is being asked ends. */
  @Override
  public synchronized void close() {
    closed = true;
    Running now = running;
    if (now != null) {
      try {
        now.end();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
