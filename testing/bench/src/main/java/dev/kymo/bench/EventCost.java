package dev.kymo.bench;

import dev.kymo.api.Events;
import dev.kymo.api.Kymo;
import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.AgentLibrary;
import dev.kymo.recorder.platform.TickClock;
import dev.kymo.recorder.ring.Probe;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * What one event costs on this machine and Java, beside the cost of its parts and of other tools.
 * The rows take turns in the same run and medians are compared, because machines drift. The ring
 * overwrites itself, so that no disk is measured.
 *
 * <p>Arguments: clock ({@code tsc} or {@code monotonic}), rounds, the agent's library, and what is
 * measured: {@code calls}, {@code own} for events of the program's own, or {@code budget} for calls
 * that also stand on the thread's stack of calls, as they do where there is a budget.
 */
public final class EventCost {
  private static final int CALLS = 200_000;
  private static final int METHOD = 1;
  private static final int WARM_UP_ROUNDS = 30;

  private final MethodHandleClock clock;
  private final ProcessRecorder recorder;
  private long sink;

  private EventCost(ProcessRecorder recorder, String clockName) {
    this.recorder = recorder;
    this.clock =
        clockName.equals(Clock.TSC) ? new MethodHandleClock.Tsc() : new MethodHandleClock.Nano();
  }

  /** Prints a JSON object of nanoseconds. */
  public static void main(String[] arguments) throws IOException {
    String clock = arguments[0];
    String what = arguments[3];
    int rounds = Integer.parseInt(arguments[1]);
    AgentLibrary.load(Path.of(arguments[2]));
    Path shm = Path.of("/dev/shm");
    Path directory =
        Files.createTempDirectory(
            Files.isWritable(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir")),
            "kymo-bench-");
    try {
      int budget = what.equals("budget") ? Integer.MAX_VALUE : 0; // never used up
      Session session =
          Session.create(
                  directory, directory, clock, new Session.Buffers(2 << 20, RingLayout.OVERWRITE))
              .with(Session.Methods.DEFAULT.withBudget(budget))
              .with(Session.Manner.STRICT);
      ProcessRecorder recorder = ProcessRecorder.start(session);
      keepAlive(directory.resolve("p1").resolve("control"));
      new EventCost(recorder, clock).run(clock, rounds, what);
      recorder.stop();
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
      }
    }
  }

  /** Does only what a drainer would do: otherwise the recorder stops after some seconds. */
  private static void keepAlive(Path control) throws IOException {
    try (FileChannel file =
        FileChannel.open(control, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer page = file.map(FileChannel.MapMode.READ_WRITE, 0, ControlLayout.SIZE);
      Thread drainer =
          new Thread(() -> {
            for (byte beat = 1; ; beat++) {
              page.put(ControlLayout.HEARTBEAT_OFFSET, beat);
              LockSupport.parkNanos(1_000_000_000);
            }
          });
      drainer.setDaemon(true);
      drainer.start();
    }
  }

  /**
   * Each runs in a virtual machine of its own, because the JIT compiler's code for the probes
   * differs. The API finds the recorder only where the agent puts it, with the JDK's classes.
   */
  private void run(String clockName, int rounds, String what) {
    switch (what) {
      case "own" -> runOwn(rounds);
      case "budget" -> runBudget(rounds);
      default -> runCalls(clockName, rounds);
    }
    if (sink == 42) {
      System.out.println(); // the results are used
    }
  }

  private void runOwn(int rounds) {
    double[] medians =
        medians(
            rounds,
            () -> time(this::nothing),
            () -> time(this::clock),
            this::timeOwn,
            () -> time(OwnEvent::ticks));
    System.out.printf(
        Locale.ROOT,
        "{\"own_event_ns\":%.2f,\"own_event_per_clock\":%.3f,\"own_disabled_ns\":%.2f}%n",
        medians[2],
        medians[2] / medians[1],
        Math.max(0, medians[3] - medians[0]));
  }

  private void runBudget(int rounds) {
    double[] medians = medians(rounds, () -> time(this::clock), () -> time(this::events));
    System.out.printf(
        Locale.ROOT,
        "{\"budget_event_ns\":%.2f,\"budget_event_per_clock\":%.3f}%n",
        medians[1],
        medians[1] / medians[0]);
  }

  private void runCalls(String clockName, int rounds) {
    double[] medians =
        medians(
            rounds,
            () -> time(this::nothing),
            () -> time(this::clock),
            () -> time(this::events),
            this::timeOff,
            () -> time(this::nanoTime),
            () -> time(this::jfr));
    double empty = medians[0];
    double event = medians[2];
    System.out.printf(
        Locale.ROOT,
        "{\"java\":%d,\"clock\":\"%s\",\"clock_ns\":%.2f,\"event_ns\":%.2f,\"disabled_ns\":%.2f,"
            + "\"nanotime_ns\":%.2f,\"jfr_commit_ns\":%.2f,\"loop_ns\":%.2f,"
            + "\"event_per_clock\":%.3f,\"event_per_jfr_commit\":%.3f,\"rounds\":%d}%n",
        Runtime.version().feature(),
        clockName,
        medians[1],
        event,
        Math.max(0, medians[3] - empty),
        medians[4],
        medians[5],
        empty,
        event / medians[1],
        event / medians[5],
        rounds);
  }

  /** Each takes its turn in every round. */
  private static double[] medians(int rounds, DoubleSupplier... rows) {
    double[][] times = new double[rows.length][rounds];
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (int i = 0; i < rows.length; i++) {
        double time = rows[i].getAsDouble();
        if (round >= 0) {
          times[i][round] = time;
        }
      }
    }
    return Arrays.stream(times).mapToDouble(EventCost::median).toArray();
  }

