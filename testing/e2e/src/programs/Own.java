import dev.kymo.api.Events;
import dev.kymo.api.Kymo;
import dev.kymo.api.Span;
import dev.kymo.api.Unrecorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Records events of its own; its arguments say how many of each. */
@Unrecorded
public class Own {
  private static final int[] NUMBERS =
      Events.subsystem("disk", 5, "I/O", "#d04040")
          .event(7, "ALLOC", Events.INSTANT, "Memory given out", "u64 size; str owner;")
          .event(8, "READ", Events.BEGIN, "Reading", "u32 block;")
          .end(9, "READ_DONE", "READ", "", "")
          .event(10, "TICK", Events.INSTANT, "", "u64 n;")
          .numbers();

  static void alloc(long size, String owner) {
    int event = Events.on(NUMBERS, 0);
    if (event != 0) {
      Events.payload(event).u64(size).str(owner).commit();
    }
  }

  static void read(int block) {
    int event = Events.on(NUMBERS, 1);
    if (event != 0) {
      Events.enter(event);
      Events.record(event, block);
    }
  }

  static void readDone() {
    int event = Events.on(NUMBERS, 2);
    if (event != 0) {
      Events.leave(event);
    }
  }

  static void tick(long n) {
    int event = Events.on(NUMBERS, 3);
    if (event != 0) {
      Events.record(event, n);
    }
  }

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "each" -> each(Integer.parseInt(arguments[1]));
      case "ticks" -> ticks(Long.parseLong(arguments[1]));
      case "slow" -> slow(Long.parseLong(arguments[1]));
      case "storm" -> storm(Integer.parseInt(arguments[1]));
      case "until" -> until(Path.of(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("fine");
  }

  private static void each(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      alloc(i, "öwner\uD83D\uDE00" + i);
      read(i);
      readDone();
      try (Span span = Kymo.span("work")) {
        Kymo.instant("cache/hit");
        Kymo.instant("cache/size", -i);
        Kymo.instant("said", "text " + i);
      }
      Kymo.counter("load", i / 4.0);
      Kymo.counter("queue", i);
      Kymo.send("post", i);
    }
    Thread other = new Thread(() -> receive(count), "other");
    other.start();
    other.join();
    Kymo.instant("large", "x".repeat(65_536 + 10));
    int event = Events.on(NUMBERS, 0);
    if (event != 0) {
      Events.payload(event).bytes(new byte[60_000]).bytes(new byte[10_000]).commit();
    }
    Kymo.flush();
  }

  private static void receive(int count) {
    for (int i = 0; i < count; i++) {
      Kymo.receive("post", i);
    }
  }

  private static void ticks(long count) {
    for (long n = 1; n <= count; n++) {
      tick(n);
      Kymo.instant("tock", n);
    }
  }

  /** Some ten thousand a second. */
  private static void slow(long count) {
    long begin = System.nanoTime();
    for (long n = 1; n <= count; n++) {
      tick(n);
      while (System.nanoTime() - begin < n * 50_000) {
        Thread.onSpinWait();
      }
    }
  }

  /** Many threads record, and switch events off and on; prints how many were recorded. */
  private static void storm(int count) throws InterruptedException {
    AtomicLong ticks = new AtomicLong();
    AtomicLong allocs = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      Thread thread = new Thread(() -> storm(count, random, ticks, allocs));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("ticks=" + ticks + " allocs=" + allocs);
  }

  private static void storm(int count, Random random, AtomicLong ticks, AtomicLong allocs) {
    String text = "x".repeat(3000);
    for (int i = 0; i < count; i++) {
      int tick = Events.on(NUMBERS, 3);
      if (tick != 0) {
        Events.record(tick, i);
        ticks.incrementAndGet();
      }
      int alloc = Events.on(NUMBERS, 0);
      if (alloc != 0) {
        Events.payload(alloc).u64(i).str(text.substring(random.nextInt(3000))).commit();
        allocs.incrementAndGet();
      }
      if (i % 97 == 96) {
        if (random.nextBoolean()) {
          Kymo.disable("disk");
        } else {
          Kymo.enable("disk");
        }
      }
    }
  }

  private static void until(Path end) throws Exception {
    System.out.println("ready");
    System.out.flush();
    for (long n = 1; !Files.exists(end); n++) {
      tick(n);
      Kymo.instant("tock", n);
      Thread.sleep(1);
    }
  }
}
