import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.SynchronousQueue;

/**
 * Two threads that hand something to each other a given number of times, so that one always waits;
 * prints what processor time of the process each time took, in nanoseconds, without the start of
 * the program.
 */
public class Handoff {
  static long processorMillis() throws Exception {
    String[] stat = Files.readString(Path.of("/proc/self/stat")).split(" ");
    return 10 * (Long.parseLong(stat[13]) + Long.parseLong(stat[14]));
  }

  static void run(int times) throws Exception {
    SynchronousQueue<Integer> there = new SynchronousQueue<>();
    SynchronousQueue<Integer> back = new SynchronousQueue<>();
    Thread other =
        new Thread(() -> {
          try {
            for (int i = 0; i < times; i++) {
              back.put(there.take());
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    other.start();
    for (int i = 0; i < times; i++) {
      there.put(i);
      back.take();
    }
    other.join();
  }

  public static void main(String[] arguments) throws Exception {
    int times = Integer.parseInt(arguments[0]);
    run(times / 2);
    long begin = processorMillis();
    run(times);
    System.out.println((processorMillis() - begin) * 1_000_000 / times);
  }
}
