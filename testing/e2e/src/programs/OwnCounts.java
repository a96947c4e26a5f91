import java.util.ArrayList;
import java.util.List;

/**
 * Counts its own calls, each thread in plain fields, and prints the sums at the end, one {@code
 * METHOD CALLS} a line. Which methods are hot changes every 100 ms: small calls, recursion,
 * exceptions, calls nested over several methods. In addition, short-lived threads come and go.
 *
 * <p>Arguments: threads, seconds, short-lived threads in all.
 */
public class OwnCounts extends Thread {
  static final long PHASE_NANOS = 100_000_000;
  static final List<OwnCounts> ALL = new ArrayList<>();

  final long begin;
  final long nanos;
  long run;
  long small;
  long recursive;
  long even;
  long odd;
  long throwing;
  long catching;
  long outer;
  long middle;
  long inner;
  int sink;

  OwnCounts(String name, long begin, long nanos) {
    super(name);
    this.begin = begin;
    this.nanos = nanos;
  }

  @Override
  public void run() {
    run++;
    long now = 0;
    do {
      switch ((int) (now / PHASE_NANOS % 4)) {
        case 0 -> {
          for (int i = 0; i < 2000; i++) {
            sink += small(i);
          }
        }
        case 1 -> sink += recursive(200) + even(100);
        case 2 -> {
          for (int i = 0; i < 50; i++) {
            sink += catching(i);
          }
        }
        default -> sink += outer(10);
      }
      now = System.nanoTime() - begin;
    } while (now < nanos);
  }

  int small(int n) {
    small++;
    int sum = n;
    for (int i = 0; i < n % 5; i++) {
      sum += i * n;
    }
    return sum;
  }

  int recursive(int depth) {
    recursive++;
    return depth == 0 ? 0 : 1 + recursive(depth - 1);
  }

  int even(int n) {
    even++;
    return n == 0 ? 1 : odd(n - 1);
  }

  int odd(int n) {
    odd++;
    return n == 0 ? 0 : even(n - 1);
  }

  int catching(int n) {
    catching++;
    try {
      return throwing(n, 5);
    } catch (IllegalStateException e) {
      return 1;
    }
  }

  int throwing(int n, int depth) {
    throwing++;
    if (depth == 0 && n % 2 == 0) {
      throw new IllegalStateException();
    }
    return depth == 0 ? n : throwing(n, depth - 1);
  }

  int outer(int n) {
    outer++;
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += middle(i);
    }
    return sum;
  }

  int middle(int n) {
    middle++;
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += inner(i);
    }
    return sum;
  }

  int inner(int n) {
    inner++;
    int sum = n;
    for (int i = 0; i < 20; i++) {
      sum = sum * 31 + i;
    }
    return sum;
  }

  static OwnCounts start(String name, long begin, long nanos) {
    OwnCounts thread = new OwnCounts(name, begin, nanos);
    ALL.add(thread);
    thread.start();
    return thread;
  }

  public static void main(String[] arguments) throws InterruptedException {
    int threads = Integer.parseInt(arguments[0]);
    long nanos = (long) (Double.parseDouble(arguments[1]) * 1e9);
    int shortLived = Integer.parseInt(arguments[2]);
    long begin = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      start("worker-" + i, begin, nanos);
    }
    for (int i = 0; i < shortLived; i++) {
      start("short-" + i, begin, 0).join();
    }
    for (OwnCounts thread : ALL) {
      thread.join();
    }
    print();
  }

  static void print() {
    OwnCounts sum = new OwnCounts("sum", 0, 0);
    for (OwnCounts t : ALL) {
      sum.run += t.run;
      sum.small += t.small;
      sum.recursive += t.recursive;
      sum.even += t.even;
      sum.odd += t.odd;
      sum.catching += t.catching;
      sum.throwing += t.throwing;
      sum.outer += t.outer;
      sum.middle += t.middle;
      sum.inner += t.inner;
    }
    System.out.println("OwnCounts.run " + sum.run);
    System.out.println("OwnCounts.small " + sum.small);
    System.out.println("OwnCounts.recursive " + sum.recursive);
    System.out.println("OwnCounts.even " + sum.even);
    System.out.println("OwnCounts.odd " + sum.odd);
    System.out.println("OwnCounts.catching " + sum.catching);
    System.out.println("OwnCounts.throwing " + sum.throwing);
    System.out.println("OwnCounts.outer " + sum.outer);
    System.out.println("OwnCounts.middle " + sum.middle);
    System.out.println("OwnCounts.inner " + sum.inner);
    System.out.println("OwnCounts.start " + ALL.size());
    System.out.println("OwnCounts.main 1");
  }
}
