package dev.kymo.agent.waits;

import dev.kymo.agent.weave.MethodNumbers;
import dev.kymo.format.NoticeCode;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.RecorderCost;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.waits.Parking;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what threads wait for and what the virtual machine does, as soon as this fits the budget.
 * A daemon thread sorts all of it by time and writes it about a second after it happened.
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
  private final ParkWeaver parks;
  private final StateWriter writer;
  private final LoadWriter loads;
  private final ThreadClasses threadClasses;
  private final FlightRecorderExit exit = new FlightRecorderExit();
  private @Nullable EventSource events;
  private Optional<Module> eventsToBegin = Optional.empty();
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
      return;
    }
    // The flight recorder's threads are daemons only if the thread that starts it is one.
    Thread thread = new Thread(systemGroup(), waits, RecorderThreads.WAITS, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
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
      while (!atOnce && !budget.allowsParks()) {
        Thread.sleep(PERIOD_MILLIS);
        if (recorder.isStopped()) {
          return;
        }
      }
      begin();
      RecorderCost.look(false);
      budget.started();
      while (!recorder.isStopped() && round()) {
        Thread.sleep(PERIOD_MILLIS);
        beginEventsLater();
      }
      if (recorder.isStopped()) {
        end(); // after a fault, nothing else ends it
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      recorder.notice(NoticeCode.WAITS_ENDED.text() + ": error=" + e);
      end();
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

  /**
   * Starts parks and looks; they cost little, so they begin long before the flight recorder does.
   */
  private synchronized void begin() {
    if (!ended) {
      if (waits) {
        recorder.weavings().keep();
        beginParks();
        beginLooks();
      }
      eventsToBegin = module(FLIGHT_RECORDER);
      if (eventsToBegin.isEmpty()) {
        recorder.notice(
            NoticeCode.EVENTS_MISSING.text()
                + ": the program has no module "
                + FLIGHT_RECORDER
                + "; run it with --add-modules "
                + FLIGHT_RECORDER);
      } else if (atOnce) {
        beginEvents();
      }
    }
    begun = true;
    notifyAll();
  }

  private synchronized void beginEventsLater() {
    if (eventsToBegin.isPresent() && !ended && budget.allowsFlightRecorder()) {
      beginEvents();
      budget.started();
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
      parks.weaveRest();
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
    } catch (Exception | LinkageError e) {
      noLooks(e);
    }
  }

  private void noLooks(Throwable e) {
    sampler = null;
    recorder.notice(NoticeCode.LONG_WAITS_MISSING.text() + ": error=" + e);
  }

  private void beginEvents() {
    Module flightRecorder = eventsToBegin.orElseThrow();
    eventsToBegin = Optional.empty();
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
      boolean programs = FlightEvents.hasRecordings(); // now it is initialized
      if (!exit.takeHook()) {
        return; // the program ends: see FlightRecorderExit
      }
      exit.isForProgram(programs);
      events = new FlightEvents(recorder, waits, machine, threadClasses);
      lookAtThreads(); // the flight recorder may not know the states they are in by now
      if (sampler != null) {
        sampler.knownFrom(recorder.now());
      }
      RecorderCost.look(first);
    } catch (RuntimeException | LinkageError e) {
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
      source.readClocks();
      take(source);
      until = source.isBroken() ? until : Math.min(until, source.complete());
    }
    if (rounds++ % ROUNDS_BETWEEN_LOOKS == 0) {
      lookAtThreads();
    }
    writer.writeUntil(sampler == null ? until : Math.min(until, sampler.settled()));
    lastRound = now;
    keepBudget();
    return true;
  }

  private void lookAtThreads() {
    ThreadSampler at = sampler;
    if (at != null) {
      try {
        at.look();
        at.takeOver().forEach(writer::add);
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
      at.takeOver().forEach(writer::add);
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

  /** Writes the rest, and restores everything. */
  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    boolean stopped = recorder.isStopped();
    EventSource source = events;
    if (source != null) {
      source.close();
      exit.isForProgram(FlightEvents.hasRecordings());
      take(source);
    }
    takeParks();
    recorder.weavings().take(true).forEach(writer::add);
    List<State> open = lookForTheLastTime();
    writer.writeUntil(Long.MAX_VALUE);
    writer.openParks(recorder.now());
    open.forEach(writer::open);
    try {
      if (parking && stopped) {
        parks.unweave();
      }
    } catch (Exception e) {
      recorder.notice("LockSupport or virtual threads keep calls to the recorder: error=" + e);
    }
    if (stopped) {
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
