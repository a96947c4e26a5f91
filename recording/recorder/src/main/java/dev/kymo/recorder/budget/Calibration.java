package dev.kymo.recorder.budget;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import dev.kymo.recorder.ring.Budget;
import dev.kymo.recorder.ring.CallStack;
import dev.kymo.recorder.ring.Counter;
import dev.kymo.recorder.ring.DefinitionStream;
import dev.kymo.recorder.ring.DrainerWatch;
import dev.kymo.recorder.ring.MethodCounters;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.ring.ProbeCopy;
import dev.kymo.recorder.ring.RecorderState;
import dev.kymo.recorder.ring.Ring;
import dev.kymo.recorder.ring.RingFile;
import dev.kymo.recorder.ring.RingRecord;
import dev.kymo.recorder.ring.ThreadCounters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Measures the cost of the probes on this machine, by calling a copy of {@link Probe} as woven code
 * does, with a ring and counters of its own. Nothing of this gets into the recording.
 */
public final class Calibration {
  private static final int CALLS = 2000;
  private static final int CHUNKS = 25;

  /** The maximum number of waits for the JIT compiler, in total and without an improvement. */
  private static final int WARM_UP_ROUNDS = 60;

  private static final int CALM_ROUNDS = 12;
  private static final int WARM_UP_CHUNKS = 5;
  private static final long WARM_UP_PAUSE_MILLIS = 5;

  /** Room for a chunk. */
  private static final int SUB_BUFFER = 64 << 10;

  private static final int SUB_BUFFERS = 1;

  /** Share of the best measurement so far below which another measurement is better. */
  private static final double BETTER = 0.95;

  private static final double PICOS = 1e12;

  private static final ThreadCounters.Maker NO_MORE = (counted, mode) -> null;

  private final RecorderState recording;
  private final DefinitionStream definitions;
  private final DrainerWatch clock;
  private final Budget budget;
  private @Nullable ProbeCopy copy;
  private final long tickBegin;
  private final long nanoBegin;
  private final Budget unlimited;
  private final ByteBuffer memory = memory();

  /** The best measurement: the JIT compiler and other programs can only make measurements worse. */
  private double pair = Double.MAX_VALUE;

  private double inside;
  private double spread;
  private double timed = Double.MAX_VALUE;
  private double sampled = Double.MAX_VALUE;

  public Calibration(
      RecorderState recording, DefinitionStream definitions, DrainerWatch clock, Budget budget) {
    this.recording = recording;
    this.definitions = definitions;
    this.clock = clock;
    this.budget = budget;
    // It only decides whether a stack is kept: nothing has a cost here.
    this.unlimited = new Budget(budget.isLimited() ? Integer.MAX_VALUE : 0, 1);
    this.tickBegin = clock.now();
    this.nanoBegin = System.nanoTime();
  }

  /** The costs that are assumed until the first measurement. */
  public static double ticksPerSecondAbout(String clock) {
    return clock.equals(Clock.MONOTONIC) ? 1e9 : 2.5e9;
  }

  public static void guess(String clock, Budget budget) {
    double read = clock.equals(Clock.MONOTONIC) ? 22e-9 : 9e-9;
    double ticks = ticksPerSecondAbout(clock);
    budget.costs(2.2 * read * ticks, 2.5 * read * ticks, 2e-9 * ticks);
  }

