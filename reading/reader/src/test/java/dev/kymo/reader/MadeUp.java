package dev.kymo.reader;

import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A random recording in the order of time: platform threads that pass on their rings, virtual
 * threads that hop between carriers, losses, methods that are defined when they are first called.
 */
final class MadeUp {
  private static final int METHODS = 200;
  private static final int PLATFORM_RINGS = 3;
  private static final int CARRIERS = 2;
  private static final int VIRTUAL = 4;
  private static final int FIRST_VIRTUAL = 20;

  final RecordingBuilder builder = new RecordingBuilder();
  final List<Long> clocks = new ArrayList<>();
  final long begin = 0xFFFF_F000L; // the low half of the clock wraps soon
  long now = begin;
  private final SplittableRandom random;
  private final boolean crowded;
  private final TreeSet<Integer> methods = new TreeSet<>();
  private final int[] running = new int[PLATFORM_RINGS + CARRIERS];
  private int threads = 100;

  /**
   * Makes it up.
   *
   * @param crowded whether threads have events at the same time
   */
  MadeUp(SplittableRandom random, int packetSize, int events, boolean crowded) {
    this.random = random;
    this.crowded = crowded;
    builder.packetSize(packetSize).at(begin).process(1);
    for (int i = 0; i < running.length; i++) {
      running[i] = newThread();
    }
    for (int i = 0; i < VIRTUAL; i++) {
      builder.virtualThread(1, FIRST_VIRTUAL + i, "virtual-" + i);
    }
    for (int i = 0; i < events; i++) {
      step(random.nextInt(running.length));
    }
    for (int ring = 0; ring < running.length; ring++) {
      if (random.nextBoolean()) {
        stream(ring).lose(3).empty(++now);
      }
    }
  }

  /** Events that a reader must have had when it has had all up to a clock. */
  long countUpTo(long clock) {
    return clocks.stream().filter(c -> c <= clock).count();
  }

  private void step(int ring) {
    boolean pause = random.nextInt(500) == 0;
    now += (crowded ? 0 : 1) + random.nextInt(pause ? Integer.MAX_VALUE : crowded ? 2 : 100);
    int chance = random.nextInt(100);
    if (chance == 0) {
      stream(ring).lose(1 + random.nextInt(5));
    } else if (ring < PLATFORM_RINGS && chance == 1) {
      running[ring] = newThread();
      stream(ring).switchTo(now, running[ring]);
    } else if (ring >= PLATFORM_RINGS && chance < 20) {
      hop(ring);
    }
    int method = random.nextInt(METHODS);
    if (methods.add(method)) {
      builder.at(now).closeDefinitions(1).method(1, method, "a.B" + method, "m");
    }
    if (random.nextBoolean()) {
      stream(ring).enter(now, method);
    } else {
      stream(ring).leave(now, method);
    }
    clocks.add(now);
  }

  /** A virtual thread that no other carrier has, or the same one again. */
  private void hop(int ring) {
    int thread = FIRST_VIRTUAL + random.nextInt(VIRTUAL);
    for (int i = 0; i < running.length; i++) {
      if (i != ring && running[i] == thread) {
        return;
      }
    }
    running[ring] = thread;
    stream(ring).switchTo(now, thread);
  }

  private int newThread() {
    builder.at(now).closeDefinitions(1).thread(1, threads, "thread-" + threads);
    return threads++;
  }

  private StreamWriter stream(int ring) {
    return builder.ring(1, ring, running[ring]);
  }
}
