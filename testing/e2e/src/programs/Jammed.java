import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.FlightRecorder;

/** Exits while the flight recorder does not answer, as when something in it waits for ever. */
public class Jammed {
  public static void main(String[] arguments) throws Exception {
    Field internal = FlightRecorder.class.getDeclaredField("internal");
    internal.setAccessible(true);
    Object recorder = internal.get(FlightRecorder.getFlightRecorder());
    CountDownLatch jammed = new CountDownLatch(1);
    Thread jam = new Thread(() -> jam(recorder, jammed));
    jam.setDaemon(true);
    jam.start();
    jammed.await();
    System.out.println("exits");
    System.exit(3);
  }

  private static void jam(Object recorder, CountDownLatch jammed) {
    synchronized (recorder) {
      jammed.countDown();
      while (true) {
        try {
          Thread.sleep(1000);
        } catch (InterruptedException e) {
          // stays
        }
      }
    }
  }
}
