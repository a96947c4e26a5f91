package dev.kymo.recorder;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.recorder.budget.BudgetFinding;
import dev.kymo.recorder.budget.Calibration;
import dev.kymo.recorder.budget.Governor;
import dev.kymo.recorder.budget.ProbeRemoval;
import dev.kymo.recorder.budget.Reweaver;
import dev.kymo.recorder.platform.AgentLibrary;
import dev.kymo.recorder.platform.BackgroundThreads;
import dev.kymo.recorder.platform.Faults;
import dev.kymo.recorder.platform.JdkInternals;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.platform.ProcFiles;
import dev.kymo.recorder.platform.RecorderCost;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.platform.TickClock;
import dev.kymo.recorder.ring.Budget;
import dev.kymo.recorder.ring.Counters;
import dev.kymo.recorder.ring.DefinitionStream;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.ring.RingFactory;
import dev.kymo.recorder.ring.RingFile;
import dev.kymo.recorder.ring.RingRegistry;
import dev.kymo.recorder.ring.SampleTimer;
import dev.kymo.recorder.ring.SlowPath;
import dev.kymo.recorder.userevents.EventRecording;
import dev.kymo.recorder.userevents.UserEvents;
import dev.kymo.recorder.waits.StateTracks;
import dev.kymo.recorder.waits.Weavings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The recording of this process: its place in the session, its definitions, its rings. At most one
 * at a time; a second one may follow when the first has stopped, on the same clock.
 */
public final class ProcessRecorder implements EventRecording {
  private static final int PATIENCE_MILLIS = 10_000;

  private static volatile @Nullable ProcessRecorder current;

  private final Session session;
  private final int process;
  private final ByteBuffer control;
  private final DrainerWatch drainer;
  private final DefinitionStream definitions;
  private final RingRegistry rings;
  private final SlowPath slowPath;
  private final Budget budget;
  private final Governor governor;
  private final ProbeRemoval probeRemoval;
  private final long begun = System.nanoTime();
  private volatile boolean stopped;
  private volatile boolean over;
  private volatile boolean paused;
  private final TimeLimit timeLimit = new TimeLimit(this);
  private volatile Level level = Level.ALL;
  private final StateTracks states;
  private final Weavings weavings;

  private final BackgroundThreads background = new BackgroundThreads();

  private volatile @Nullable ControlSocket socket;
  private final Ending ending = new Ending(this);
  private volatile StopAction onStop = running -> {};

  /** An action that runs when the recording stops. */
  @FunctionalInterface
  public interface StopAction {
    /**
     * Runs the action.
     *
     * @param running methods whose classes must not be woven again now
     */
    void run(Set<Integer> running) throws Exception;
  }

  private ProcessRecorder(Session session) throws IOException {
    this.session = session;
    this.process = claimNumber(session.directory());
    Path home = home(session, process);
    this.control = RingFile.map(home.resolve("control.new"), ControlLayout.SIZE);
    this.drainer =
        new DrainerWatch(
            control, TickClock.chosen(), session.directory().resolve(ControlLayout.ALIVE));
    control.putInt(ControlLayout.PID_OFFSET, AgentLibrary.pid());
    control.putInt(ControlLayout.PROCESS_OFFSET, process);
    control.putLong(ControlLayout.BEGUN_BY_OFFSET, ProcFiles.startTime("self"));
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.RUNNING);
    control.putLong(ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    this.budget =
        new Budget(session.methods().budget(), Calibration.ticksPerSecondAbout(session.clock()));
    Calibration.guess(session.clock(), budget);
    Counters counters = Counters.create(home.resolve("counters"));
    RingFactory factory =
        new RingFactory(
            session.uuid(),
            process,
            home,
            control,
            session.buffers().size(),
            session.buffers().whenFull());
    this.definitions = new DefinitionStream(factory.definitionRing(), drainer, process);
    this.rings =
        new RingRegistry(factory, control, drainer, budget, counters, definitions, SlowPath.MAKER);
    this.slowPath = new SlowPath(this, rings);
    this.probeRemoval =
        new ProbeRemoval(work -> background.run(work, RecorderThreads.WEAVING), drainer.now());
    SampleTimer sampleTimer = new SampleTimer(this, drainer, budget, background);
    this.governor =
        new Governor(definitions, drainer, budget, rings, counters, probeRemoval, sampleTimer);
    this.states = new StateTracks(definitions, rings, factory, drainer, isFlightRecorder());
    this.weavings = new Weavings(states, rings, drainer);
    this.paused = !session.events().user().startOn().isEmpty();
    Files.move(home.resolve("control.new"), home.resolve("control"));
  }

  /**
   * Starts recording this process; probes stay off until {@link #switchOn}.
   *
   * @throws IOException if the shared memory cannot be created
   * @throws IllegalStateException if the process is recorded already, or cannot read the clock
   */
  public static synchronized ProcessRecorder start(Session session) throws IOException {
    ProcessRecorder running = current;
    if (running != null && !(running.stopped && running.isOver())) {
      throw new IllegalStateException(
          "this process is recorded already: recording=" + running.session.recording());
    }
    JdkInternals.loadClassesOfOverflows();
    TickClock.choose(session.clock());
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
    Probe.begin(recorder.now());
    recorder.slowPath.use();
    UserEvents.begin(recorder, session.events().user());
    new Housekeeper(recorder).start();
    return recorder;
  }

