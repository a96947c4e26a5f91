package dev.kymo.agent.waits;

import dev.kymo.agent.weave.MethodNumbers;
import dev.kymo.format.NoticeCode;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.RecorderCost;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.waits.Parking;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what threads wait for and what the virtual machine does: monitors and pauses from the
 * first moment on, parks as soon as weaving them fits the budget, and what only the flight recorder
 * knows where that is wanted. A daemon thread sorts all of it by time and writes it soon after it
 * happened.
 */
public final class WaitRecorder implements Runnable {
  private static final long PERIOD_MILLIS = 100;
  private static final long END_PATIENCE_MILLIS = 10_000;
  private static final long START_PATIENCE_NANOS = 10_000_000_000L;
  private static final String FLIGHT_RECORDER = "jdk.jfr";

  /**
   * A look at all threads takes longer than the rest of a round, so it is done about once a second.
   */
  private static final int ROUNDS_BETWEEN_LOOKS = 10;

  private final Instrumentation instrumentation;
  private final ProcessRecorder recorder;
  private final WaitBudget budget;
  private final boolean atOnce;
  private final boolean waits;
  private final boolean machine;
  private final boolean flight;
  private final ParkWeaver parks;
  private final StateWriter writer;
  private final LoadWriter loads;
  private final ThreadClasses threadClasses;
  private final FlightRecorderExit exit = new FlightRecorderExit();
  private @Nullable EventSource events;
  private Optional<FlightFiles> files = Optional.empty();
  private @Nullable ThreadSampler sampler;
  private int rounds;
  private boolean parking;
  private boolean begun;
  private long lastRound;
  private int parked;
  private boolean ended;

  private WaitRecorder(Instrumentation instrumentation, ProcessRecorder recorder) {
    Session session = recorder.session();
    this.instrumentation = instrumentation;
    this.recorder = recorder;
    this.atOnce =
        session.events().waits().equals(Session.ON) || session.events().jvm().equals(Session.ON);
    this.waits = !session.events().waits().equals(Session.OFF);
    this.machine = !session.events().jvm().equals(Session.OFF);
    this.flight = session.events().jvm().equals(Session.ON);
    this.budget = new WaitBudget(session.methods().keepAll() ? 0 : session.methods().budget());
    this.parks = new ParkWeaver(instrumentation);
    this.threadClasses = new ThreadClasses(instrumentation);
    this.writer =
        new StateWriter(recorder.states(), MethodNumbers.in(recorder), recorder::hasTrack);
    this.loads = new LoadWriter(recorder.states());
    this.lastRound = recorder.now();
  }

