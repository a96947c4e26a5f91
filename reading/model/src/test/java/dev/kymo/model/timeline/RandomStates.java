package dev.kymo.model.timeline;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random recording of threads that wait for each other and, written down on the way, what they
 * waited for. All states stand in one stream, as they do that are learned of later.
 */
final class RandomStates {
  static final int THREADS = 4;
  static final int STATES = 100;
  static final int JVM = 200;
  static final int STATES_RING = 50;
  private static final int FIRST_METHOD = 10;
  private static final int METHODS = 5;

  /** A state; other = the states thread that ended it, 0 = unknown. */
  record State(int thread, int method, long begin, long end, int object, int other) {
    boolean hasDetail() {
      return object != 0 || other != 0;
    }
  }

  private record Written(long clock, int order, Runnable what) {}

  final RecordingBuilder builder = new RecordingBuilder().packetSize(700);
  final List<State> states = new ArrayList<>();
  final long base = 0xFFFF_F000L;
  final long end;
  private final SplittableRandom random;
  private int on;

  RandomStates(long seed, int count) {
    random = new SplittableRandom(seed);
    builder.process(1).method(1, 1, "a.B", "run");
    for (int method = 0; method < METHODS; method++) {
      builder.method(1, FIRST_METHOD + method, "monitor", "a.Lock" + method);
    }
    for (int thread = 1; thread <= THREADS; thread++) {
      builder.thread(1, thread, "t" + thread);
      builder.states(1, STATES + thread, thread, "t" + thread);
    }
    builder.states(1, STATES + 9, 9, "gone").jvm(1, JVM, "GC");
    long last = base;
    for (int thread = 1; thread <= THREADS; thread++) {
      last = Math.max(last, makeUp(STATES + thread, count / THREADS));
    }
    last = Math.max(last, makeUp(JVM, 5));
    end = last + 100;
    for (int thread = 1; thread <= THREADS; thread++) {
      builder.ring(1, thread, thread).enter(base + thread, 1).leave(end, 1);
    }
    write();
  }

  /** Adds what else there is since format 1.2: what probes cost, steps and counts. */
  RecordingBuilder counted() {
    builder.at(base).probeCost(1, 50_000, 9_000, 6_000, 400);
    builder.define(0, new Definition.OwnCost(0, 0, 0, 7_000_000, end - base));
    builder.step(1, 1, MethodMode.TIMED, MethodMode.EVENTS, "2.0 % of t1: calls=9");
    for (int i = 1; i <= 10; i++) {
      int[] histogram = new int[CountersLayout.BUCKETS];
      histogram[CountersLayout.bucket(90)] = i;
      histogram[CountersLayout.bucket(5000)] = 2 * i;
      CountRecord count =
          new CountRecord(
              1 + i % THREADS,
              1,
              MethodMode.TIMED + i % 2,
              300L * i,
              3L * i,
              10_000L * i,
              10_090L * i,
              5000,
              histogram);
      builder.counts(1).count(base + (end - base) * i / 10, count);
    }
    return builder;
  }

  private long makeUp(int thread, int count) {
    long now = base + 50 + random.nextInt(100);
    for (int i = 0; i < count; i++) {
      long begin = now;
      now += 1 + random.nextInt(random.nextInt(9) == 0 ? 1_000_000 : 500);
      boolean known = thread != JVM && random.nextInt(3) > 0;
      int other = random.nextInt(4) == 0 ? 0 : STATES + 1 + random.nextInt(THREADS);
      other = random.nextInt(30) == 0 ? STATES + 9 : other;
      int method = FIRST_METHOD + random.nextInt(METHODS);
      states.add(
          new State(thread, method, begin, now, known ? random.nextInt() : 0, known ? other : 0));
      now += 1 + random.nextInt(300);
    }
    return now;
  }

  private void write() {
    StreamWriter ring = builder.ring(1, STATES_RING, STATES_RING);
    List<Written> all = new ArrayList<>();
    for (State s : states) {
      all.add(new Written(s.begin(), 1, () -> on(ring, s, s.begin()).enter(s.begin(), s.method())));
      all.add(new Written(s.end(), 0, () -> leave(on(ring, s, s.end()), s)));
    }
    all.stream()
        .sorted(Comparator.comparingLong(Written::clock).thenComparingInt(Written::order))
        .forEach(w -> w.what().run());
  }

  private StreamWriter on(StreamWriter ring, State state, long clock) {
    if (on != state.thread()) {
      on = state.thread();
      ring.switchTo(clock, on);
    }
    return ring;
  }

  private static void leave(StreamWriter ring, State state) {
    if (state.hasDetail()) {
      ring.detail(state.end(), state.object(), state.other());
    }
    ring.leave(state.end(), state.method());
  }
}
