package dev.kymo.session.run;

import dev.kymo.drain.ClockCalibration;
import dev.kymo.drain.Drainer;
import dev.kymo.drain.Leftovers;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.drain.Salvage;
import dev.kymo.drain.SharedMemory;
import dev.kymo.drain.Version;
import dev.kymo.drain.options.OptionWords;
import dev.kymo.kernel.KernelRecording;
import dev.kymo.kernel.KernelSource;
import dev.kymo.model.index.Scratch;
import dev.kymo.recorder.ChildEnvironment;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.userevents.EventOptions;
import dev.kymo.session.StandardError;
import dev.kymo.session.container.SessionPlace;
import dev.kymo.session.network.Delivery;
import dev.kymo.session.network.Sending;
import dev.kymo.session.system.Timings;
import dev.kymo.symbols.FunctionNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A running recording: shared memory, directory, and the draining thread. */
public final class RecordingRun implements AutoCloseable {
  private final RecordingOptions options;
  private final SessionPlace place;
  private final RecordingDirectory directory;
  private final Drainer drainer;
  private final Thread thread;
  private final @Nullable Indexer indexer;
  private final @Nullable KernelRecording kernel;
  private final @Nullable SnapshotWatch watch;
  private final @Nullable Sending sending;
  private final @Nullable Console console;
  private final CountDownLatch firstProcess = new CountDownLatch(1);
  private volatile boolean ending;
  private volatile boolean spoolFull;
  private boolean stopped;
  private boolean saidLarge;
  private boolean begun;
  private long begunAt;

  /** After this time the clock is known well enough for readers of the growing recording. */
  private static final long ESTIMATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private RecordingRun(
      RecordingOptions options,
      SessionPlace place,
      RecordingDirectory directory,
      Drainer drainer,
      @Nullable KernelRecording kernel,
      @Nullable Sending sending) {
    this.options = options;
    this.sending = sending;
    this.kernel = kernel;
    if (sending != null) {
      drainer.leaveWhile(() -> looksFull(sending, drainer.bytes()));
    }
    if (kernel != null) {
      kernel.leaveWhile(() -> spoolFull);
    }
    this.place = place;
    this.directory = directory;
    this.drainer = drainer;
    RecordingOptions.Target target = options.target();
    Console printing = target.console();
    this.console = printing;
    if (printing != null) {
      drainer.leaveWhile(() -> printing.isFull(drainer.bytes()));
    }
    boolean index = target.canBeIndexed(options.buffers());
    this.indexer = index ? new Indexer(target.output(), true, drainer::refineClock) : null;
    FunctionNaming naming = new FunctionNaming(target.output(), StandardError::say);
    drainer.beforeFinish(naming::finish);
    this.watch = options.events().snapshots().watch(target.output(), StandardError::say);
    if (watch != null) {
      drainer.watch(watch);
    }
    naming.start();
    this.thread = Thread.ofPlatform().name("kymo drainer").unstarted(this::drain);
  }

  private boolean looksFull(Sending to, long drained) {
    spoolFull = to.isFull(drained + (kernel == null ? 0 : kernel.bytes()));
    return spoolFull;
  }

  interface PlaceMaker {
    /** The place; an exception has a message for the user. */
    SessionPlace make() throws IOException;
  }

  /** Makes everything ready for processes to join that have the files of this program. */
  public static RecordingRun start(RecordingOptions options) throws IOException {
    return start(options, () -> SessionPlace.make(options.target().output()));
  }

  /** Makes everything ready for processes to join. */
  static RecordingRun start(RecordingOptions options, PlaceMaker maker) throws IOException {
    ClockCalibration clock = clock(options.program().clock());
    Timings.end("clock found");
    KernelOptions wanted = options.events().kernel();
    KernelSource source =
        wanted == null ? null : wanted.open(options.program().clock(), clock::now);
    SessionPlace place = maker.make();
    RecordingDirectory directory = null;
    try {
      directory = RecordingDirectory.create(options.target().output(), place.name());
      Session session = place.seen(options.session(place.here(), source != null));
      place.store(session);
      KernelRecording kernel = null;
      if (source != null && wanted != null) {
        place.claim(KernelOptions.PROCESS);
        directory.kernelEvents(KernelRecording.recorded(source));
        kernel = wanted.recording(source, session, directory.path(), clock::now);
      }
      RecordingOptions.Program program = options.program();
      Drainer drainer =
          options
              .target()
              .disk()
              .drainer(session, directory, clock, program.redaction(), StandardError::say);
      drainer.begin(Version.TEXT, program.command());
      Sending sending = sending(options, session, clock);
      Console printing = options.target().console();
      if (printing != null) {
        printing.start();
      }
      RecordingRun run = new RecordingRun(options, place, directory, drainer, kernel, sending);
      Timings.end("recording made");
      run.thread.start();
      removeLeftovers(place.here());
      return run;
    } catch (IOException e) {
      undo(place, directory, source);
      throw e;
    }
  }

