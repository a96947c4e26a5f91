package dev.kymo.cli;

import dev.kymo.format.RingLayout;
import dev.kymo.kernel.KernelRecording;
import dev.kymo.kernel.KernelSource;
import dev.kymo.model.Scratch;
import dev.kymo.recorder.ChildEnvironment;
import dev.kymo.recorder.EventOptions;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.drain.ClockCalibration;
import dev.kymo.recorder.drain.Drainer;
import dev.kymo.recorder.drain.Leftovers;
import dev.kymo.recorder.drain.RecordingDirectory;
import dev.kymo.recorder.drain.Salvage;
import dev.kymo.recorder.drain.SharedMemory;
import dev.kymo.recorder.drain.Unfollowed;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A recording under way: shared memory, directory, and the thread that drains. */
final class RecordingRun implements AutoCloseable {
  private final Options options;
  private final Path sharedMemory;
  private final RecordingDirectory directory;
  private final Drainer drainer;
  private final Thread thread;
  private final @Nullable Indexer indexer;
  private final @Nullable KernelRecording kernel;
  private final CountDownLatch firstProcess = new CountDownLatch(1);
  private volatile boolean ending;
  private boolean stopped;
  private boolean saidLarge;
  private boolean begun;
  private long begunAt;

  /** What a recording is to be. */
  record Options(
      Path output,
      Path agent,
      String clock,
      int buffer,
      int whenFull,
      List<String> include,
      List<String> exclude,
      int minSize,
      int budget,
      String memory,
      String waits,
      String jvmEvents,
      EventOptions events,
      boolean strict,
      boolean verbose,
      boolean quiet,
      boolean index,
      DiskOptions disk,
      @Nullable KernelOptions kernel,
      String command) {}

  /** The clock is known well enough by then for whoever reads the recording while it is written. */
  private static final long ESTIMATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private RecordingRun(
      Options options,
      Path sharedMemory,
      RecordingDirectory directory,
      Drainer drainer,
      @Nullable KernelRecording kernel) {
    this.options = options;
    this.kernel = kernel;
    this.sharedMemory = sharedMemory;
    this.directory = directory;
    this.drainer = drainer;
    // A flight recorder writes nothing before its end.
    boolean index =
        options.index && options.whenFull != RingLayout.OVERWRITE && !options.disk.dropsOldest();
    this.indexer = index ? new Indexer(options.output, drainer::refineClock) : null;
    FunctionNaming naming = new FunctionNaming(options.output, RecordingRun::say);
    drainer.beforeFinish(naming::finish);
    naming.start();
    this.thread = Thread.ofPlatform().name("kymo drainer").unstarted(this::drain);
  }

