package dev.kymo.server;

import dev.kymo.model.calls.Slice;
import java.util.SplittableRandom;

/**
 * Recordings whose calls a test knows. {@code viewer/test/browser/known.ts} says the same to the
 * tests in the browser.
 */
public final class KnownRecordings {
  static final long MS = 1_000_000;
  static final String MARKUP = "<img src=x onerror=\"document.title='hacked'\">";

  private KnownRecordings() {}

  /** A small program of one second, with one of everything. */
  public static FakeTimeline shop() {
    FakeTimeline shop = new FakeTimeline("shop.kymo", 1000 * MS);
    int process = shop.process(4711, "java -jar shop.jar");
    int other = shop.process(4712, "java Helper");
    int main = shop.method("com.example.shop.Main", "main", "([Ljava/lang/String;)V");
    int order = shop.method("com.example.shop.Shop", "order", "(IJ)Z");
    int take = shop.method("com.example.stock.Stock", "take", "(Ljava/lang/String;)I");
    int query = shop.method("org.base.Db", "query", "()[[D");
    int markup = shop.method("evil." + MARKUP, "run", "()V");
    int tick = shop.method("org.clock.Clock", "tick", "()J");
    FakeTimeline.Thread first = shop.thread("main", process, false);
    first.call(0, main, 0, 1000 * MS);
    first.call(1, order, 100 * MS, 400 * MS).call(1, order, 500 * MS, 900 * MS, Slice.UNWOUND);
    first.call(2, take, 150 * MS, 250 * MS).call(2, query, 600 * MS, 700 * MS);
    first.call(3, take, 600 * MS, 600 * MS + 10).call(3, tick, 600 * MS + 20, 600 * MS + 50);
    for (int i = 0; i < 1000; i++) {
      first.call(2, tick, 800 * MS + 1000L * i, 800 * MS + 1000L * i + 600);
    }
    shop.thread("worker-1", process, false)
        .call(0, query, 200 * MS, 800 * MS, Slice.OPEN_BEGIN | Slice.OPEN_END | Slice.LOSSY)
        .gap(300 * MS, 500 * MS, 1234)
        .call(1, take, 550 * MS, 700 * MS, Slice.INFERRED_END);
    shop.thread(MARKUP, process, false).call(0, markup, 250 * MS, 750 * MS);
    shop.thread("idle", other, true);
    shop.oddity("shop.kymo/stream_3: packet cut short: offset=8192 size=100");
    return shop;
  }

  /** Two thousand threads; thread i has one call of a millisecond, beginning at i/2 ms. */
  public static FakeTimeline crowd() {
    FakeTimeline crowd = new FakeTimeline("crowd.kymo", 1001 * MS);
    int process = crowd.process(1, "java Crowd");
    int run = crowd.method("com.example.Crowd", "run", "()V");
    for (int i = 0; i < 2000; i++) {
      crowd.thread("worker " + i, process, i % 2 == 1).call(0, run, i * MS / 2, (i + 2) * MS / 2);
    }
    return crowd;
  }

  /** Six threads that look like work: nested calls of very different length, from a seed. */
  public static FakeTimeline busy(long seed) {
    FakeTimeline busy = new FakeTimeline("busy.kymo", 3000 * MS);
    int process = busy.process(2, "java -cp app.jar com.example.Busy --threads 6");
    String[] types = {"Pool", "Parser", "Index", "Cache", "Session", "Codec", "Page", "Lock"};
    String[] names = {"run", "read", "find", "put", "next", "decode", "flush"};
    for (String type : types) {
      for (String name : names) {
        busy.method("com.example.busy." + type, name, "()V");
      }
    }
    for (int i = 0; i < 6; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      FakeTimeline.Thread thread = busy.thread("pool-1-thread-" + (i + 1), process, false);
      fill(thread, random, 0, 40L * i * MS, 3000 * MS - 90L * i * MS, 7 + i);
    }
    return busy;
  }

  /** Fills a call with calls until the depth or the time is used up. */
  private static void fill(
      FakeTimeline.Thread thread, SplittableRandom random, int depth, long from, long to, int max) {
    thread.call(depth, random.nextInt(56), from, to);
    if (depth == max || to - from < 20_000) {
      return;
    }
    int children = 1 + random.nextInt(5);
    long step = (to - from) / children;
    for (int i = 0; i < children; i++) {
      long begin = from + i * step + (long) (step * 0.1 * random.nextDouble());
      long end = begin + (long) (step * (0.3 + 0.6 * Math.sqrt(random.nextDouble())));
      if (random.nextInt(12) < 11) {
        fill(thread, random, depth + 1, begin, end, max);
      }
    }
  }
}
