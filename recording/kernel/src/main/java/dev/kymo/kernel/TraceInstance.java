package dev.kymo.kernel;

import dev.kymo.format.Clock;
import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tracing instance of Kymo's own: buffers, a clock and a choice of events that are separate from
 * all other tracing. {@code free_buffer} is held open: if this process dies, the kernel stops
 * tracing.
 *
 * <p>Thread-safe.
 */
public final class TraceInstance implements AutoCloseable {
  /** Kilobytes of buffer for each processor: 0.4 s of what a busy processor produces. */
  public static final int DEFAULT_BUFFER_KB = 32 * 1024;

  private static final int SMALLEST_BUFFER_KB = 1024;
  private static final int WAKE_PERCENT = 25;
  private static final int REMOVE_TRIES = 20;
  private static final int REMOVE_PAUSE_MILLIS = 50;
  private static final Map<String, String> CLOCKS =
      Map.of(Clock.TSC, "x86-tsc", Clock.MONOTONIC, "mono");

  /** Most flushes happen because another thread runs, which is noise. */
  private static final Map<String, String> FILTERS = Map.of("tlb:tlb_flush", "reason != 0");

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Path path;
  private final EventFolders events;
  private @Nullable FileChannel freeBuffer;
  private boolean removed;

  private TraceInstance(Path path) {
    this.path = path;
    this.events = new EventFolders(path);
  }

  /**
   * Makes an instance that is off, with no events. Removes Kymo's instances whose process is dead.
   *
   * @param clock the recording's: {@link Clock#TSC} or {@link Clock#MONOTONIC}
   * @param bufferKb for each processor; with too little memory it becomes less, down to 1 MB
   * @param complaints takes a sentence about each problem
   * @throws KernelException if it cannot be made; then nothing is left in the kernel
   */
  public static TraceInstance open(
      Tracefs tracefs, String clock, int bufferKb, Consumer<String> complaints)
      throws KernelException {
    StaleInstances.sweep(tracefs, complaints);
    TraceInstance instance = make(tracefs);
    try {
      instance.set("tracing_on", "0");
      instance.setClock(clock);
      // Names of threads cost 5 to 10 % of each event; other events report them anyway.
      for (String option : List.of("norecord-cmd", "overwrite", "disable_on_free")) {
        instance.set("trace_options", option);
      }
      instance.setBufferSize(bufferKb, complaints);
      instance.set("buffer_percent", Integer.toString(WAKE_PERCENT));
      instance.holdFreeBuffer();
      return instance;
    } catch (IOException | RuntimeException e) {
      try (instance) {
        throw e instanceof KernelException known
            ? known
            : new KernelException(
                "tracing instance cannot be set up: path=%s: %s".formatted(instance.path, e), e);
      }
    }
  }

  private static TraceInstance make(Tracefs tracefs) throws KernelException {
    while (true) {
      Path path = tracefs.instances().resolve(StaleInstances.ownName(NUMBER.incrementAndGet()));
      try {
        Files.createDirectory(path);
        return new TraceInstance(path);
      } catch (FileAlreadyExistsException e) {
        // somebody made one under this name: take the next number
      } catch (IOException e) {
        throw new KernelException(
            "tracing instance cannot be made: path=%s: %s; is there memory left?"
                .formatted(path, e),
            e);
      }
    }
  }

  private void set(String file, String value) throws KernelException {
    try {
      Tracefs.write(path.resolve(file), value);
    } catch (IOException e) {
      throw new KernelException(
          "tracing cannot be set up: file=%s value=%s: %s".formatted(path.resolve(file), value, e),
          e);
    }
  }

  private void setClock(String clock) throws IOException {
    String name = CLOCKS.get(clock);
    String offered = Tracefs.read(path.resolve("trace_clock")).replaceAll("[\\[\\]]", "").strip();
    if (name == null || !Arrays.asList(offered.split("\\s+")).contains(name)) {
      throw new KernelException(
          "the kernel does not trace on the recording's clock: clock=%s offered=%s; record with another --clock"
              .formatted(clock, offered));
    }
    set("trace_clock", name);
  }

