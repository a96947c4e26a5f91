package dev.kymo.agent.waits;

import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.platform.RecorderWork;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the flight recorder's events inside the program. Events come in flushes, a few per
 * second. Their times are converted once a flush has brought the clock readings before and after
 * them.
 *
 * <p>An event that ended before a reading of the clocks may come one flush later than the reading,
 * if its thread's buffer had just been emptied, but not later.
 */
final class FlightEvents implements EventSource {
  private static final String LOAD = "jdk.ThreadCPULoad";
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(200);
  private static final int READINGS_IN_A_ROUND = 4;
  private static final long PATIENCE_NANOS = 2_000_000_000L;

  private final ProcessRecorder recorder;
  private final Optional<FlightFiles> files;
  private final RecordingStream stream = new RecordingStream();
  private final FlightClock clock = new FlightClock();
  private final Map<String, Integer> counts = new HashMap<>();
  private List<Raw> raw = new ArrayList<>();
  private List<State> states = new ArrayList<>();
  private final ThreadLoads threadLoads = new ThreadLoads();
  private List<Load> loads = new ArrayList<>();
  private String commonest = "";
  private long round;
  private long roundSeen;
  private long roundFlushed;
  private long complete;
  private long nextComplete;
  private volatile boolean broken;

  /** A state whose times are the flight recorder's. */
  private record Raw(long begin, long end, State state) {}

  FlightEvents(
      ProcessRecorder recorder,
      boolean waits,
      boolean machine,
      ThreadClasses threadClasses,
      Optional<FlightFiles> files) {
    this.recorder = recorder;
    this.files = files;
    stream.setMaxSize(FlightFiles.MOST_KEPT);
    stream.setReuse(true);
    stream.setOrdered(true);
    setFlushInterval();
    stream.enable(ClockEvent.class).withoutStackTrace().withoutThreshold();
    stream.onEvent(ClockEvent.NAME, this::clocks);
    if (waits) {
      WaitEvents events = new WaitEvents(threadClasses);
      on("jdk.JavaMonitorEnter", events::monitorEnter);
      on("jdk.JavaMonitorWait", events::monitorWait);
      on("jdk.ThreadSleep", events::sleep);
      on("jdk.ThreadStart", events::start);
    }
    if (machine) {
      MachineEvents events = new MachineEvents();
      on("jdk.GarbageCollection", events::collection);
      on("jdk.GCPhasePause", events::pause);
      on("jdk.Compilation", events::compilation);
      on("jdk.ClassLoad", events::classLoad);
      on("jdk.SafepointBegin", events::safepointBegin);
      on("jdk.ExecuteVMOperation", events::operation);
      on("jdk.SafepointEnd", events::safepointEnd);
      stream.enable(LOAD).withPeriod(ThreadLoads.PERIOD);
      stream.onEvent(LOAD, this::load);
    }
    stream.onFlush(this::flushed);
    stream.onClose(() -> broken = true);
    stream.onError(error -> broken = true); // otherwise the stream prints it and goes on
    start();
    readClocks();
  }

