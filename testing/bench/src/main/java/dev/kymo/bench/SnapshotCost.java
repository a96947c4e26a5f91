package dev.kymo.bench;

import dev.kymo.api.Events;
import dev.kymo.api.Kymo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a program notices of a snapshot of its flight recorder: fills the buffer, then
 * times every event, for a while without a snapshot and then until the snapshot is there, several
 * times. To be run under {@code kymo record --when-full overwrite}; see {@code
 * testing/bench/snapshot}.
 *
 * <p>Arguments: the recording's name without {@code .kymo}, bytes of the buffer, turns.
 */
public final class SnapshotCost {
  private static final int[] NUMBERS =
      Events.subsystem("bench", 1, "", "").event(1, "TICK", Events.INSTANT, "", "u64 n;").numbers();

  private static final long WITHOUT = 1_000_000_000;
  private static final long SLOW = 1_000_000;

  private long n;
  private long slowest;
  private long slow;

  private SnapshotCost() {}

  /** Prints a JSON object of nanoseconds. */
  public static void main(String[] arguments) {
    String recording = arguments[0];
    long events = Long.parseLong(arguments[1]) / 16;
    int turns = Integer.parseInt(arguments[2]);
    if (Events.on(NUMBERS, 0) == 0) {
      throw new IllegalStateException("not recorded");
    }
    SnapshotCost cost = new SnapshotCost();
    for (long i = 0; i < events; i++) {
      cost.tick();
    }
    long[] without = new long[turns];
    long[] during = new long[turns];
    long slowWithout = 0;
    long slowDuring = 0;
    long time = 0;
    for (int turn = 0; turn < turns; turn++) {
      without[turn] = cost.until(null);
      slowWithout += cost.slow;
      long begin = System.nanoTime();
      Kymo.snapshot();
      during[turn] = cost.until(Path.of(recording + "-" + (turn + 1) + ".kymo"));
      slowDuring += cost.slow;
      time += System.nanoTime() - begin;
    }
    System.out.printf(
        Locale.ROOT,
        "{\"turns\":%d,\"snapshot_ms\":%.0f,\"slowest_without_us\":%s,\"slowest_during_us\":%s,"
            + "\"over_1ms_without\":%d,\"over_1ms_during\":%d}%n",
        turns,
        time / 1e6 / turns,
        micros(without),
        micros(during),
        slowWithout,
        slowDuring);
  }

  private static String micros(long[] nanos) {
    Arrays.sort(nanos);
    return Arrays.toString(Arrays.stream(nanos).map(t -> t / 1000).toArray());
  }

  private void tick() {
    int event = Events.on(NUMBERS, 0);
    if (event != 0) {
      Events.record(event, n++);
    }
  }

  /** The slowest event until a file exists, or for a while. */
  private long until(@Nullable Path file) {
    slowest = 0;
    slow = 0;
    long end = System.nanoTime() + WITHOUT;
    while (file == null ? System.nanoTime() < end : !Files.exists(file)) {
      for (int i = 0; i < 1000; i++) {
        long begin = System.nanoTime();
        tick();
        long took = System.nanoTime() - begin;
        slowest = Math.max(slowest, took);
        slow += took > SLOW ? 1 : 0;
      }
    }
    return slowest;
  }
}
