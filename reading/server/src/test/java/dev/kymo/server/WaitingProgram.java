package dev.kymo.server;

import dev.kymo.format.CountRecord;
import dev.kymo.format.CountersLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.Definition.TracedThread;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A recording of a program whose threads wait for each other, with calls that were only counted,
 * what the virtual machine did and what the recorder did to keep its budget. {@code
 * viewer/test/browser/waiting.test.ts} knows the same times.
 */
public final class WaitingProgram {
  static final long MS = 1_000_000;

  private static final int MAIN = 1;
  private static final int ORDER = 2;
  private static final int TAKE = 3;
  private static final int HASH = 4;
  private static final int NEXT = 5;
  private static final int QUERY = 6;
  private static final int MONITOR = 20;
  private static final int LOCK = 21;
  private static final int PARK = 22;
  private static final int SLEEP = 23;
  private static final int WAIT = 24;
  private static final int JOIN = 25;
  private static final int START = 26;
  private static final int PAUSE = 30;
  private static final int COMPILE = 31;

  /** Threads 1 to 4 have their states in 11 to 14. */
  private static final int STATES = 10;

  private final RecordingBuilder recording = new RecordingBuilder();
  private final SortedMap<Long, List<CountRecord>> readings = new TreeMap<>();

  private WaitingProgram() {}

  /** Four seconds of a small program, every event of which is known. */
  public static RecordingBuilder small() {
    WaitingProgram program = new WaitingProgram();
    program.define();
    program.threads();
    program.calls();
    program.waitForEachOther();
    program.virtualMachine();
    program.counts();
    program.steps();
    return program.made();
  }

  /** The same program, with a crew of workers that contend for what they work on. */
  static RecordingBuilder busy(long seed) {
    WaitingProgram program = new WaitingProgram();
    program.define();
    program.threads();
    program.calls();
    program.waitForEachOther();
    program.virtualMachine();
    program.crew(new SplittableRandom(seed));
    program.counts();
    program.steps();
    return program.made();
  }

  private void define() {
    recording.at(0).process(1).probeCost(1, 50_000, 200, 300, 50);
    recording.method(1, MAIN, "app.Main", "main").method(1, ORDER, "app.Shop", "order");
    recording.method(1, TAKE, "app.Stock", "take").method(1, QUERY, "app.Db", "query");
    recording.method(1, HASH, "app.Text", "hash").method(1, NEXT, "app.Text", "next");
    state(MONITOR, "monitor", "app.Stock");
    state(LOCK, "lock", "java.util.concurrent.locks.ReentrantLock$NonfairSync");
    state(PARK, "park", "java.util.concurrent.SynchronousQueue");
    state(SLEEP, "sleep", "");
    state(WAIT, "wait", "app.Queue");
    state(JOIN, "join", "java.lang.Thread");
    state(START, "start", "java.lang.Thread");
    state(PAUSE, "GC", "G1New: G1 Evacuation Pause");
    state(COMPILE, "JIT compiler", "app.Text.hash");
  }

  private void state(int method, String type, String name) {
    recording.define(1, new Definition.Type(method, type, "", ""));
    recording.define(1, new Definition.Method(method, method, 0, 0, name, ""));
  }

  private void threads() {
    recording.thread(1, 1, "main").thread(1, 2, "worker-1").thread(1, 3, "worker-2");
    recording.states(1, 11, 1, "main").states(1, 12, 2, "worker-1").states(1, 13, 3, "worker-2");
    // A thread of which no call was recorded.
    recording.define(1, new TracedThread(14, TracedThread.STATES, 44, 2044, "Cleaner"));
    recording.jvm(1, 21, "GC").jvm(1, 22, "JIT compiler");
  }

  private void calls() {
    StreamWriter main = ring(1);
    main.enter(0, MAIN).enter(100 * MS, ORDER).enter(200 * MS, QUERY).leave(400 * MS, QUERY);
    main.leave(1900 * MS, ORDER).enter(2000 * MS, ORDER).leave(3900 * MS, ORDER);
    main.leave(4000 * MS, MAIN);
    ring(2).enter(60 * MS, TAKE).leave(3500 * MS, TAKE);
    ring(3).enter(200 * MS, TAKE).enter(300 * MS, QUERY).leave(600 * MS, QUERY);
    ring(3).leave(3900 * MS, TAKE);
  }