  /**
   * Measures; reports the result if it is the best so far. Takes some tenths of a second.
   *
   * @throws InterruptedException if the recording ends during the measurement
   */
  public synchronized void measure() throws InterruptedException {
    if (!Probe.isOn()) {
      return;
    }
    double ticksPerSecond = (clock.now() - tickBegin) / ((System.nanoTime() - nanoBegin) / 1e9);
    ProbeCopy probes = probes();
    try {
      double[] pairs = chunks(MethodMode.EVENTS);
      double seen = inside();
      boolean better = false;
      if (median(pairs) < pair * BETTER) {
        pair = median(pairs);
        inside = Math.min(seen, pair);
        spread = median(pairs) - pairs[CHUNKS / 20]; // larger values contain other programs
        better = true;
      }
      double now = median(chunks(MethodMode.TIMED));
      if (now < timed * BETTER) {
        timed = now;
        better = true;
      }
      now = median(chunks(MethodMode.SAMPLED));
      if (now < sampled * BETTER) {
        sampled = now;
        better = true;
      }
      if (better) {
        publish(ticksPerSecond);
      }
    } finally {
      probes.setRing(null);
    }
  }

  private ProbeCopy probes() {
    ProbeCopy known = copy;
    if (known == null) {
      known = new ProbeCopy();
      copy = known;
    }
    return known;
  }

  private void publish(double ticksPerSecond) {
    budget.ticksPerSecond(ticksPerSecond);
    budget.costs(pair, timed, sampled);
    double picos = PICOS / ticksPerSecond;
    definitions.put(
        new Definition.ProbeCost(
            definitions.process(),
            budget.millionths(),
            (int) (inside * picos),
            (int) ((pair - inside) * picos),
            (int) (timed * picos),
            (int) (sampled * picos),
            (int) Math.ceil(spread * picos)));
  }

  /** Ticks of a call in each chunk, in ascending order. */
  private double[] chunks(int mode) throws InterruptedException {
    MethodCounters counted = MethodCounters.mode(Probe.CALIBRATION, mode);
    Thread self = Thread.currentThread();
    CallStack stack = new CallStack(NO_MORE);
    counted.busiest(new Counter(self, stack, counted.index(mode), 0, mode == MethodMode.SAMPLED));
    double best = Double.MAX_VALUE;
    for (int i = 0, calm = 0; i < WARM_UP_ROUNDS && calm < CALM_ROUNDS; i++) {
      double ticks = Double.MAX_VALUE;
      for (int j = 0; j < WARM_UP_CHUNKS; j++) {
        ticks = Math.min(ticks, chunk());
      }
      calm = ticks < best * BETTER ? 0 : calm + 1;
      best = Math.min(best, ticks);
      Thread.sleep(WARM_UP_PAUSE_MILLIS);
      if (recording.isStopped()) {
        throw new InterruptedException("the recording is over");
      }
    }
    double[] ticks = new double[CHUNKS];
    for (int i = 0; i < CHUNKS; i++) {
      ticks[i] = chunk();
    }
    Arrays.sort(ticks);
    return ticks;
  }

  private double chunk() {
    Thread self = Thread.currentThread();
    Ring ring = new Ring(memory, clock, unlimited, self, NO_MORE);
    RingRecord first = RingRecord.call(ThreadRecord.LEAVE, Probe.CALIBRATION);
    ring.record(first, clock.now(), self, 1, false);
    ProbeCopy probes = probes();
    probes.setRing(ring);
    try {
      return (double) probes.loop(Probe.CALIBRATION, CALLS) / CALLS;
    } finally {
      ring.free();
    }
  }

  /** Ticks that an empty call seems to take, from the chunk made last. */
  private double inside() {
    PacketLoad load = PacketLoad.of(Ring.openPacket(memory));
    return load.methods() == 0 || Double.isNaN(load.average(0)) ? 0 : load.average(0);
  }

  private static double median(double[] ascending) {
    return ascending[ascending.length / 2];
  }

  private static ByteBuffer memory() {
    ByteBuffer memory =
        ByteBuffer.allocateDirect(RingLayout.HEADER_SIZE + SUB_BUFFER * SUB_BUFFERS)
            .order(ByteOrder.LITTLE_ENDIAN);
    RingFile.lay(
        memory,
        new UUID(0, 0),
        StreamClass.THREADS,
        0,
        1,
        SUB_BUFFER,
        SUB_BUFFERS,
        RingLayout.OVERWRITE);
    return memory;
  }
}
