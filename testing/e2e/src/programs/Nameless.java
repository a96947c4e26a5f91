import java.io.InputStream;

/** Defines classes without giving their names, and calls each ten times. */
public class Nameless {
  static class Loader extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass(null, bytes, 0, bytes.length);
    }
  }

  public static class Work implements Runnable {
    static int done;

    @Override
    public void run() {
      done = Math.addExact(done, 1);
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (InputStream in = Nameless.class.getResourceAsStream("/Nameless$Work.class")) {
      byte[] bytes = in.readAllBytes();
      for (int i = 0; i < 2; i++) {
        Class<?> type = new Loader().define(bytes);
        Runnable work = (Runnable) type.getDeclaredConstructor().newInstance();
        for (int j = 0; j < 10; j++) {
          work.run();
        }
        System.out.println(type.getName());
      }
      try {
        new Loader().define(new byte[] {1, 2, 3});
      } catch (LinkageError e) {
        System.out.println(e.getClass().getName());
      }
    }
  }
}
