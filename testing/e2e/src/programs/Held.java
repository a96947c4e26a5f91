/** One thread has a monitor for four seconds, in which it sleeps, and another one wants it. */
public class Held {
  public static void main(String[] arguments) throws Exception {
    Held held = new Held();
    Thread waiter =
        new Thread(
            () -> {
              synchronized (held) {
                held.notifyAll();
              }
            },
            "waiter");
    synchronized (held) {
      waiter.start();
      Thread.sleep(4000);
    }
    waiter.join();
    Thread.currentThread().interrupt();
    try {
      Thread.sleep(1000);
    } catch (InterruptedException e) {
      System.out.println("interrupted " + Thread.interrupted());
    }
    System.out.println("done");
  }
}
