package shop;

import java.util.HashMap;
import java.util.Map;

/** What is in stock; looks into a slow place for what it does not know. */
public class Stock {
  private final Map<String, Integer> known = new HashMap<>();

  public int count(String ware) {
    return known.computeIfAbsent(ware, this::load);
  }

  int load(String ware) {
    try {
      Thread.sleep(5);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ware.length();
  }

  public synchronized void tidy(Runnable work) {
    work.run();
  }
}
