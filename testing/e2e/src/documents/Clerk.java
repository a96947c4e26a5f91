package shop;

/** The reader's program: two clerks serve for two seconds; told to stay, until somebody ends it. */
public class Clerk {
  private final int[] till = new int[1];

  public static void main(String[] args) throws InterruptedException {
    System.out.println("begun");
    Clerk clerk = new Clerk();
    Thread other = new Thread(() -> clerk.day(1000, args.length > 0), "worker-1");
    other.start();
    clerk.day(0, args.length > 0);
    other.join();
  }

  void day(int from, boolean stays) {
    long begin = System.nanoTime();
    for (int id = from; stays || System.nanoTime() - begin < 2_000_000_000; id++) {
      Shop.accept(id);
      serve(id);
      Shop.reply(id);
    }
  }

  void serve(int id) {
    Shop.work(id);
    pay();
    if (id % 20 == 19) {
      Shop.overdue(id);
      pause(25);
    }
  }

  void pay() {
    synchronized (till) {
      till[0]++;
      pause(12);
    }
  }

  static void pause(int milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
