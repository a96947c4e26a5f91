package dev.kymo.recorder;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.RingLayout;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The recording of this process: its place in the session, its definitions, its rings. At most one
 * at a time; a second one may follow when the first has stopped, on the same clock.
 */
public final class ProcessRecorder {
  private static final long LONGEST_WAIT_MILLIS = 10_000;
  private static final long LONGEST_PARK = 20_000_000;

  private static volatile @Nullable ProcessRecorder current;
  private static @Nullable String clockName;
  private static @Nullable MethodHandle clock;

  private final Session session;
  private final int process;
  private final ByteBuffer control;
  private final DrainerWatch drainer;
  private final DefinitionStream definitions;
  private final RingRegistry rings;
  private final SlowPath slowPath;
  private final Budget budget;
  private final Governor governor;
  private final Stripping stripping;
  private final long begun = System.nanoTime();
  private volatile boolean stopped;
  private volatile boolean paused;
  private final AtomicBoolean timeLimited = new AtomicBoolean();
  private volatile Level level = Level.ALL;
  private final StateTracks states;
  private final Weavings weavings;

  /** Threads that do something for a while; none of them outlives the recording. */
  private final List<Thread> background = new CopyOnWriteArrayList<>();

  private volatile @Nullable ControlSocket socket;
  private final Ending ending = new Ending(this);
  private volatile StopAction onStop = running -> {};

  /** What is done when the recording stops. */
  @FunctionalInterface
  public interface StopAction {
    /**
     * Does it.
     *
     * @param running methods whose classes must not be woven anew now
     */
    void run(Set<Integer> running) throws Exception;
  }

  private ProcessRecorder(Session session) throws IOException {
    this.session = session;
    this.process = claimNumber(session.directory());
    Path home = home(session, process);
    this.control = RingFile.map(home.resolve("control.new"), ControlLayout.SIZE);
    this.drainer =
        new DrainerWatch(control, clock(), session.directory().resolve(ControlLayout.ALIVE));
    control.putInt(ControlLayout.PID_OFFSET, AgentLibrary.pid());
    control.putInt(ControlLayout.PROCESS_OFFSET, process);
    control.putLong(ControlLayout.BEGUN_BY_OFFSET, ProcFiles.startTime("self"));
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.RUNNING);
    control.putLong(ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    this.budget = new Budget(session.budget(), Calibration.ticksPerSecondAbout(session.clock()));
    Calibration.guess(session.clock(), budget);
    Counters counters = Counters.create(home.resolve("counters"));
    this.rings = new RingRegistry(session, process, home, control, drainer, budget, counters);
    this.slowPath = new SlowPath(this, rings);
    this.stripping = new Stripping(work -> inBackground(work, OwnThreads.WEAVING), drainer.now());
    this.governor = new Governor(this, budget, rings, counters, stripping);
    this.definitions = new DefinitionStream(rings.definitionRing(), drainer);
    this.states = new StateTracks(this, rings, drainer);
    this.weavings = new Weavings(states, rings, drainer);
    this.paused = !session.events().startOn().isEmpty();
    Files.move(home.resolve("control.new"), home.resolve("control"));
  }

  /**
   * Starts recording this process; probes stay off until {@link #switchOn}.
   *
   * @throws IOException if the shared memory cannot be made
   * @throws IllegalStateException if it is recorded already, or its clock cannot be read here
   */
  public static synchronized ProcessRecorder start(Session session) throws IOException {
    ProcessRecorder running = current;
    if (running != null && !running.stopped) {
      throw new IllegalStateException(
          "this process is recorded already: recording=" + running.session.recording());
    }
    if (clockName != null && !clockName.equals(session.clock())) {
      throw new IllegalStateException(
          "this process was recorded with another clock before; record with --clock " + clockName);
    }
    Internals.loadClassesOfOverflows();
    if (clock == null) {
      clock = TickClock.handle(session.clock());
      clockName = session.clock();
    }
    ProcessRecorder recorder = new ProcessRecorder(session);
    recorder.define(
        new Definition.TracedProcess(
            recorder.process,
            AgentLibrary.pid(),
            ProcFiles.parent(),
            ProcFiles.commandLine(),
            System.getProperty("java.vm.name") + " " + Runtime.version()));
    recorder.defineClockPair();
    current = recorder;
    OwnEvents.begin(recorder);
    new Housekeeper(recorder).start();
    return recorder;
  }

