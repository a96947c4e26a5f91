package dev.kymo.agent;

import dev.kymo.recorder.OwnThreads;
import dev.kymo.recorder.OwnWork;
import dev.kymo.recorder.Parking;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what threads wait for and what the virtual machine does, as soon as that fits the budget.
 * A daemon thread brings it all into the order of time and writes it, about a second after it
 * happened.
 */
final class Waits implements Runnable {
  private static final long PERIOD_MILLIS = 100;
  private static final long END_PATIENCE_MILLIS = 10_000;
  private static final long START_PATIENCE_NANOS = 10_000_000_000L;
  private static final String FLIGHT_RECORDER = "jdk.jfr";

  /** A look at all threads takes longer than all else that a round does: about once a second. */
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
  private @Nullable Looks looks;
  private int rounds;
  private boolean parking;
  private boolean begun;
  private long lastRound;
  private int parked;
  private boolean ended;

  private Waits(Instrumentation instrumentation, ProcessRecorder recorder) {
    Session session = recorder.session();
    this.instrumentation = instrumentation;
    this.recorder = recorder;
    this.atOnce = session.waits().equals(Session.ON) || session.jvmEvents().equals(Session.ON);
    this.waits = !session.waits().equals(Session.OFF);
    this.machine = !session.jvmEvents().equals(Session.OFF);
    this.budget = new WaitBudget(session.budget());
    this.parks = new ParkWeaver(instrumentation);
    this.threadClasses = new ThreadClasses(instrumentation);
    this.writer =
        new StateWriter(recorder.states(), MethodNumbers.in(recorder), recorder::hasTrack);
    this.loads = new LoadWriter(recorder.states());
    this.lastRound = recorder.now();
  }

  /** Records what the session asks for: at once, or as soon as the budget allows. */
  static void start(Instrumentation instrumentation, ProcessRecorder recorder) {
    Waits waits = new Waits(instrumentation, recorder);
    if (!waits.waits && !waits.machine) {
      return;
    }
    // The flight recorder's threads are daemons only if the one that starts it is.
    Thread thread = new Thread(systemGroup(), waits, OwnThreads.WAITS, 0, false);
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
    OwnWork.begin();
    try {
      while (!atOnce && !budget.allowsParks()) {
        Thread.sleep(PERIOD_MILLIS);
        if (recorder.isStopped()) {
          return;
        }
      }
      begin();
      OwnThreads.look(false);
      budget.started();
      while (!recorder.isStopped() && round()) {
        Thread.sleep(PERIOD_MILLIS);
        beginEventsLater();
      }
      if (recorder.isStopped()) {
        end(); // nobody else does after a fault
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      recorder.notice("what threads wait for is no longer recorded: error=" + e);
      end();
    }
  }

  /** A program that runs on after its recording has nothing of it left. */
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

  /** Parks and looks cost little, so they begin long before the flight recorder does. */
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
            "monitors, sleep and the virtual machine's events are not recorded: the program has no"
                + " module "
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
      recorder.notice("locks and parks are not recorded: error=" + e);
      return;
    }
    try {
      parks.weaveRest();
    } catch (Exception | LinkageError e) {
      recorder.notice(
          "waits for references and starts of virtual threads are not recorded: error=" + e);
    }
  }

  private void beginLooks() {
    if (module(Looks.MODULE).isEmpty()) {
      recorder.notice(
          "monitors, waits and sleeps that began early or have not ended at the end are not recorded: the program"
              + " has no module "
              + Looks.MODULE
              + "; run it with --add-modules "
              + Looks.MODULE);
      return;
    }
    try {
      looks = new Looks(threadClasses, recorder::now, recorder::hasTrack);
    } catch (Exception | LinkageError e) {
      noLooks(e);
    }
  }

  private void noLooks(Throwable e) {
    looks = null;
    recorder.notice(
        "monitors, waits and sleeps that began early or have not ended at the end are not recorded: error="
            + e);
  }

  private void beginEvents() {
    Module flightRecorder = eventsToBegin.orElseThrow();
    eventsToBegin = Optional.empty();
    try {
      Set<Module> us = Set.of(Waits.class.getModule());
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
        return; // the program ends: see there
      }
      exit.isForProgram(programs);
      events = new FlightEvents(recorder, waits, machine, threadClasses);
      lookAtThreads(); // what they are in by now, the flight recorder may not know of
      if (looks != null) {
        looks.knownFrom(recorder.now());
      }
      OwnThreads.look(first);
    } catch (RuntimeException | LinkageError e) {
      recorder.notice(
          "monitors, sleep and the virtual machine's events are not recorded: the flight recorder"
              + " cannot start: error="
              + e);
    }
  }

  /** Writes what has come; false when the recording is over. */
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
    writer.writeUntil(looks == null ? until : Math.min(until, looks.settled()));
    lastRound = now;
    keepBudget();
    return true;
  }

  private void lookAtThreads() {
    Looks at = looks;
    if (at != null) {
      try {
        at.look();
        at.takeOver().forEach(writer::add);
      } catch (RuntimeException | LinkageError e) {
        noLooks(e);
      }
    }
  }

  /** What threads wait for still, to be written behind everything else. */
  private List<State> lookForTheLastTime() {
    Looks at = looks;
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
        "no longer recorded, because it does not fit the budget: events="
            + dropped
            + " share="
            + share
            + " budget="
            + budget.budget()
            + " (millionths)");
  }

  /** Writes the rest, and leaves everything as it was. */
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

  /** Not the program's group: that one may be destroyed, or counted, by the program. */
  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }
}
