package dev.kymo.recorder;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import dev.kymo.format.ThreadRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Measures what the probes cost on this machine, by calling those of a copy of {@link Probe} as
 * woven code does, with a ring and counters of its own. Nothing of that gets into the recording.
 */
final class Calibration {
  /** No woven method has this number: what gets off the fast path is not recorded. */
  static final int METHOD = 0;

  private static final int CALLS = 2000;
  private static final int CHUNKS = 25;

  /** So often it waits for the JIT compiler, at most, and so often without an improvement. */
  private static final int WARM_UP_ROUNDS = 60;

  private static final int CALM_ROUNDS = 12;
  private static final int WARM_UP_CHUNKS = 5;
  private static final long WARM_UP_PAUSE_MILLIS = 5;

  /** Room for a chunk. */
  private static final int SUB_BUFFER = 64 << 10;

  private static final int SUB_BUFFERS = 1;

  /** Part of the best measurement so far below which another one is better. */
  private static final double BETTER = 0.95;

  private static final double PICOS = 1e12;

  private final ProcessRecorder recorder;
  private @Nullable ProbeCopy copy;
  private final long tickBegin;
  private final long nanoBegin;
  private final Budget unlimited;
  private final ByteBuffer memory = memory();

  /** The best that was measured: the JIT compiler, and other programs, only make it worse. */
  private double pair = Double.MAX_VALUE;

  private double inside;
  private double spread;
  private double timed = Double.MAX_VALUE;
  private double sampled = Double.MAX_VALUE;

  Calibration(ProcessRecorder recorder) {
    this.recorder = recorder;
    // It only says whether there is a stack to be kept: nothing costs anything here.
    this.unlimited = new Budget(recorder.budget().isLimited() ? Integer.MAX_VALUE : 0, 1);
    this.tickBegin = recorder.now();
    this.nanoBegin = System.nanoTime();
  }

  /** What is assumed until something is measured. */
  static double ticksPerSecondAbout(String clock) {
    return clock.equals(Clock.MONOTONIC) ? 1e9 : 2.5e9;
  }

  static void guess(String clock, Budget budget) {
    double read = clock.equals(Clock.MONOTONIC) ? 22e-9 : 9e-9;
    double ticks = ticksPerSecondAbout(clock);
    budget.costs(2.2 * read * ticks, 2.5 * read * ticks, 2e-9 * ticks);
  }

  /**
   * Measures; says so if it is the best measurement so far. Takes some tenths of a second.
   *
   * @throws InterruptedException if the recording ends meanwhile
   */
  synchronized void measure() throws InterruptedException {
    if (!Probe.isOn()) {
      return;
    }
    double ticksPerSecond = (recorder.now() - tickBegin) / ((System.nanoTime() - nanoBegin) / 1e9);
    ProbeCopy probes = probes();
    try {
      double[] pairs = chunks(MethodMode.EVENTS);
      double seen = inside();
      boolean better = false;
      if (median(pairs) < pair * BETTER) {
        pair = median(pairs);
        inside = Math.min(seen, pair);
        spread = median(pairs) - pairs[CHUNKS / 20]; // other programs are in those above
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
    Budget budget = recorder.budget();
    budget.ticksPerSecond(ticksPerSecond);
    budget.costs(pair, timed, sampled);
    double picos = PICOS / ticksPerSecond;
    recorder.define(
        new Definition.ProbeCost(
            recorder.process(),
            recorder.session().budget(),
            (int) (inside * picos),
            (int) ((pair - inside) * picos),
            (int) (timed * picos),
            (int) (sampled * picos),
            (int) Math.ceil(spread * picos)));
  }

  /** Ticks of a call in each chunk, in ascending order. */
  private double[] chunks(int mode) throws InterruptedException {
    Counted counted = probes().mode(METHOD, mode);
    Thread self = Thread.currentThread();
    Ring owner = new Ring(memory, recorder.drainer(), unlimited, self);
    owner.free(); // it is only asked for counters
    CallStack stack = new CallStack(owner);
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
      if (recorder.isStopped()) {
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
    Ring ring = new Ring(memory, recorder.drainer(), unlimited, self);
    RingRecord first = RingRecord.call(ThreadRecord.LEAVE, METHOD);
    ring.record(first, recorder.now(), self, 1, false);
    ProbeCopy probes = probes();
    probes.setRing(ring);
    try {
      return (double) probes.loop(METHOD, CALLS) / CALLS;
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
