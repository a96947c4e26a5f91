/**
 * Loads files that are not classes, and a class that does not verify; prints what became of them.
 */
public class Broken {
  static class Loader extends ClassLoader {
    Class<?> define(String name, byte[] bytes) {
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  static String load(String name, byte[] bytes) {
    try {
      return new Loader().define(name, bytes).getDeclaredConstructor().newInstance().toString();
    } catch (Throwable e) {
      return e.getClass().getName();
    }
  }

  static byte[] own() throws Exception {
    return Broken.class.getResourceAsStream("/Broken$Victim.class").readAllBytes();
  }

  public static class Victim {
    @Override
    public String toString() {
      return "victim ".concat(String.valueOf(42));
    }
  }

  public static void main(String[] arguments) throws Exception {
    byte[] whole = own();
    System.out.println(load("Broken$Victim", whole));
    System.out.println(load("Broken$Victim", java.util.Arrays.copyOf(whole, whole.length / 2)));
    byte[] future = whole.clone();
    future[7] = 127;
    System.out.println(load("Broken$Victim", future));
    byte[] scrambled = whole.clone();
    for (int i = whole.length / 2; i < whole.length; i += 7) {
      scrambled[i] ^= 0x55;
    }
    System.out.println(load("Broken$Victim", scrambled));
  }
}
