package dev.kymo.testkit;

import dev.kymo.format.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random recording of two processes: platform threads, rings that are passed on, virtual threads
 * on two carriers, losses if wanted, and leaves without enters.
 */
public final class HoppingThreads {
  private static final int METHODS = 9;

  private final RecordingBuilder builder = new RecordingBuilder().packetSize(600);
  private final SplittableRandom random;
  private final boolean losses;
  private final long base = 0xFFFF_8000L; // the low half of the clock wraps soon
  private long now;

  /** A thread's calls that are running. */
  private record Stack(int thread, Deque<Integer> calls) {
    Stack(int thread) {
      this(thread, new ArrayDeque<>());
    }
  }

  private HoppingThreads(long seed, int events, boolean losses) {
    random = new SplittableRandom(seed);
    this.losses = losses;
    boolean tsc = random.nextBoolean();
    builder.clock(
        tsc
            ? new Clock(Clock.TSC, 2_596_180_000L, 1_700_000_000_000_000_000L)
            : new Clock(Clock.MONOTONIC, 1_000_000_000L, 7));
    builder.at(base - 100);
    for (int process = 1; process <= 2; process++) {
      builder.process(process);
      for (int method = 0; method < METHODS; method++) {
        builder.method(process, method * 3, "p" + process, "m" + method);
      }
      platform(process, events / 4);
      virtual(process, events / 4);
      builder.end(process, 0);
    }
  }

  /** Makes one; to be written. */
  public static RecordingBuilder recording(long seed, int events, boolean losses) {
    return new HoppingThreads(seed, events, losses).builder;
  }

  private void platform(int process, int events) {
    for (int thread = 1; thread <= 2; thread++) {
      builder.thread(process, thread, "platform-" + thread);
      StreamWriter ring = builder.ring(process, thread, thread);
      Stack stack = new Stack(thread);
      now = base + random.nextInt(2000);
      for (int i = 0; i < events / 2; i++) {
        event(ring, stack);
        lose(ring);
      }
    }
    builder.thread(process, 3, "late");
    StreamWriter ring = builder.ring(process, 2, 2);
    while (ring.events() % 7 != 0) {
      ring.enter(now, 3).leave(now, 3);
    }
    ring.passOn(3).enter(now + 20, 6).enter(now + 30, 9).leave(now + 1000, 9);
  }

  private void virtual(int process, int events) {
    StreamWriter[] rings = {builder.ring(process, 10, 10), builder.ring(process, 11, 11)};
    builder.thread(process, 10, "carrier-0").thread(process, 11, "carrier-1");
    List<Stack> stacks = new ArrayList<>();
    for (int thread = 20; thread < 24; thread++) {
      builder.virtualThread(process, thread, "virtual-" + thread);
      stacks.add(new Stack(thread));
    }
    now = base + random.nextInt(2000);
    int[] on = {-1, -1};
    for (int i = 0; i < events; i++) {
      int carrier = random.nextInt(2);
      int next = random.nextInt(stacks.size());
      if ((on[carrier] < 0 || random.nextInt(15) == 0) && on[1 - carrier] != next) {
        on[carrier] = next;
        step();
        rings[carrier].switchTo(now, stacks.get(next).thread());
      }
      if (on[carrier] >= 0) {
        event(rings[carrier], stacks.get(on[carrier]));
        lose(rings[carrier]);
      }
    }
  }

  private void step() {
    now += random.nextInt(8) == 0 ? random.nextInt(20_000) : random.nextInt(60);
    if (random.nextInt(900) == 0) {
      now += 5_000_000_000L;
    }
  }

  private void lose(StreamWriter ring) {
    if (losses && random.nextInt(60) == 0) {
      ring.lose(1 + random.nextInt(9));
    }
  }

  private void event(StreamWriter ring, Stack stack) {
    step();
    if (stack.calls().isEmpty() || (random.nextInt(100) < 52 && stack.calls().size() < 12)) {
      int method = 3 * random.nextInt(METHODS);
      stack.calls().push(method);
      ring.enter(now, method);
      return;
    }
    if (losses && random.nextInt(40) == 0) {
      ring.leave(now, 3 * random.nextInt(METHODS)); // whose enter was lost, or one further out
      return;
    }
    int method = stack.calls().pop();
    if (random.nextInt(8) == 0) {
      ring.unwind(now, method);
    } else {
      ring.leave(now, method);
    }
  }
}
