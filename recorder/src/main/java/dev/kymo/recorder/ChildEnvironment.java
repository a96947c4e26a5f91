package dev.kymo.recorder;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets the virtual machines that a recorded program starts join the recording: the agent makes
 * {@code ProcessBuilder.start} call this. The program's own environment stays as it is.
 */
public final class ChildEnvironment {
  /** What every virtual machine takes options from. */
  public static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  private static final String AGENT = "kymo-agent.jar";
  private static volatile String option = "";

  private ChildEnvironment() {}

  /** Sets what children get. */
  public static void follow(String agentJar, String session) {
    option = option(agentJar, session);
  }

  /** The agent as {@link #VARIABLE} wants it. */
  public static String option(String agentJar, String session) {
    String text = "-javaagent:" + agentJar + "=" + session;
    return text.indexOf(' ') < 0 ? text : '"' + text + '"';
  }

  /** Adds the agent to the environment of a process that is about to be started. */
  public static void prepare(@Nullable Map<String, String> environment) {
    ProcessRecorder recorder = ProcessRecorder.current();
    if (environment == null || recorder == null || recorder.isStopped()) {
      return;
    }
    try {
      String given = environment.get(VARIABLE);
      if (given == null || given.isEmpty()) {
        environment.put(VARIABLE, option);
      } else if (!given.contains(AGENT)) {
        environment.put(VARIABLE, given + " " + option);
      }
    } catch (RuntimeException e) {
      // an environment that takes no variable: the child is not recorded
    }
  }
}