  /** A thread of Kymo's own, because the stream's thread would keep the program alive. */
  private void start() {
    Runnable unrecorded =
        () -> {
          RecorderWork.begin();
          stream.start();
        };
    Thread thread = new Thread(unrecorded, RecorderThreads.EVENTS);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    ClockEvent event = new ClockEvent();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    try {
      while (!event.isEnabled() && System.nanoTime() < deadline) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether somebody else uses the flight recorder already. */
  static boolean isInitialized() {
    return FlightRecorder.isInitialized();
  }

  /** Whether there is a flight recording, including this one while it is open. */
  static boolean hasRecordings() {
    return !FlightRecorder.getFlightRecorder().getRecordings().isEmpty();
  }

  /** Whether there is a flight recording besides this one. */
  boolean areOthers() {
    return FlightRecorder.getFlightRecorder().getRecordings().size() > (broken ? 0 : 1);
  }

  @Override
  public void readClocks() {
    if (!broken && files.isPresent() && !files.get().hasRoom()) {
      broken = true;
      stream.close();
      recorder.notice("the flight recorder has ended: there is no room for its files any more");
    }
    mark();
  }

  private synchronized void mark() {
    round++;
    for (int i = 0; i < READINGS_IN_A_ROUND; i++) {
      ClockEvent event = new ClockEvent();
      event.round = round;
      event.begin();
      event.clock = recorder.now();
      event.end();
      event.commit();
    }
  }

  @Override
  public synchronized List<State> take() {
    List<State> taken = states;
    states = new ArrayList<>();
    return taken;
  }

  @Override
  public synchronized List<Load> takeLoads() {
    List<Load> taken = loads;
    loads = new ArrayList<>();
    return taken;
  }

  @Override
  public synchronized long complete() {
    return complete;
  }

  @Override
  public boolean isBroken() {
    return broken;
  }

  @Override
  public synchronized int commonest() {
    commonest = "";
    int most = 0;
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      if (entry.getValue() > most) {
        commonest = entry.getKey();
        most = entry.getValue();
      }
    }
    counts.clear();
    return most;
  }

  @Override
  public synchronized String dropCommonest() {
    stream.disable(commonest);
    if (commonest.equals("jdk.SafepointEnd")) {
      stream.disable("jdk.SafepointBegin");
      stream.disable("jdk.ExecuteVMOperation");
    }
    return commonest;
  }

  @Override
  public void close() {
    readClocks();
    try {
      stopStream();
    } catch (ReflectiveOperationException e) {
      awaitRound();
    }
    stream.close();
    synchronized (this) {
      threadLoads.end();
      convert(Long.MAX_VALUE);
      complete = Long.MAX_VALUE;
    }
  }

  /** Java 20 or later; ends when all events have been handed out. */
  private void stopStream() throws ReflectiveOperationException {
    RecordingStream.class.getMethod("stop").invoke(stream);
  }

  private void awaitRound() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    try {
      while (!broken && !isSeen() && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isSeen() {
    return roundFlushed == round;
  }

  private void on(String name, Function<RecordedEvent, @Nullable State> reader) {
    stream.enable(name).withoutStackTrace().withoutThreshold();
    stream.onEvent(
        name,
        event -> {
          State state = reader.apply(event);
          if (state != null) {
            keep(name, event, state);
          }
        });
  }

  private synchronized void keep(String name, RecordedEvent event, State state) {
    long end = event.getLong("startTime");
    if (event.hasField("duration")) {
      end += event.getLong("duration");
    }
    // A state may have begun with another event; then it has that event's time.
    long begin = state.begin() == 0 ? event.getLong("startTime") : state.begin();
    raw.add(new Raw(begin, end, state));
    counts.merge(name, 1, Integer::sum);
  }

  private synchronized void load(RecordedEvent event) {
    RecordedThread thread = event.getThread("eventThread");
    if (thread != null && thread.getJavaThreadId() > 0) {
      double share = event.getFloat("user") + event.getFloat("system"); // share of all processors
      threadLoads.add(
          thread.getJavaThreadId(),
          WaitEvents.name(thread),
          event.getLong("startTime"),
          share * Runtime.getRuntime().availableProcessors());
      counts.merge(LOAD, 1, Integer::sum);
    }
  }

  private synchronized void clocks(RecordedEvent event) {
    long begin = event.getLong("startTime");
    roundSeen = event.getLong("round");
    clock.add(roundSeen, begin, begin + event.getLong("duration"), event.getLong("clock"));
  }

  private synchronized void flushed() {
    roundFlushed = roundSeen;
    if (clock.isReady()) {
      convert(clock.latestFlight());
      complete = nextComplete;
      nextComplete = clock.latest();
    }
  }

  /** States that ended later wait for the next clock reading. */
  private void convert(long until) {
    if (!clock.isReady()) {
      return;
    }
    List<Raw> later = new ArrayList<>();
    for (Raw one : raw) {
      if (one.end <= until) {
        states.add(one.state.at(clock.convert(one.begin), clock.convert(one.end)));
      } else {
        later.add(one);
      }
    }
    raw = later;
    for (Load load : threadLoads.take()) {
      loads.add(load.at(clock.convert(load.time())));
    }
  }

  /** There is no public method for this; without it, events come once per second. */
  private void setFlushInterval() {
    try {
      Object recording = field(stream, "recording");
      Object internal = field(recording, "internal");
      Method set = internal.getClass().getMethod("setFlushInterval", Duration.class);
      set.setAccessible(true);
      set.invoke(internal, FLUSH_INTERVAL);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // another version of the JDK
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
