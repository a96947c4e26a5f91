package example;

import java.util.LinkedHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A cache of 64 keys in front of a slow loader, which records what it does by generated events. */
public class Main {
  private static final int ROOM = 64;

  private final LinkedHashMap<Integer, Long> values = new LinkedHashMap<>();
  private final BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Long> loaded = new LinkedBlockingQueue<>();
  private long requests;

  public static void main(String[] arguments) throws InterruptedException {
    Main main = new Main();
    Thread loader = new Thread(main::load, "loader");
    loader.setDaemon(true);
    loader.start();
    long sum = 0;
    for (int i = 0; i < 500; i++) {
      sum += main.get(i * i % 197);
    }
    System.out.println("sum " + sum);
  }

  private long get(int key) throws InterruptedException {
    Cache.lookup(key);
    try {
      Long value = values.get(key);
      if (value == null) {
        Cache.miss(key);
        value = ask(key);
        keep(key, value);
      }
      return value;
    } finally {
      Cache.found();
    }
  }

  private long ask(int key) throws InterruptedException {
    Loader.ask(++requests);
    asked.put(key);
    return loaded.take();
  }

  private void keep(int key, long value) {
    if (values.size() == ROOM) {
      int eldest = values.keySet().iterator().next();
      values.remove(eldest);
      Cache.evict(eldest, "room for " + key);
    }
    values.put(key, value);
    Cache.size(values.size());
  }

  private void load() {
    try {
      for (long request = 1; ; request++) {
        int key = asked.take();
        Loader.asked(request);
        Thread.sleep(1); // a disk, a network
        loaded.put(key * 1000L);
      }
    } catch (InterruptedException e) {
      // the program ends
    }
  }
}
