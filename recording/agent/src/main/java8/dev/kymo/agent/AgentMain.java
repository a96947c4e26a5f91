package dev.kymo.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;

/**
 * What the virtual machine calls. Compiled for Java 8, so that an older one says what is wrong
 * instead of refusing to start the program.
 */
public final class Main {
  private static final int OLDEST_JAVA = 17;

  private Main() {}

  /** With {@code -javaagent}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    start(false, arguments, instrumentation);
  }

  /** On attach. */
  public static void agentmain(String arguments, Instrumentation instrumentation) {
    start(true, arguments, instrumentation);
  }

  private static void start(boolean attached, String arguments, Instrumentation instrumentation) {
    try {
      String version = System.getProperty("java.specification.version");
      if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST_JAVA) {
        System.err.println(
            "kymo: Java "
                + OLDEST_JAVA
                + " or later can be recorded, this is "
                + version
                + "; the program runs on unrecorded");
        return;
      }
      File jar = new File(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      step("BootClasses").run(jar.getPath(), instrumentation, arguments, attached);
      step("Agent").run(jar.getPath(), instrumentation, arguments, attached);
    } catch (Throwable e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String remedy =
          cause instanceof SecurityException
              ? "; the program's security policy must grant java.security.AllPermission to the agent's jar"
              : "";
      System.err.println(
          "kymo: the agent cannot start, the program runs on unrecorded: " + cause + remedy);
    }
  }

  /** By name: these classes need a newer Java, and the first makes what the second refers to. */
  private static Step step(String type) throws ReflectiveOperationException {
    return Class.forName("dev.kymo.agent." + type)
        .asSubclass(Step.class)
        .getDeclaredConstructor()
        .newInstance();
  }

  /** What is done when the agent starts. */
  interface Step {
    /**
     * Does it.
     *
     * @param arguments the agent's, null if there are none
     * @param attached whether the program runs already
     */
    void run(String jar, Instrumentation instrumentation, String arguments, boolean attached)
        throws Exception;
  }
}
