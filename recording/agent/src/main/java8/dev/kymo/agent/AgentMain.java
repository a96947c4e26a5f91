package dev.kymo.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;

/**
 * The entry point that the virtual machine calls. It is compiled for Java 8, so that an older
 * virtual machine reports what is wrong instead of refusing to start the program.
 */
public final class AgentMain {
  private static final int OLDEST_JAVA = 17;

  private AgentMain() {}

  /** Called with {@code -javaagent}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    start(false, arguments, instrumentation);
  }

  /** Called on attach. */
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
      File jar = jar(arguments);
      step("BootClasses").run(jar.getPath(), instrumentation, arguments, attached);
      step("Agent").run(jar.getPath(), instrumentation, arguments, attached);
    } catch (Throwable e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String remedy =
          cause instanceof SecurityException
              ? "; the program's security policy must grant java.security.AllPermission to the"
                  + " agent's jar"
              : "";
      System.err.println(
          "kymo: the agent cannot start, the program runs on unrecorded: " + cause + remedy);
    }
  }

  /**
   * The agent's jar: that of this class, or, if a recording in a container has taken that away, the
   * one that lies with the session.
   */
  private static File jar(String session) throws URISyntaxException {
    File own =
        new File(AgentMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return own.exists() || session == null ? own : new File(session, own.getName());
  }

  /**
   * Calls by name: these classes need a newer Java, and the first defines the classes that the
   * second refers to.
   */
  private static Step step(String type) throws ReflectiveOperationException {
    return Class.forName("dev.kymo.agent." + type)
        .asSubclass(Step.class)
        .getDeclaredConstructor()
        .newInstance();
  }

  /** A step of the agent's start. */
  interface Step {
    /**
     * Runs the step.
     *
     * @param arguments the agent's, null if there are none
     * @param attached whether the program already runs
     */
    void run(String jar, Instrumentation instrumentation, String arguments, boolean attached)
        throws Exception;
  }
}
