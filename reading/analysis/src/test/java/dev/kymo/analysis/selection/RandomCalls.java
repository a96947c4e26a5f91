package dev.kymo.analysis.selection;

import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/** Random recordings: threads whose nested calls begin and end as chance will have it. */
public final class RandomCalls {
  public static final int METHODS = 9;

  private RandomCalls() {}

  /** A recording of so many threads with so many events each; calls are left open at the end. */
  public static RecordingBuilder recording(long seed, int threads, int events) {
    SplittableRandom random = new SplittableRandom(seed);
    RecordingBuilder recording = new RecordingBuilder().packetSize(4096).process(1);
    for (int method = 0; method < METHODS; method++) {
      recording.method(1, method, "com.example.Type" + method % 3, "method" + method);
    }
    for (int thread = 1; thread <= threads; thread++) {
      recording.thread(1, thread, "thread-" + thread);
      fill(recording.ring(1, thread, thread), random, events);
    }
    return recording;
  }

  private static void fill(StreamWriter ring, SplittableRandom random, int events) {
    Deque<Integer> open = new ArrayDeque<>();
    int depth = events < 10_000 ? 12 : 4; // or else there would be more paths than a tree shows
    long now = 1000L + random.nextInt(1000);
    for (int i = 0; i < events; i++) {
      now += random.nextInt(8) == 0 ? random.nextInt(5000) : random.nextInt(20);
      if (open.isEmpty() || (open.size() < depth && random.nextBoolean())) {
        open.push(random.nextInt(METHODS));
        ring.enter(now, open.element());
      } else if (random.nextInt(10) == 0) {
        ring.unwind(now, open.pop());
      } else {
        ring.leave(now, open.pop());
      }
    }
  }
}