  /** The running recording, if any. */
  public static @Nullable ProcessRecorder current() {
    return current;
  }

  static MethodHandle clock() {
    MethodHandle handle = clock;
    if (handle == null) {
      throw new IllegalStateException("the recorder has not been started");
    }
    return handle;
  }

  /** What the recording is to contain. */
  public Session session() {
    return session;
  }

  /** From now on probes record, unless they are to begin later. */
  public void switchOn() {
    limitTime();
    Probe.switchOn(!paused && level.calls());
    OwnEvents.show();
  }

  /** Recording begins, perhaps for a limited time. */
  private void limitTime() {
    long nanos = session.events().startOn().isEmpty() ? 0 : session.events().nanos();
    if (nanos > 0 && !paused && !stopped && timeLimited.compareAndSet(false, true)) {
      long end = System.nanoTime() + nanos;
      inBackground(() -> stopAt(end), OwnThreads.CONTROL);
    }
  }

  private void stopAt(long end) {
    for (long left = end - System.nanoTime(); left > 0 && !stopped; ) {
      LockSupport.parkNanos(Math.min(left, LONGEST_PARK));
      left = end - System.nanoTime();
    }
    pause("--duration");
  }

  /** Whether nothing is to be recorded for now. */
  boolean isPaused() {
    return paused;
  }

  Level level() {
    return level;
  }

  /** Records more of this process, or less. */
  synchronized void level(Level other) {
    level = other;
    change();
  }

  /** Goes on recording after {@link #pause}, or begins. */
  synchronized void resume() {
    if (paused) {
      paused = false;
      notice("recording goes on here");
      change();
    }
  }

  /**
   * Records nothing until {@link #resume}.
   *
   * @param by whom it was stopped
   */
  synchronized void pause(String by) {
    if (!paused && !stopped) {
      paused = true;
      change();
      notice("recording was stopped by " + by + " here, until it goes on or ends");
    }
  }

  private void change() {
    if (!stopped) {
      if (paused || !level.calls()) {
        switchOff();
      }
      switchOn();
    }
  }

  boolean isFlightRecorder() {
    return session.whenFull() == RingLayout.OVERWRITE;
  }

  /** Asks for a snapshot of the flight recorder. */
  synchronized void snapshot() {
    int asked = control.getInt(ControlLayout.SNAPSHOTS_OFFSET);
    control.putInt(ControlLayout.SNAPSHOTS_OFFSET, asked + 1);
  }

  /** Waits until all that was committed so far is in the files; false if nobody drains. */
  boolean flush() {
    int mine;
    synchronized (this) {
      mine = control.getInt(ControlLayout.FLUSHES_OFFSET) + 1;
      control.putInt(ControlLayout.FLUSHES_OFFSET, mine);
    }
    while (control.getInt(ControlLayout.FLUSHED_OFFSET) - mine < 0) {
      if (!drainer.await(false)) {
        return false;
      }
    }
    return true;
  }

  /** Counts an event that is not recorded. */
  void lose() {
    rings.loseWithoutRing();
  }

  /** From now on probes return at once, until they are switched on again. */
  public void switchOff() {
    Probe.switchOn(false);
    rings.retire();
  }

  /** Commits a definition. May wait for the drainer. */
  public void define(Definition definition) {
    boolean begun = OwnWork.begin();
    try {
      definitions.put(definition);
    } finally {
      OwnWork.end(begun);
    }
  }

  /** Leaves a notice in the recording. */
  public void notice(String text) {
    define(new Definition.Notice(process, text));
  }

  /** Sets what is to be undone when the recording stops. */
  public void onStop(StopAction action) {
    onStop = action;
  }

  /** Sets the class file of {@link Probe}, where its class loader does not know it. */
  public static void probeClassFile(byte[] bytes) {
    ProbeCopy.classFile(bytes);
  }

  /**
   * A method whose class is being woven begins as it was in an earlier run, left out perhaps: then
   * the class gets no probe for it.
   */
  public void remember(int method, Finding finding) {
    governor.remember(method, finding);
  }

  /** What the governor has found out so far, by method. */
  public Map<Integer, Finding> findings() {
    return governor.findings();
  }

  /** Sets who can take probes out of methods; before {@link #switchOn}. */
  public void reweaver(Reweaver reweaver) {
    stripping.reweaver(reweaver);
  }

  /** Tracks of states, and of the virtual machine. */
  public StateTracks states() {
    return states;
  }

