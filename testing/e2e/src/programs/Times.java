import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Methods whose times this program knows by its own clock. Prints for each how many nanoseconds its
 * outermost calls took in all: at least, and at most. An argument is the number of milliseconds for
 * which each is called.
 */
public class Times {
  static final long SLEEP = 3;

  static long millis;
  static int sink;
  static long asleep;

  /** A recursion that branches. */
  static int tree(int n) {
    return n < 2 ? n : tree(n - 1) + tree(n - 2);
  }

  /** Two methods that call each other, deeply. */
  static int even(int n) {
    return n == 0 ? 1 : odd(n - 1) + 1;
  }

  static int odd(int n) {
    return n == 0 ? 0 : even(n - 1) + 1;
  }

  /** Short, and occasionally very long. */
  static int mixed(int n) throws InterruptedException {
    if (n % 5000 == 0) {
      asleep += slept();
    }
    return n;
  }

  /** Ends by an exception, and occasionally takes long before that. */
  static void thrower(int n) throws InterruptedException {
    if (n % 1000 == 0) {
      slept();
    }
    throw EXPECTED;
  }

  static final IllegalStateException EXPECTED = new IllegalStateException("expected");

  /** Does little except call. */
  static void caller(int n) throws InterruptedException {
    for (int i = 1; i <= 100; i++) {
      sink += mixed(n + i);
    }
  }

  static long slept() throws InterruptedException {
    long begin = System.nanoTime();
    Thread.sleep(SLEEP);
    return System.nanoTime() - begin;
  }

  static void say(String method, long least, long most) {
    System.out.println(method + " " + least + " " + most);
  }

  static void trees() {
    long begin = System.nanoTime();
    long spent = 0;
    while (System.nanoTime() - begin < millis * 1_000_000) {
      long from = System.nanoTime();
      sink += tree(27);
      spent += System.nanoTime() - from;
    }
    say("Times.tree", spent, spent);
  }

  static void pairs() {
    long begin = System.nanoTime();
    long spent = 0;
    while (System.nanoTime() - begin < millis * 1_000_000) {
      long from = System.nanoTime();
      for (int i = 0; i < 100; i++) {
        sink += even(400);
      }
      spent += System.nanoTime() - from;
    }
    say("Times.even", spent, spent);
    say("Times.odd", 0, spent);
  }

  static void longAndShort() throws InterruptedException {
    long begin = System.nanoTime();
    for (int n = 0; System.nanoTime() - begin < millis * 1_000_000; n += 100) {
      caller(n);
    }
    long spent = System.nanoTime() - begin;
    say("Times.caller", asleep, spent);
    say("Times.mixed", asleep, spent);
  }

  static void exceptions() throws InterruptedException {
    long begin = System.nanoTime();
    long least = 0;
    for (int n = 0; System.nanoTime() - begin < millis * 1_000_000; n++) {
      least += n % 1000 == 0 ? SLEEP * 1_000_000 : 0;
      try {
        thrower(n);
      } catch (IllegalStateException e) {
        sink++;
      }
    }
    say("Times.thrower", least, System.nanoTime() - begin);
  }

  static void virtual(Method start) throws Exception {
    List<Thread> threads = new ArrayList<>();
    AtomicLong spent = new AtomicLong();
    for (int i = 0; i < 4; i++) {
      Runnable work =
          () -> {
            long begin = System.nanoTime();
            for (int n = 0; System.nanoTime() - begin < millis * 1_000_000; n++) {
              inVirtual(n);
            }
            spent.addAndGet(System.nanoTime() - begin);
          };
      threads.add((Thread) start.invoke(null, work));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    say("Times.inVirtual", 0, spent.get());
  }

  static void inVirtual(int n) {
    if (n % 1000 == 0) {
      Thread.yield();
    }
    sink += n;
  }

  public static void main(String[] arguments) throws Exception {
    millis = Long.parseLong(arguments[0]);
    long begin = System.nanoTime();
    trees();
    pairs();
    longAndShort();
    exceptions();
    if (arguments.length > 1) {
      virtual(Thread.class.getMethod("startVirtualThread", Runnable.class));
    }
    say("Times.main", 0, System.nanoTime() - begin);
  }
}
