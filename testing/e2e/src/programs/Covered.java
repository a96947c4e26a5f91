import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;

/** A program of many kinds of classes and methods, not all of which are executed. */
class Covered {
  private static int failed;

  public static void main(String[] args) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(1);
    List<Callable<Integer>> work = new ArrayList<>();
    for (Shape shape : List.of(new Circle(3), new Square(4), new Square(-1))) {
      work.add(() -> area(shape));
    }
    int sum = 0;
    for (var result : threads.invokeAll(work)) {
      sum += result.get();
    }
    threads.shutdown();
    IntUnaryOperator twice = i -> i > 1000 ? never(i) : 2 * i;
    System.out.println(twice.applyAsInt(sum) + " " + failed + " " + Size.of(sum));
    System.out.println("open: " + isOpen());
  }

  private static int area(Shape shape) {
    try {
      return shape.area();
    } catch (IllegalArgumentException e) {
      failed++;
      return 0;
    }
  }

  private static int never(int i) {
    return i - 1;
  }

  /** Whether the program may do what the JDK forbids it. */
  private static boolean isOpen() throws NoSuchFieldException {
    try {
      String.class.getDeclaredField("value").setAccessible(true);
      return true;
    } catch (InaccessibleObjectException e) {
      return false;
    }
  }

  interface Shape {
    int area();

    default String unused() {
      return "area " + area();
    }
  }

  record Circle(int radius) implements Shape {
    @Override
    public int area() {
      int area = 0;
      for (int i = 0; i < 3; i++) {
        area += radius * radius;
      }
      return area;
    }
  }

  record Square(int side) implements Shape {
    Square {
      if (side > 1000) {
        throw new IllegalArgumentException("too large");
      }
    }

    @Override
    public int area() {
      if (side < 0) {
        throw new IllegalArgumentException("no square");
      }
      return side * side;
    }
  }

  enum Size {
    SMALL,
    LARGE;

    static Size of(int area) {
      return switch (area % 7) {
        case 0, 1 -> SMALL;
        case 2 -> area > 20 ? LARGE : SMALL;
        default -> LARGE;
      };
    }
  }
}