  private static @Nullable Sending sending(
      RecordingOptions options, Session session, ClockCalibration clock) throws IOException {
    RecordingOptions.Target target = options.target();
    Delivery delivery = target.delivery();
    return delivery == null
        ? null
        : Sending.start(
            delivery,
            target.output(),
            target.name(),
            session.uuid(),
            clock::now,
            clock.clock().frequency());
  }

  private static ClockCalibration clock(String name) throws IOException {
    try {
      return new ClockCalibration(name);
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void undo(
      SessionPlace place, @Nullable RecordingDirectory directory, @Nullable KernelSource source)
      throws IOException {
    place.remove();
    if (directory != null) {
      directory.close();
      RecordingDirectory.delete(directory.path());
    }
    if (source != null) {
      source.close();
    }
  }

  /** Nobody waits for this: it ends with the process, and the next recording continues it. */
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

  RecordingOptions options() {
    return options;
  }

  /** The agent with its argument, as {@code -javaagent:} wants it. */
  String agentOption() throws IOException {
    boolean secret = SharedMemory.isOpenToOthers(sharedMemory());
    return place.agent(options.program().agent())
        + "="
        + (secret ? ChildEnvironment.BY_ENVIRONMENT : sharedMemory());
  }

  /** The shared memory's directory, for this program. */
  Path sharedMemory() {
    return place.here();
  }

  SessionPlace place() {
    return place;
  }

  /** Waits until a process has joined; false if none did in this time. */
  boolean awaitProcess(long millis) throws InterruptedException {
    return firstProcess.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Whether a process runs whose records are written. */
  boolean isRecording() {
    return drainer.hasRunning() && !drainer.failed();
  }

  /** Ends the recording. Returns how many processes are in it. */
  int finish() throws InterruptedException {
    if (kernel != null) {
      kernel.finish();
    }
    endDraining();
    if (console != null) {
      console.await();
    }
    int processes = drainer.processes();
    if ((processes > 0 || hasKernelEvents()) && !options.manner().quiet() && !drainer.failed()) {
      StandardError.say(
          "recorded %s, %s %s".formatted(what(processes), OptionWords.megabytes(bytes()), where()));
    }
    boolean named = !options.methods().include().isEmpty() || options.events().areNamed();
    if (processes > 0 && named) { // there may be nothing of these names
      VainOptions.of(options.target().output()).forEach(StandardError::say);
    }
    if (sending != null && !sending.finish()) {
      StandardError.say(sending.rest());
    }
    return processes;
  }

  private String where() {
    Path output = options.target().output();
    if (console != null) {
      return "for standard output";
    }
    return sending == null
        ? "in %s; look at it with: kymo view %s".formatted(output, output)
        : "for %s, as %s".formatted(sending.address(), options.target().name());
  }

  boolean wantsKernelEvents() {
    return kernel != null;
  }

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
    RecordingDirectory.delete(directory.path());
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
    if (sending != null) {
      sending.close();
    }
    place.remove();
    if (indexer != null) {
      indexer.finish();
    }
  }

  private void endDraining() throws InterruptedException {
    ending = true;
    LockSupport.unpark(thread);
    thread.join();
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
      stopIfOver();
      sayIfLarge();
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
    if (watch != null) {
      watch.finish();
    }
  }

  private void stopIfOver() {
    DiskLimit disk = options.target().disk();
    if (!stopped && console != null && console.isOver()) {
      stopRecording(""); // the program runs on
    } else if (!stopped && (console == null || disk.isGiven()) && disk.isReached(bytes())) {
      StandardError.say(disk.reached());
      stopRecording(
          "the recording ends here, because it reached its maximum size: max_size="
              + OptionWords.megabytes(disk.size()));
    } else if (!stopped && isOver()) {
      stopRecording("");
    }
  }

  private void sayIfLarge() {
    DiskLimit disk = options.target().disk();
    if (!saidLarge && console == null && !options.manner().quiet() && disk.isLarge(bytes())) {
      saidLarge = true;
      StandardError.say(disk.large(bytes(), System.nanoTime() - begunAt));
    }
  }

  /** Whether the time is over; after a trigger each program watches its own time. */
  private boolean isOver() {
    if (!begun && (drainer.processes() > 0 || hasKernelEvents())) {
      begun = true;
      begunAt = System.nanoTime();
    }
    EventOptions events = options.events().user();
    long nanos = events.startOn().isEmpty() ? events.nanos() : 0;
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
