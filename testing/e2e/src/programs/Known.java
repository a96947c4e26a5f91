import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Makes a known number of calls of every kind that is woven in its own way. */
public class Known {
  static int initialised;

  static class Initialised {
    static final int VALUE = count();

    static int count() {
      return Integer.parseInt("1") + initialised++;
    }
  }

  static class Base {
    final int value;

    Base(int value) {
      this.value = Integer.parseInt(String.valueOf(value));
    }
  }

  static class Derived extends Base {
    Derived(int value) {
      super(Math.abs(value) + (value > 2 ? 1 : String.valueOf(value).length()));
      if (value < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  interface Greeter {
    default String greet(String name) {
      return "hello ".concat(name);
    }
  }

  static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  static void thrower(int depth) {
    if (depth == 0) {
      throw new IllegalStateException("thrown");
    }
    thrower(depth - 1);
  }

  static int catcher(int times) {
    int caught = 0;
    for (int i = 0; i < times; i++) {
      try {
        thrower(3);
      } catch (IllegalStateException e) {
        caught++;
      } finally {
        caught = Math.max(caught, 0);
      }
    }
    return caught;
  }

  static synchronized int locked(int n) {
    synchronized (Known.class) {
      return n == 0 ? 0 : 1 + locked(n - 1);
    }
  }

  static int endless(int n) {
    return endless(n + 1) + 1;
  }

  static int lambda(int n) {
    IntSupplier supplier = () -> Integer.parseInt("1") + n;
    return supplier.getAsInt();
  }

  static long wide(long a, double b, String c) {
    return a + (long) b + c.length();
  }

  static int chooser(int n) {
    switch (n % 3) {
      case 0:
        return Integer.parseInt("0");
      case 1:
        return Integer.parseInt("1");
      default:
        return Integer.parseInt("2");
    }
  }

  static void work() {
    for (int i = 0; i < 50; i++) {
      chooser(i);
    }
  }

  public static void main(String[] arguments) throws Exception {
    long sum = fib(15) + catcher(20) + locked(10) + Initialised.VALUE;
    for (int i = 0; i < 5; i++) {
      sum += new Derived(i).value + lambda(i) + wide(i, 2.5, "abc");
      sum += new Greeter() {}.greet("you").length();
    }
    try {
      new Derived(-1);
    } catch (IllegalArgumentException e) {
      sum++;
    }
    try {
      endless(0);
    } catch (StackOverflowError e) {
      sum++;
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Thread thread = new Thread(Known::work, "worker-" + i);
      thread.start();
      threads.add(thread);
      if (i % 4 == 3) {
        for (Thread t : threads) {
          t.join();
        }
      }
    }
    System.out.println(sum);
    String exit = arguments.length > 0 ? arguments[0] : "";
    if (exit.equals("exit")) {
      System.exit(7);
    } else if (exit.equals("halt")) {
      Runtime.getRuntime().halt(8);
    } else if (exit.equals("throw")) {
      throw new IllegalStateException("uncaught");
    }
  }
}
