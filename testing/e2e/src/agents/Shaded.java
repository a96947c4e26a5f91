import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/**
 * An agent that hides its classes in a class loader of its own, which is a class of the boot loader
 * as OpenTelemetry's, or of the agent's jar as Elastic's. Its argument is its jar.
 */
public class Shaded {
  public static void premain(String jar, Instrumentation instrumentation) throws Exception {
    run(Class.forName("Shaded$Loader"));
    instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar));
    run(Class.forName("Shaded$Loader", true, null));
  }

  private static void run(Class<?> loader) throws Exception {
    ClassLoader own = (ClassLoader) loader.getConstructor().newInstance();
    ((Runnable) own.loadClass("Shaded$Inner").getConstructor().newInstance()).run();
  }

  /** Has one class, which does not say where it comes from. */
  public static class Loader extends ClassLoader {
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals("Shaded$Inner")) {
        return super.loadClass(name, resolve);
      }
      try (InputStream file = ClassLoader.getSystemResourceAsStream("Shaded$Inner.class")) {
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (java.io.IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** What it does there. */
  public static class Inner implements Runnable {
    @Override
    public void run() {
      boolean boot = getClass().getClassLoader().getClass().getClassLoader() == null;
      System.out.println("inner, of the boot loader: " + boot);
    }
  }
}