  /** Whether a recording that has stopped has undone all it did, which may take a moment. */
  private boolean isOver() {
    for (int i = 0; i < PATIENCE_MILLIS && !over; i++) {
      LockSupport.parkNanos(1_000_000);
    }
    return over;
  }

  public static @Nullable ProcessRecorder current() {
    return current;
  }

  public Session session() {
    return session;
  }

  /** Lets probes record from now on, unless a trigger starts the recording later. */
  public void switchOn() {
    timeLimit.begin();
    Probe.switchOn(!paused && level.calls());
    UserEvents.show();
  }

  @Override
  public boolean isPaused() {
    return paused;
  }

  @Override
  public boolean recordsEvents() {
    return !paused && level.events();
  }

  @Override
  public String execute(String line, String by) {
    return RecorderCommands.execute(this, line, by);
  }

  Level level() {
    return level;
  }

  synchronized void level(Level other) {
    level = other;
    change();
  }

  @Override
  public synchronized void resume() {
    if (paused) {
      paused = false;
      notice("recording goes on here");
      change();
    }
  }

  @Override
  public synchronized void pause(String by) {
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
    return session.buffers().isFlightRecorder();
  }

  @Override
  public synchronized void snapshot() {
    int asked = control.getInt(ControlLayout.SNAPSHOTS_OFFSET);
    control.putInt(ControlLayout.SNAPSHOTS_OFFSET, asked + 1);
  }

  /**
   * Waits until all committed records and the present counts are in the files; returns false if
   * nobody drains.
   */
  boolean flush() {
    governor.publish();
    if (!definitions.write(true)) {
      return false;
    }
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

  @Override
  public void lose() {
    rings.loseWithoutRing();
  }

  /** Makes probes return at once until they are switched on again. */
  public void switchOff() {
    Probe.switchOn(false);
    rings.retire(stopped);
  }

  @Override
  public void define(Definition definition) {
    definitions.put(definition);
  }

  @Override
  public void notice(String text) {
    definitions.notice(text);
  }

  public void onStop(StopAction action) {
    onStop = action;
  }

  /**
   * Takes over what an earlier run found out about a method whose class is being woven. If the
   * method was left out then, the class gets no probe for it.
   */
  public void remember(int method, BudgetFinding finding) {
    governor.remember(method, finding);
  }

  /** Returns the governor's findings so far, by method. */
  public Map<Integer, BudgetFinding> findings() {
    return governor.findings();
  }

  /**
   * Sets what can remove probes from methods; call it before {@link #switchOn}. If nothing is to be
   * left out, none are removed.
   */
  public void reweaver(Reweaver reweaver) {
    if (!session.methods().keepAll()) {
      probeRemoval.reweaver(reweaver);
    }
  }

  public StateTracks states() {
    return states;
  }

  /** Returns the time on the recording's clock, in ticks. */
  public long now() {
    return drainer.now();
  }

  /** Ends the recording of this process; recorded data stays. */
  public void stop() {
    if (stopped) {
      return;
    }
    ending.keepFindings();
    stopped = true;
    try {
      undo();
    } finally {
      over = true;
    }
  }

  private void undo() {
    switchOff();
    UserEvents.end();
    governor.release();
    closeSocket();
    background.awaitEnd();
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

  /** Returns the threads that work for this recording for a limited time. */
  BackgroundThreads background() {
    return background;
  }

  /** Listens to {@code kymo ctl}; the program does not wait for this when it starts. */
  void listen() {
    try {
      ControlSocket open = ControlSocket.open(this, home(session, process));
      socket = open;
      background.run(open::serve, RecorderThreads.CONTROL);
    } catch (IOException | RuntimeException e) {
      notice("kymo ctl cannot reach this process: error=" + e);
    }
  }

  /** Makes this process unreachable for {@code kymo ctl}. */
  void closeSocket() {
    ControlSocket open = socket;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // it is deleted with the shared memory
      }
    }
  }

  /** Returns whether calls or events of a platform thread itself were recorded. */
  public boolean hasTrack(Thread thread) {
    return rings.hasTrack(thread);
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  public Ending ending() {
    return ending;
  }

  /** Tells the drainer that this process ended its recording itself. */
  void ended() {
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.ENDED);
  }

  /** Returns whether the drainer asked for the end, or is dead. */
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

  public Weavings weavings() {
    return weavings;
  }

  void defineOwnCost() {
    define(
        new Definition.OwnCost(
            process,
            weavings.nanos(),
            weavings.count(),
            RecorderCost.cpuNanos(),
            System.nanoTime() - begun));
    define(
        new Definition.ProcessorTime(
            process, RecorderCost.processNanos(), RecorderCost.compilerNanos()));
  }

  Budget budget() {
    return budget;
  }

  Governor governor() {
    return governor;
  }

  /** Writes what was left for later, in the end all of it, and names that have changed. */
  void keepDefinitions(boolean last) {
    weavings.write(last);
    rings.keepNames();
    definitions.write(last);
  }

  Calibration calibration() {
    return new Calibration(this, definitions, drainer, budget);
  }

  @Override
  public void fault(String what, Throwable cause) {
    try {
      boolean first = !stopped;
      stopped = true;
      switchOff();
      if (first) {
        UserEvents.end();
        Messages.fault(what, cause, session.manner().verbose() || session.manner().strict());
      }
      if (session.manner().strict()) {
        Faults.halt();
      }
    } catch (RuntimeException | Error e) {
      Faults.throwIfPrograms(e); // others cannot be reported to anyone
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