  /** Records the states that the session asks for: at once, or as soon as the budget allows. */
  public static void start(Instrumentation instrumentation, ProcessRecorder recorder) {
    WaitRecorder waits = new WaitRecorder(instrumentation, recorder);
    if (!waits.waits && !waits.machine) {
      recorder.weavings().areAlone();
      return;
    }
    recorder.weavings().keep();
    // The flight recorder's threads are daemons only if the thread that starts it is one.
    Thread thread = new Thread(systemGroup(), waits, RecorderThreads.WAITS, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    recorder.states().writtenUntil(waits.lastRound);
    recorder
        .ending()
        .before(() -> {
          waits.end();
          waits.awaitEnd(thread);
        });
    recorder.ending().after(waits.exit::run);
    thread.start();
    if (waits.atOnce) {
      waits.awaitBegin();
    }
  }

  @Override
  public void run() {
    RecorderWork.begin();
    try {
      beginEvents();
      budget.started();
      if (atOnce) {
        begin();
      }
      while (!recorder.isStopped() && round()) {
        Thread.sleep(PERIOD_MILLIS);
        if (!begun && budget.allowsParks()) {
          begin();
        }
      }
      if (recorder.isStopped()) {
        end(); // after a fault, nothing else ends it
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      recorder.notice(NoticeCode.WAITS_ENDED.text() + ": error=" + e);
      endAfterFault();
    }
  }

  /** Nothing of this may reach the program's standard error. */
  private void endAfterFault() {
    try {
      end();
    } catch (RuntimeException | Error e) {
      recorder.notice(NoticeCode.WAITS_ENDED.text() + ": error=" + e);
    }
  }

  /** Removes everything of the recording from a program that continues after it. */
  private void awaitEnd(Thread thread) {
    if (recorder.isStopped()) {
      try {
        thread.join(END_PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void awaitBegin() {
    long deadline = System.nanoTime() + START_PATIENCE_NANOS;
    try {
      while (!begun && System.nanoTime() < deadline) {
        wait(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void begin() {
    if (!ended && waits) {
      beginParks();
      beginLooks();
      RecorderCost.look(false);
    }
    budget.started();
    begun = true;
    notifyAll();
  }

  /** Starts the flight recorder if it is wanted and there, and otherwise what needs no start. */
  private synchronized void beginEvents() {
    if (ended) {
      return;
    }
    if (flight) {
      Optional<Module> flightRecorder = module(FLIGHT_RECORDER);
      if (flightRecorder.isPresent()) {
        beginFlight(flightRecorder.get());
      } else {
        recorder.notice(
            NoticeCode.EVENTS_MISSING.text()
                + ": the program has no module "
                + FLIGHT_RECORDER
                + "; run it with --add-modules "
                + FLIGHT_RECORDER);
      }
    }
    if (events == null) {
      events = MonitorEvents.begin(recorder, waits, machine);
      if (events == null) {
        recorder.notice(
            NoticeCode.EVENTS_MISSING.text()
                + ": the virtual machine does not report them, or the agent has no library in C");
      }
    }
  }

  private void beginParks() {
    try {
      parks.weave();
      parking = true;
    } catch (Exception | LinkageError e) {
      recorder.notice(NoticeCode.LOCKS_MISSING.text() + ": error=" + e);
      return;
    }
    try {
      parks.weaveRest(events instanceof MonitorEvents);
    } catch (Exception | LinkageError e) {
      recorder.notice(NoticeCode.STARTS_MISSING.text() + ": error=" + e);
    }
  }

  private void beginLooks() {
    if (module(ThreadSampler.MODULE).isEmpty()) {
      recorder.notice(
          NoticeCode.LONG_WAITS_MISSING.text()
              + ": the program has no module "
              + ThreadSampler.MODULE
              + "; run it with --add-modules "
              + ThreadSampler.MODULE);
      return;
    }
    try {
      sampler = new ThreadSampler(threadClasses, recorder::now, recorder::hasTrack);
      if (events != null && !(events instanceof MonitorEvents)) {
        lookAtThreads(); // the flight recorder may not know the states they are in by now
        sampler.knownFrom(recorder.now());
      }
    } catch (Exception | LinkageError e) {
      noLooks(e);
    }
  }

  private void noLooks(Throwable e) {
    sampler = null;
    recorder.notice(NoticeCode.LONG_WAITS_MISSING.text() + ": error=" + e);
  }

  private void beginFlight(Module flightRecorder) {
    try {
      Set<Module> us = Set.of(WaitRecorder.class.getModule());
      instrumentation.redefineModule(
          flightRecorder,
          Set.of(),
          Map.of(),
          Map.of(FLIGHT_RECORDER, us, "jdk.jfr.consumer", us, "jdk.jfr.internal", us),
          Set.of(),
          Map.of());
      boolean first = !FlightEvents.isInitialized();
      Optional<FlightFiles> ours =
          first ? Optional.of(FlightFiles.use(recorder)) : Optional.empty();
      boolean programs = FlightEvents.hasRecordings(); // now it is initialized
      if (!exit.takeHook()) {
        return; // the program ends: see FlightRecorderExit
      }
      exit.isForProgram(programs);
      files = ours;
      events = new FlightEvents(recorder, waits, machine, threadClasses, ours);
      RecorderCost.look(first);
    } catch (IOException | RuntimeException | LinkageError e) {
      recorder.notice(
          NoticeCode.EVENTS_MISSING.text() + ": the flight recorder cannot start: error=" + e);
    }
  }

  /** Writes new states; false when the recording is over. */
  private synchronized boolean round() {
    if (ended) {
      return false;
    }
    long now = recorder.now();
    takeParks();
    recorder.weavings().take(false).forEach(writer::add);
    EventSource source = events;
    long until = lastRound;
    if (source != null) {
      if (sampler != null && source instanceof MonitorEvents monitors) {
        monitors.look(sampler.machine());
      }
      source.readClocks();
      take(source);
      until = source.isBroken() ? until : Math.min(until, source.complete());
    }
    if (rounds++ % ROUNDS_BETWEEN_LOOKS == 0) {
      if (source instanceof FlightEvents flightEvents) {
        exit.isForProgram(flightEvents.areOthers()); // the end may come too late for a look
      }
      lookAtThreads();
    }
    until = sampler == null ? until : Math.min(until, sampler.settled());
    writer.writeUntil(until);
    recorder.states().writtenUntil(until);
    lastRound = now;
    keepBudget();
    return true;
  }

  private void lookAtThreads() {
    ThreadSampler at = sampler;
    if (at != null) {
      try {
        at.look();
        at.takeOver().forEach(writer::addSeen);
      } catch (RuntimeException | LinkageError e) {
        noLooks(e);
      }
    }
  }

  /** The waits that have not ended, to be written after everything else. */
  private List<State> lookForTheLastTime() {
    ThreadSampler at = sampler;
    if (at == null) {
      return List.of();
    }
    try {
      List<State> open = at.take();
      at.takeOver().forEach(writer::addSeen);
      return open;
    } catch (RuntimeException | LinkageError e) {
      noLooks(e);
      return List.of();
    }
  }

  private void take(EventSource source) {
    source.take().forEach(writer::add);
    loads.write(source.takeLoads());
  }

  private void takeParks() {
    Parking.take(
        park -> {
          parked++;
          writer.begun(park);
        },
        writer::ended);
    int lost = Parking.takeLost();
    if (lost > 0) {
      recorder.states().lose(2 * lost);
    }
  }

  private void keepBudget() {
    if (!budget.isPeriodOver()) {
      return;
    }
    EventSource source = events;
    int commonest = source == null ? 0 : source.commonest();
    int parks = parked;
    parked = 0;
    long share = budget.excess(Math.max(commonest, parks));
    if (share == 0) {
      return;
    }
    String dropped;
    if (source != null && commonest > parks) {
      dropped = source.dropCommonest();
    } else {
      dropped = "parks and locks";
      Parking.switchOff();
    }
    recorder.notice(
        NoticeCode.OVER_BUDGET.text()
            + ": events="
            + dropped
            + " share="
            + share
            + " budget="
            + budget.budget()
            + " (millionths)");
  }

  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    boolean stopped = recorder.isStopped();
    EventSource source = events;
    if (source != null) {
      source.close();
      if (!(source instanceof MonitorEvents)) {
        exit.isForProgram(FlightEvents.hasRecordings());
      }
      take(source);
    }
    takeParks();
    recorder.weavings().take(true).forEach(writer::add);
    List<State> open = lookForTheLastTime();
    writer.writeUntil(Long.MAX_VALUE);
    writer.openParks(recorder.now());
    open.forEach(writer::open);
    recorder.states().writtenUntil(Long.MAX_VALUE);
    try {
      if (parking && stopped) {
        parks.unweave();
      }
    } catch (Exception e) {
      recorder.notice("LockSupport or virtual threads keep calls to the recorder: error=" + e);
    }
    if (stopped) {
      files.ifPresent(FlightFiles::giveBack);
      exit.giveBack();
    }
  }

  private static Optional<Module> module(String name) {
    return ModuleLayer.boot().findModule(name);
  }

  /** Not the program's group: the program may destroy it, or count its threads. */
  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }
}