  private void setBufferSize(int wanted, Consumer<String> complaints) throws KernelException {
    int size = Math.max(wanted, 1);
    while (true) {
      try {
        set("buffer_size_kb", Integer.toString(size));
        break;
      } catch (KernelException e) {
        if (size <= SMALLEST_BUFFER_KB) {
          throw new KernelException(
              "no memory for kernel events: wanted=%d kB for each processor, not even %d kB are available; free some"
                  .formatted(wanted, size),
              e);
        }
        size = Math.max(SMALLEST_BUFFER_KB, Math.min(size / 2, DEFAULT_BUFFER_KB));
      }
    }
    if (size < wanted) {
      complaints.accept(
          "kernel buffers are smaller than asked for, there is not enough memory: wanted=%d kB used=%d kB for each processor; events may be lost"
              .formatted(wanted, size));
    }
  }

  private synchronized void holdFreeBuffer() throws IOException {
    freeBuffer = FileChannel.open(path.resolve("free_buffer"), StandardOpenOption.WRITE);
  }

  public Path path() {
    return path;
  }

  public String read(String file) throws IOException {
    return Tracefs.read(path.resolve(file));
  }

  /** Processors that have a buffer, ascending. */
  public int[] cpus() throws IOException {
    try (Stream<Path> folders = Files.list(path.resolve("per_cpu"))) {
      return folders
          .map(folder -> String.valueOf(folder.getFileName()))
          .filter(name -> name.matches("cpu\\d{1,5}"))
          .mapToInt(name -> Integer.parseInt(name.substring("cpu".length())))
          .sorted()
          .toArray();
    }
  }

  /**
   * Events that a name stands for: the event itself, or all of {@code subsystem:*} that can be
   * enabled.
   */
  public List<String> expand(String name) {
    return events.expand(name);
  }

  /**
   * An event's layout; empty if this kernel has no event of this name.
   *
   * @param event {@code subsystem:event}
   */
  public Optional<KernelEventFormat> format(String event) throws KernelException {
    return events.format(event);
  }

  /**
   * Turns an event on or off, also while tracing; the kernel must have it. Where most occurrences
   * of an event are noise ({@code tlb:tlb_flush}), a filter keeps them out.
   */
  public void enable(String event, boolean on) throws KernelException {
    Path folder = events.folder(event);
    try {
      String filter = FILTERS.get(event);
      if (on && filter != null) {
        Tracefs.write(folder.resolve("filter"), filter);
      }
      Tracefs.write(folder.resolve("enable"), on ? "1" : "0");
    } catch (IOException e) {
      throw new KernelException(
          "event cannot be turned %s: event=%s: %s".formatted(on ? "on" : "off", event, e), e);
    }
  }

  public void tracing(boolean on) throws KernelException {
    set("tracing_on", on ? "1" : "0");
  }

  /** Events of a processor that the kernel knows to have lost since the instance was made. */
  public long lost(int cpu) throws IOException {
    Matcher counts =
        Pattern.compile("(?m)^(?:overrun|commit overrun|dropped events): (\\d{1,18})$")
            .matcher(read("per_cpu/cpu" + cpu + "/stats"));
    long lost = 0;
    while (counts.find()) {
      lost += Long.parseLong(counts.group(1));
    }
    return lost;
  }

  /**
   * Stops tracing and removes the instance; all its files must be closed. Does nothing if that was
   * done.
   *
   * @throws KernelException if somebody else has a file of it open; tracing is off then, and
   *     another call tries again
   */
  @Override
  public synchronized void close() throws KernelException {
    if (removed) {
      return;
    }
    IOException problem = null;
    try {
      Tracefs.write(path.resolve("tracing_on"), "0");
      if (freeBuffer != null) {
        freeBuffer.close();
      }
    } catch (IOException e) {
      problem = e; // the removal shows whether it matters
    }
    boolean interrupted = Thread.interrupted();
    for (int i = 0; i < REMOVE_TRIES && !removed; i++) {
      try {
        Files.deleteIfExists(path);
        removed = true;
      } catch (IOException e) {
        problem = e;
        interrupted |= !pause();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!removed) {
      throw new KernelException(
          "tracing instance is still open elsewhere and cannot be removed: path=%s; it is off; close what reads it, then run: rmdir %s"
              .formatted(path, path),
          problem);
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(REMOVE_PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