  private void waitForEachOther() {
    wait(1, JOIN, 2500, 3500, 0x5a, 2);
    wait(1, SLEEP, 3600, 3700, 0, 0);
    wait(2, START, 0, 50, 0x5a, 1);
    wait(2, MONITOR, 500, 900, 0xbeef, 3);
    wait(2, WAIT, 1000, 1500, 0xcafe, 1);
    ring(STATES + 2).lose(7);
    wait(2, PARK, 2200, 2400, 0x77, 0);
    wait(3, LOCK, 320, 450, 0xf00d, 2);
    for (int i = 0; i < 1000; i++) {
      // Too short to be drawn apart.
      long at = 1000 * MS + i * 20_000L;
      ring(STATES + 3).enter(at, PARK).detail(at + 4_000, 0x99, STATES + 1);
      ring(STATES + 3).leave(at + 4_000, PARK);
    }
    ring(14).enter(10 * MS, WAIT).leave(3990 * MS, WAIT);
  }

  /** A thread waits, in milliseconds. */
  private void wait(int thread, int state, long from, long to, int object, int other) {
    StreamWriter ring = ring(STATES + thread).enter(from * MS, state);
    if (object != 0) {
      ring.detail(to * MS, object, other == 0 ? 0 : STATES + other);
    }
    ring.leave(to * MS, state);
  }

  private void virtualMachine() {
    for (long at : new long[] {700, 1800, 3100}) {
      ring(21).enter(at * MS, PAUSE).leave((at + 30) * MS, PAUSE);
    }
    ring(22).enter(150 * MS, COMPILE).leave(480 * MS, COMPILE);
  }

  /** Six threads that work in turns. */
  private void crew(SplittableRandom random) {
    int[] kinds = {MONITOR, MONITOR, LOCK, PARK, PARK, WAIT};
    for (int i = 0; i < 6; i++) {
      int thread = 5 + i;
      recording.thread(1, thread, "pool-1-thread-" + (i + 1));
      recording.states(1, 30 + thread, thread, "pool-1-thread-" + (i + 1));
      long now = 40L * i * MS;
      while (now < 3600 * MS) {
        long begin = now + random.nextLong(2 * MS, 60 * MS);
        long end = begin + random.nextLong(20 * MS, 200 * MS);
        ring(thread).enter(begin, TAKE);
        long query = begin + random.nextLong(MS, 10 * MS);
        ring(thread).enter(query, QUERY).leave(query + random.nextLong(MS, 8 * MS), QUERY);
        ring(thread).leave(end, TAKE);
        now = end + random.nextLong(5 * MS, 120 * MS);
        int state = kinds[random.nextInt(kinds.length)];
        int other = 35 + random.nextInt(6);
        ring(30 + thread).enter(end, state);
        ring(30 + thread).detail(now, 0x100 + state, other == 30 + thread ? STATES + 1 : other);
        ring(30 + thread).leave(now, state);
      }
      count(thread, HASH, MethodMode.TIMED, 3000, 20_000_000L * (i + 1), 1.0);
    }
  }

  private void counts() {
    count(2, HASH, MethodMode.TIMED, 1000, 50_000_000, 1.0);
    count(2, HASH, MethodMode.TIMED, 2000, 150_000_000, 1.0);
    count(2, HASH, MethodMode.TIMED, 3000, 412_000_000, 1.0);
    count(3, NEXT, MethodMode.SAMPLED, 2000, 3_000_000, 0.001);
    count(3, NEXT, MethodMode.SAMPLED, 3000, 8_000_000, 0.001);
  }

  /** What a thread's counter was at a time in milliseconds; each call took 5 ns. */
  private void count(int thread, int method, int mode, long at, long calls, double timedShare) {
    long timed = (long) (calls * timedShare);
    int[] histogram = new int[CountersLayout.BUCKETS];
    histogram[CountersLayout.bucket(5)] = (int) timed;
    var spent = new CountRecord.Spent(5 * calls, 5 * calls, 0, MS, 0, 1010 * MS);
    CountRecord count =
        new CountRecord(
            thread,
            method,
            mode,
            calls,
            timed,
            5 * timed,
            5 * timed,
            90,
            histogram,
            mode == MethodMode.SAMPLED ? spent : null);
    readings.computeIfAbsent(at * MS, _ -> new ArrayList<>()).add(count);
  }

  /** The counters are read in the order of time. */
  private RecordingBuilder made() {
    readings.forEach((at, counts) -> counts.forEach(c -> recording.counts(1).count(at, c)));
    return recording;
  }

  private void steps() {
    String much = "its probes took 31 % of the time of 1 thread, 5 % are allowed";
    step(10, HASH, MethodMode.TIMED, MethodMode.EVENTS, much);
    step(1010, NEXT, MethodMode.SAMPLED, MethodMode.EVENTS, much);
    step(3010, NEXT, MethodMode.LEFT_OUT, MethodMode.SAMPLED, much);
    step(3510, NEXT, MethodMode.SAMPLED, MethodMode.LEFT_OUT, "its probes would take 0.4 %");
  }

  private void step(long at, int method, int mode, int before, String reason) {
    recording.at(at * MS).step(1, method, mode, before, reason);
  }

  private StreamWriter ring(int thread) {
    return recording.ring(1, thread, thread);
  }
}
