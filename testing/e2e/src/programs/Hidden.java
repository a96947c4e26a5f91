import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Defines hidden classes from its own nested classes, and counts its calls of them; tries what must
 * fail, and prints how it failed.
 */
public class Hidden {
  /** Defined several times, never loaded as an ordinary class. */
  static class Sum implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
      int sum = 0;
      for (int i = 0; i < n; i++) {
        sum += i;
      }
      if (n == 3) {
        throw new IllegalStateException("three");
      }
      return sum;
    }
  }

  static class WithData implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
      try {
        String data = MethodHandles.classData(MethodHandles.lookup(), "_", String.class);
        return Math.addExact(n, data.length());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Only a nest mate can call the method that it calls. */
  static class Mate implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
      return secret(n);
    }
  }

  /** Defines another hidden class from within. */
  static class Outer implements IntUnaryOperator {
    @Override
    public int applyAsInt(int n) {
      try {
        return define(MethodHandles.lookup(), bytes("Sum")).applyAsInt(n);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static int secret(int n) {
    return Math.multiplyExact(n, 3);
  }

  static byte[] bytes(String nested) throws Exception {
    return Hidden.class.getResourceAsStream("/Hidden$" + nested + ".class").readAllBytes();
  }

  static IntUnaryOperator define(Lookup lookup, byte[] bytes, ClassOption... options)
      throws Exception {
    return instance(lookup.defineHiddenClass(bytes, true, options).lookupClass());
  }

  static IntUnaryOperator instance(Class<?> type) throws Exception {
    if (!type.isHidden() || type.getName().indexOf('/') < 0) {
      throw new AssertionError(type);
    }
    return (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
  }

  /** Calls it {@code times} times, with 0, 1, 2, ... */
  static void call(String name, IntUnaryOperator operator, int times) {
    int sum = 0;
    int thrown = 0;
    for (int i = 0; i < times; i++) {
      try {
        sum += operator.applyAsInt(i);
      } catch (IllegalStateException e) {
        thrown++;
      }
    }
    System.out.println("called " + name + " " + times + " thrown " + thrown + " sum " + sum);
  }

  interface Attempt {
    Object run() throws Throwable;
  }

  static void attempt(String what, Attempt attempt) {
    try {
      attempt.run();
      System.out.println("try " + what + ": fine");
    } catch (Throwable e) {
      String text = e.toString().replaceAll("/0x[0-9a-f]+", "/0x"); // differs from run to run
      System.out.println("try " + what + ": " + text + " at " + e.getStackTrace()[0]);
    }
  }

  static void failures(Lookup lookup) throws Exception {
    byte[] sum = bytes("Sum");
    byte[] future = sum.clone();
    future[7] = 127;
    byte[] foreign = Hidden.class.getResourceAsStream("/java/lang/Object.class").readAllBytes();
    attempt("null", () -> lookup.defineHiddenClass(null, true));
    attempt("null options", () -> lookup.defineHiddenClass(sum, true, (ClassOption[]) null));
    attempt("null data", () -> lookup.defineHiddenClassWithClassData(sum, null, true));
    attempt("null with data", () -> lookup.defineHiddenClassWithClassData(null, "", true));
    attempt("nothing", () -> lookup.defineHiddenClass(new byte[0], true));
    attempt("half", () -> lookup.defineHiddenClass(Arrays.copyOf(sum, sum.length / 2), true));
    attempt("noise", () -> lookup.defineHiddenClass(new byte[1000], true));
    attempt("future", () -> lookup.defineHiddenClass(future, true));
    attempt("other package", () -> lookup.defineHiddenClass(foreign, true));
    attempt("public", () -> MethodHandles.publicLookup().defineHiddenClass(sum, true));
    attempt(
        "no mate",
        () -> {
          define(lookup, bytes("Mate")).applyAsInt(1);
          return null;
        });
  }

  /** The class that Java makes for a switch over patterns, without the language for it. */
  static void typeSwitch(Lookup lookup) throws Throwable {
    Class<?> switches;
    try {
      switches = Class.forName("java.lang.runtime.SwitchBootstraps");
    } catch (ClassNotFoundException e) {
      return; // an older Java
    }
    MethodType type = MethodType.methodType(int.class, Object.class, int.class);
    java.lang.invoke.CallSite site =
        (java.lang.invoke.CallSite)
            switches
                .getMethod(
                    "typeSwitch", Lookup.class, String.class, MethodType.class, Object[].class)
                .invoke(null, lookup, "_", type, new Object[] {Integer.class, "text", 42});
    MethodHandle handle = site.getTarget();
    if ((int) handle.invoke((Object) "text", 0) != 1) {
      throw new AssertionError();
    }
  }

  public static void main(String[] arguments) throws Throwable {
    Lookup lookup = MethodHandles.lookup();
    for (int i = 1; i <= 3; i++) {
      call("Sum", define(lookup, bytes("Sum")), 10 * i);
    }
    call("Sum", define(lookup, bytes("Sum"), ClassOption.STRONG), 5);
    call("Mate", define(lookup, bytes("Mate"), ClassOption.NESTMATE), 7);
    call(
        "WithData",
        instance(
            lookup.defineHiddenClassWithClassData(bytes("WithData"), "four", true).lookupClass()),
        9);
    call("Outer", define(lookup, bytes("Outer"), ClassOption.NESTMATE), 2);
    failures(lookup);
    typeSwitch(lookup);
  }
}
