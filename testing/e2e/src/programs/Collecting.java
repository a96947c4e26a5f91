import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Calls classes of the JDK a known number of times, including some that the recorder uses itself.
 */
public class Collecting {
  private static final int TIMES = 1000;

  public static void main(String[] arguments) throws Exception {
    PriorityQueue<Integer> queue = new PriorityQueue<>();
    BitSet bits = new BitSet();
    for (int i = 0; i < TIMES; i++) {
      queue.offer(i);
      bits.set(i * 7);
    }
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Thread(Collecting::collect);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(queue.size() + " " + bits.cardinality());
  }

  private static void collect() {
    Map<String, List<Integer>> map = new HashMap<>();
    for (int i = 0; i < TIMES; i++) {
      map.computeIfAbsent("key " + i % 10, key -> new ArrayList<>()).add(i);
    }
    if (map.size() != 10 || map.get("key 3").size() != TIMES / 10) {
      throw new IllegalStateException("wrong: " + map.size());
    }
  }
}