  private static double time(Runnable work) {
    long begin = System.nanoTime();
    work.run();
    return (System.nanoTime() - begin) / (double) CALLS;
  }

  private double timeOff() {
    return time(this::disabled);
  }

  private void nothing() {
    long x = sink;
    for (int i = 0; i < CALLS; i++) {
      x = x * 31 + i;
    }
    sink = x;
  }

  private void disabled() {
    long x = sink;
    for (int i = 0; i < CALLS; i++) {
      long token = Probe.enter(METHOD);
      x = x * 31 + i;
      Probe.leave(METHOD, token);
    }
    sink = x;
  }

  private void clock() {
    sink += clock.read(CALLS);
  }

  private void events() {
    recorder.switchOn();
    for (int i = 0; i < CALLS; i += 2) {
      long token = Probe.enter(METHOD);
      Probe.leave(METHOD, token);
    }
    recorder.switchOff();
  }

  private double timeOwn() {
    recorder.switchOn();
    OwnEvent.switchTo(true);
    double nanos = time(OwnEvent::ticks);
    OwnEvent.switchTo(false);
    recorder.switchOff();
    return nanos;
  }

  private void nanoTime() {
    long x = 0;
    for (int i = 0; i < CALLS; i++) {
      x += System.nanoTime();
    }
    sink += x;
  }

  private void jfr() {
    JfrPeer.commits(CALLS);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** The bare clock in a loop; a class of its own per clock, so that the handle is a constant. */
  private interface MethodHandleClock {
    long read(int times);

    final class Tsc implements MethodHandleClock {
      private static final MethodHandle HANDLE = TickClock.handle(Clock.TSC);

      @Override
      public long read(int times) {
        try {
          long x = 0;
          for (int i = 0; i < times; i++) {
            x += (long) HANDLE.invokeExact();
          }
          return x;
        } catch (Throwable e) {
          throw new IllegalStateException(e);
        }
      }
    }

    final class Nano implements MethodHandleClock {
      @Override
      public long read(int times) {
        long x = 0;
        for (int i = 0; i < times; i++) {
          x += System.nanoTime();
        }
        return x;
      }
    }
  }

  /** An event of sixteen bytes, as generated code records it. */
  private static final class OwnEvent {
    private static final int[] NUMBERS =
        Events.subsystem("bench", 1, "", "")
            .event(1, "TICK", Events.INSTANT, "", "u64 n;")
            .numbers();

    private static long sum;

    static void switchTo(boolean on) {
      if (on) {
        Kymo.enable("bench");
      } else {
        Kymo.disable("bench");
      }
      if ((Events.on(NUMBERS, 0) != 0) != on) {
        throw new IllegalStateException("no recorder here");
      }
    }

    static void tick(long n) {
      int event = Events.on(NUMBERS, 0);
      if (event != 0) {
        Events.record(event, n);
      }
    }

    static void ticks() {
      long x = sum;
      for (int i = 0; i < CALLS; i++) {
        tick(x);
        x = x * 31 + i;
      }
      sum = x;
    }
  }

  /** The smallest flight recorder event, without a stack trace. */
  private static final class JfrPeer {
    private static final jdk.jfr.Recording RECORDING = start();

    static jdk.jfr.Recording start() {
      jdk.jfr.Recording recording = new jdk.jfr.Recording();
      recording.enable(Call.class).withoutStackTrace();
      recording.setToDisk(false);
      recording.start();
      return recording;
    }

    static void commits(int times) {
      if (RECORDING.getState() != jdk.jfr.RecordingState.RUNNING) {
        throw new IllegalStateException("no flight recorder here");
      }
      for (int i = 0; i < times; i++) {
        Call call = new Call();
        call.method = i;
        call.commit();
      }
    }

    @jdk.jfr.StackTrace(false)
    @jdk.jfr.Name("dev.kymo.bench.Call")
    private static final class Call extends jdk.jfr.Event {
      @SuppressWarnings("UnusedVariable") // the flight recorder reads it
      int method;
    }
  }
}