  /** Makes everything ready for processes to join. */
  static RecordingRun start(Options options) throws IOException {
    ClockCalibration clock;
    try {
      clock = new ClockCalibration(options.clock);
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
    Timings.end("clock found");
    KernelSource source =
        options.kernel == null ? null : options.kernel.open(options.clock, clock::now);
    Path sharedMemory = SharedMemory.make();
    RecordingDirectory directory = null;
    try {
      directory = RecordingDirectory.create(options.output, sharedMemory);
      Session session =
          new Session(
              sharedMemory,
              options.output.toAbsolutePath(),
              UUID.randomUUID(),
              options.clock,
              options.buffer,
              options.whenFull,
              options.include,
              options.exclude,
              options.minSize,
              options.budget,
              options.memory,
              options.waits,
              options.jvmEvents,
              options.events,
              source != null,
              options.strict,
              options.verbose);
      SharedMemory.store(session);
      Unfollowed.make(sharedMemory);
      KernelRecording kernel = null;
      if (source != null && options.kernel != null) {
        directory.kernelEvents(KernelRecording.recorded(source));
        kernel = options.kernel.recording(source, session, directory.path(), clock::now);
      }
      Drainer drainer = options.disk.drainer(session, directory, clock, RecordingRun::say);
      drainer.begin(Version.TEXT, options.command);
      RecordingRun run = new RecordingRun(options, sharedMemory, directory, drainer, kernel);
      Timings.end("recording made");
      run.thread.start();
      removeLeftovers(sharedMemory);
      return run;
    } catch (IOException e) {
      Drainer.remove(sharedMemory);
      if (directory != null) {
        directory.close();
        delete(directory.path());
      }
      if (source != null) {
        source.close();
      }
      throw e;
    }
  }

  /** Nobody waits for that: it ends with this process, and the next one goes on. */
  private static void removeLeftovers(Path own) {
    Thread.ofPlatform()
        .daemon()
        .name("kymo leftovers")
        .start(() -> {
          Leftovers.remove(
              own,
              recording -> {
                if (Salvage.salvage(recording) == Salvage.Outcome.TAKEN) {
                  FunctionNames.complete(recording);
                }
              });
          Scratch.sweep();
        });
  }

  /** Starts the command to be recorded; returns its process id. */
  int begin(KernelRecording.Starter command) throws IOException {
    if (kernel != null) {
      kernel.start();
    }
    int process = kernel == null ? command.start() : kernel.adopt(command);
    drainer.follow(process);
    return process;
  }

  /** Records from now on what a process does that runs already. */
  void begin(long pid) throws IOException {
    drainer.follow(pid);
    if (kernel != null) {
      kernel.adopt(pid);
      kernel.start();
    }
  }

  Options options() {
    return options;
  }

  /** The agent with its argument, as {@code -javaagent:} wants it. */
  String agentOption() throws IOException {
    boolean secret = SharedMemory.isOpenToOthers(sharedMemory);
    return options.agent + "=" + (secret ? ChildEnvironment.BY_ENVIRONMENT : sharedMemory);
  }

  Path sharedMemory() {
    return sharedMemory;
  }

  /** Waits until a process has joined; false if none did in this time. */
  boolean awaitProcess(long millis) throws InterruptedException {
    return firstProcess.await(millis, TimeUnit.MILLISECONDS);
  }

  boolean isRecording() {
    return drainer.hasRunning();
  }

  /** Ends the recording. Returns how many processes are in it. */
  int finish() throws InterruptedException {
    if (kernel != null) {
      kernel.finish();
    }
    endDraining();
    int processes = drainer.processes();
    if ((processes > 0 || hasKernelEvents()) && !options.quiet && !drainer.failed()) {
      say(
          "recorded %s, %s in %s; look at it with: kymo view %s"
              .formatted(
                  what(processes), DiskOptions.megabytes(bytes()), options.output, options.output));
    }
    if (processes > 0 && asksForNames()) {
      VainOptions.of(options.output).forEach(RecordingRun::say);
    }
    return processes;
  }

  /** Whether anything of the kernel is to be recorded. */
  boolean wantsKernelEvents() {
    return kernel != null;
  }

  /** Whether classes or events were named, of which there may be none. */
  private boolean asksForNames() {
    EventOptions events = options.events;
    return !options.include.isEmpty()
        || !events.startOn().isEmpty()
        || !events.stopOn().isEmpty()
        || !events.snapshotOn().isEmpty();
  }

  /** Whether anything of the kernel was recorded. */
  boolean hasKernelEvents() {
    return kernel != null && kernel.events() > 0;
  }

  private String what(int processes) {
    String java = processes == 1 ? "1 process" : processes + " processes";
    if (kernel == null) {
      return java;
    }
    String events = "%,d kernel events".formatted(kernel.events()).replace(',', ' ');
    String lost = kernel.lost() == 0 ? "" : " (%d lost)".formatted(kernel.lost());
    return (processes == 0 ? "" : java + ", ") + events + lost;
  }

  private long bytes() {
    return drainer.bytes() + (kernel == null ? 0 : kernel.bytes());
  }

  boolean failed() {
    return drainer.failed();
  }

  /** Removes a recording in which there is nothing. */
  void discard() throws IOException {
    delete(directory.path());
  }

  private static void delete(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }

  @Override
  public void close() throws IOException {
    try {
      endDraining();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (kernel != null) {
      kernel.close();
    }
    drainer.close();
    directory.close();
    Drainer.remove(sharedMemory);
    if (indexer != null) {
      indexer.finish();
    }
  }

  private void endDraining() throws InterruptedException {
    ending = true;
    LockSupport.unpark(thread);
    thread.join();
  }

  static void say(String text) {
    System.err.println("kymo: " + text);
  }

  private void drain() {
    long refine = System.nanoTime() + ESTIMATE_NANOS;
    boolean refined = false;
    while (!ending) {
      if (!refined && System.nanoTime() - refine >= 0) {
        refined = true;
        drainer.refineClock();
      }
      long bytes = drainer.round();
      if (!stopped && options.disk.isReached(bytes())) {
        say(options.disk.reached());
        stopRecording(
            "the recording ends here, because it had its full size: max_size="
                + DiskOptions.megabytes(options.disk.size()));
      } else if (!stopped && isOver()) {
        stopRecording("");
      }
      if (!saidLarge && !options.quiet && options.disk.isLarge(bytes())) {
        saidLarge = true;
        say(options.disk.large(bytes(), System.nanoTime() - begunAt));
      }
      if (drainer.processes() > 0) {
        firstProcess.countDown();
      }
      if (indexer != null) {
        indexer.goOn(bytes());
      }
      if (bytes == 0) {
        drainer.pause();
      }
    }
    drainer.finish();
  }

  /** Whether the time is over; from a trigger on each program looks at its own. */
  private boolean isOver() {
    if (!begun && (drainer.processes() > 0 || hasKernelEvents())) {
      begun = true;
      begunAt = System.nanoTime();
    }
    long nanos = options.events.startOn().isEmpty() ? options.events.nanos() : 0;
    return nanos > 0 && begun && System.nanoTime() - begunAt >= nanos;
  }

  private void stopRecording(String why) {
    stopped = true;
    drainer.stopRecording(why);
    try {
      if (kernel != null) {
        kernel.finish();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
