package dev.kymo.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.drain.Drainer;
import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.BackgroundThreads;
import dev.kymo.recorder.platform.TickClock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred threads are inside methods whose modes change all the time; every call is known. */
class ModeSwitchTest {
  private static final int THREADS = 100;
  private static final int SWITCHES = 400;
  private static final int METHODS = 8;
  private static final int FIRST = 1000;
  private static final int[] MODES = {MethodMode.EVENTS, MethodMode.TIMED, MethodMode.SAMPLED};

  /** Parts of a million of a thread's time: a budget, so that calls can be counted. */
  private static final int UNLIMITED = 1_000_000_000;

  @TempDir Path folder;

  private volatile boolean done;
  private long nanos;
  private final AtomicLongArray calls = new AtomicLongArray(METHODS);

  @Test
  void everyCallIsAnEventOrCounted() throws Exception {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println("ModeSwitchTest seed=" + seed);
    OwnRecording recording =
        new OwnRecording(folder, Session.Methods.DEFAULT.withBudget(UNLIMITED));
    recording.record((drainer, recorder) -> {
      looks(recorder).begin();
      long begin = System.nanoTime();
      work(drainer, seed);
      nanos = System.nanoTime() - begin;
    });
    RecordedCalls recorded = RecordedCalls.of(recording.path, FIRST, METHODS);
    assertThat(recorded.lost()).isZero();
    assertThat(recorded.unbalanced()).isEmpty();
    for (int i = 0; i < METHODS; i++) {
      assertThat(recorded.events(i) + recorded.counted(i))
          .as("method %d", i)
          .isEqualTo(calls.get(i));
      assertThat(recorded.counted(i)).as("counted of method %d", i).isPositive();
    }
    assertThat(recorded.totals()).hasSizeGreaterThan(THREADS).allMatch(total -> total <= nanos);
    assertThat(recorded.selfs()).hasSize(THREADS).allMatch(self -> self <= nanos);
    assertThat(recorded.timedOfTimed()).isEqualTo(recorded.callsOfTimed());
    for (int i = 0; i < METHODS; i++) {
      MethodCounters.mode(FIRST + i, MethodMode.EVENTS);
    }
  }

  private void work(Drainer drainer, long seed) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      threads.add(new Thread(() -> callUntilDone(random)));
    }
    Thread drain =
        new Thread(() -> {
          while (threads.stream().anyMatch(Thread::isAlive)) {
            drainer.round();
            drainer.pause();
          }
        });
    threads.forEach(Thread::start);
    drain.start();
    SplittableRandom random = new SplittableRandom(seed - 1);
    for (int i = 0; i < SWITCHES; i++) {
      int method = random.nextInt(METHODS);
      MethodCounters.mode(FIRST + method, MODES[random.nextInt(MODES.length)]);
      long before = calls.get(method);
      while (calls.get(method) < before + 5) {
        Thread.sleep(1);
      }
    }
    done = true;
    for (Thread thread : threads) {
      thread.join();
    }
    drain.join();
  }

  private void callUntilDone(SplittableRandom random) {
    do {
      try {
        call(0, random);
      } catch (IllegalStateException e) {
        // one of those that the methods throw
      }
    } while (!done);
  }

  /** What the weaver makes of a method. */
  private void call(int depth, SplittableRandom random) {
    int method = random.nextInt(METHODS);
    long token = Probe.enter(FIRST + method);
    try {
      calls.incrementAndGet(method);
      while (depth < 5 && random.nextInt(3) != 0) {
        call(depth + 1, random);
      }
      if (random.nextInt(10) == 0) {
        LockSupport.parkNanos(500_000); // so that it is in the middle of a call mostly
      }
      if (random.nextInt(20) == 0) {
        throw new IllegalStateException();
      }
    } catch (Throwable e) {
      Probe.unwind(FIRST + method, token);
      throw e;
    }
    Probe.leave(FIRST + method, token);
  }

  /** Without a governor that begins to count, nobody would look. */
  private static SampleTimer looks(RecorderState recording) {
    ByteBuffer control =
        ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    DrainerWatch clock = new DrainerWatch(control, TickClock.chosen(), Path.of("no-recorder"));
    return new SampleTimer(recording, clock, new Budget(UNLIMITED, 1e9), new BackgroundThreads());
  }
}
