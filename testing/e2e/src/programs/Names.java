import dev.kymo.api.Kymo;

/** Names an object after its first event, and goes on in another thread. */
public class Names {
  private static final Object QUEUE = new Object();

  static void put() {
    Kymo.counter("queue", System.identityHashCode(QUEUE));
  }

  public static void main(String[] args) throws InterruptedException {
    put();
    Kymo.alias(System.identityHashCode(QUEUE), "order queue");
    put();
    Thread billing = new Thread(Names::put, "billing");
    billing.start();
    billing.join();
  }
}
