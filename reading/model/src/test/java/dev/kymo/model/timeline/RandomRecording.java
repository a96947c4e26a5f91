package dev.kymo.model.timeline;

import dev.kymo.format.Clock;
import dev.kymo.model.calls.Slice;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random recording and, written down on the way, the calls that are in it: platform threads with
 * a ring each, and virtual threads that hop between two carriers.
 */
final class RandomRecording {
  record Call(int thread, int depth, int method, long begin, long end, int flags) {}

  private static final int METHODS = 12;

  final RecordingBuilder builder = new RecordingBuilder().packetSize(1024);
  final List<Call> calls = new ArrayList<>();
  final Clock clock;
  private final List<Long> clocks = new ArrayList<>();
  private final SplittableRandom random;
  private final List<Stack> stacks = new ArrayList<>();
  private long base;
  private long now;
  private long first = Long.MAX_VALUE;
  private long last;

  private static final class Stack {
    final int thread;
    final Deque<long[]> open = new ArrayDeque<>();

    Stack(int thread) {
      this.thread = thread;
    }
  }

  RandomRecording(long seed, int events) {
    random = new SplittableRandom(seed);
    clock =
        random.nextBoolean()
            ? new Clock(Clock.TSC, 2_596_180_000L, 1_700_000_000_000_000_000L)
            : new Clock(Clock.MONOTONIC, 1_000_000_000L, 0);
    builder.clock(clock).process(1);
    for (int method = 0; method < METHODS; method++) {
      builder.method(1, method, "a.B", "m" + method);
    }
    base = 0xFFFF_0000L; // the low half of the clock wraps soon
    platform(events / 2);
    virtual(events / 2);
    for (Stack stack : stacks) {
      finish(stack);
    }
    calls.replaceAll(this::inNanos);
  }

  private void platform(int events) {
    for (int thread = 1; thread <= 3; thread++) {
      builder.thread(1, thread, "platform-" + thread);
      StreamWriter ring = builder.ring(1, thread, thread);
      Stack stack = new Stack(thread);
      stacks.add(stack);
      now = base;
      for (int i = 0; i < events / 3; i++) {
        step();
        event(ring, stack, 40);
      }
    }
  }

  private void virtual(int events) {
    StreamWriter[] rings = {builder.ring(1, 10, 10), builder.ring(1, 11, 11)};
    builder.thread(1, 10, "carrier-0").thread(1, 11, "carrier-1");
    List<Stack> virtual = new ArrayList<>();
    for (int thread = 20; thread < 24; thread++) {
      builder.virtualThread(1, thread, "virtual-" + thread);
      virtual.add(new Stack(thread));
    }
    stacks.addAll(virtual);
    now = base;
    int[] on = {-1, -1};
    for (int i = 0; i < events; i++) {
      step();
      int carrier = random.nextInt(2);
      if (on[carrier] < 0 || random.nextInt(20) == 0) {
        int next = random.nextInt(virtual.size());
        if (on[1 - carrier] != next) {
          on[carrier] = next;
          rings[carrier].switchTo(now, virtual.get(next).thread);
          written();
          step();
        }
      }
      if (on[carrier] >= 0) {
        event(rings[carrier], virtual.get(on[carrier]), 15);
      }
    }
  }

  private void step() {
    now += random.nextInt(10) == 0 ? random.nextInt(50_000) + 1 : random.nextInt(60) + 1;
    if (random.nextInt(2000) == 0) {
      now += 5_000_000_000L;
    }
  }

  /** Clock of the first event. */
  long first() {
    return first;
  }

  /** Clock of the last event. */
  long last() {
    return last;
  }

  long eventsUpTo(long limit) {
    return clocks.stream().filter(c -> c <= limit).count();
  }

  /** Nanoseconds from the first event to a clock. */
  long nanos(long at) {
    return clock.nanos(at - first);
  }

  private void written() {
    clocks.add(now);
    first = Math.min(first, now);
    last = Math.max(last, now);
  }

  private void event(StreamWriter ring, Stack stack, int maxDepth) {
    written();
    boolean enter = stack.open.isEmpty() || random.nextInt(100) < 50;
    if (enter && stack.open.size() < maxDepth) {
      int method = random.nextInt(METHODS);
      stack.open.push(new long[] {method, now});
      ring.enter(now, method);
    } else {
      long[] call = stack.open.pop();
      boolean unwind = random.nextInt(10) == 0;
      if (unwind) {
        ring.unwind(now, (int) call[0]);
      } else {
        ring.leave(now, (int) call[0]);
      }
      add(stack, call, now, unwind ? Slice.UNWOUND : 0);
    }
  }

  private void add(Stack stack, long[] call, long end, int flags) {
    int depth = stack.open.size();
    calls.add(new Call(stack.thread, depth, (int) call[0], call[1], end, flags));
  }

  private void finish(Stack stack) {
    while (!stack.open.isEmpty()) {
      add(stack, stack.open.pop(), last, Slice.OPEN_END);
    }
  }

  private Call inNanos(Call c) {
    return new Call(
        c.thread,
        c.depth,
        c.method,
        clock.nanos(c.begin - first),
        clock.nanos(c.end - first),
        c.flags);
  }
}