  /** The recording's clock, in ticks. */
  public long now() {
    return drainer.now();
  }

  /** Ends the recording of this process; what was recorded stays. */
  public void stop() {
    if (stopped) {
      return;
    }
    ending.keepFindings();
    stopped = true;
    switchOff();
    OwnEvents.end();
    governor.release();
    closeSocket();
    awaitBackground();
    try {
      onStop.run(governor.running());
    } catch (Exception e) {
      Messages.print("cannot take the probes out again, they stay switched off: " + e);
    }
    ending.endSources();
    ending.sayLast();
    Probe.forgetStacks();
    ended();
  }

  /** Runs something on a thread of its own, which is to end soon when the recording has stopped. */
  void inBackground(Runnable work, String name) {
    background.removeIf(thread -> !thread.isAlive());
    Thread thread = Housekeeper.daemon(work, name);
    thread.start();
    background.add(thread);
  }

  /** Listens to {@code kymo ctl}; the program need not wait for that when it starts. */
  void listen() {
    try {
      ControlSocket open = ControlSocket.open(this, home(session, process));
      socket = open;
      inBackground(open::serve, OwnThreads.CONTROL);
    } catch (IOException | RuntimeException e) {
      notice("kymo ctl cannot reach this process: error=" + e);
    }
  }

  /** From now on {@code kymo ctl} cannot reach this process. */
  void closeSocket() {
    ControlSocket open = socket;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // it goes with the shared memory
      }
    }
  }

  private void awaitBackground() {
    try {
      for (Thread thread : background) {
        LockSupport.unpark(thread); // it need not wait until it is due
        thread.join(LONGEST_WAIT_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then they end after the recording
    }
  }

  /** Whether a platform thread's own calls or events were recorded. */
  public boolean hasTrack(Thread thread) {
    return rings.hasTrack(thread);
  }

  /** Whether this recording is over. */
  public boolean isStopped() {
    return stopped;
  }

  /** What is done when the recording, or the program, ends. */
  public Ending ending() {
    return ending;
  }

  /** From now on whoever drains knows that this process goes of its own will. */
  void ended() {
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.ENDED);
  }

  /** Whether the drainer wants an end, or is dead. */
  boolean stopRequested() {
    return !drainer.isAlive() || drainer.stopRequested();
  }

  boolean drainerIsDead() {
    return !drainer.isAlive();
  }

  void defineClockPair() {
    long before = drainer.now();
    long monotonic = System.nanoTime();
    java.time.Instant wall = java.time.Instant.now();
    long after = drainer.now();
    define(
        new Definition.ClockPair(
            before + (after - before) / 2,
            monotonic,
            wall.getEpochSecond() * 1_000_000_000L + wall.getNano()));
  }

  /** Who keeps how long putting probes into classes took. */
  public Weavings weavings() {
    return weavings;
  }

  void defineOwnCost() {
    define(
        new Definition.OwnCost(
            process,
            weavings.nanos(),
            weavings.count(),
            OwnThreads.cpuNanos(),
            System.nanoTime() - begun));
    define(
        new Definition.ProcessorTime(
            process, OwnThreads.processNanos(), OwnThreads.compilerNanos()));
  }

  int process() {
    return process;
  }

  Budget budget() {
    return budget;
  }

  Governor governor() {
    return governor;
  }

  DrainerWatch drainer() {
    return drainer;
  }

  void keepNames() {
    rings.keepNames(this);
  }

  /** Off the fast path of the probes. */
  SlowPath slowPath() {
    return slowPath;
  }

  /**
   * Says once what went wrong inside the recorder or agent, and switches recording off. Never
   * throws: it is called in the middle of the program's code.
   */
  public void fault(String what, Throwable cause) {
    try {
      boolean first = !stopped;
      stopped = true;
      switchOff();
      if (first) {
        OwnEvents.end();
        Faults.tell(what, cause, session.verbose() || session.strict());
      }
      if (session.strict()) {
        Faults.halt();
      }
    } catch (RuntimeException | Error e) {
      Faults.throwIfPrograms(e); // else nobody can be told
    }
  }

  private static int claimNumber(Path directory) throws IOException {
    for (int number = 1; ; number++) {
      try {
        Files.createDirectory(
            directory.resolve("p" + number),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return number;
      } catch (FileAlreadyExistsException e) {
        // another process has this number
      }
    }
  }

  private static Path home(Session session, int process) {
    return session.directory().resolve("p" + process);
  }
}
