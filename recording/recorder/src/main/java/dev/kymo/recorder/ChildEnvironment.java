package dev.kymo.recorder;

import dev.kymo.recorder.platform.Faults;
import dev.kymo.recorder.platform.Privileged;
import dev.kymo.recorder.platform.RecorderWork;
import java.util.Map;

/**
 * Lets the virtual machines that a recorded program starts join the recording: the agent makes
 * {@code ProcessBuilder.start} call this. The program's own environment stays as it is.
 */
public final class ChildEnvironment {
  /** The variable from which every virtual machine takes options. */
  public static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  /** The variable that names the session's directory to recorded programs. */
  public static final String SESSION = "KYMO_SESSION";

  /** The agent's argument where the session's directory is in the environment. */
  public static final String BY_ENVIRONMENT = "$" + SESSION;

  private static final String AGENT = "kymo-agent.jar";
  private static volatile String option = "";

  private ChildEnvironment() {}

  /** Sets the options that children get. */
  public static void follow(String agentJar, String session) {
    option = option(agentJar, session);
  }

  /** The agent as {@link #VARIABLE} wants it. */
  public static String option(String agentJar, String session) {
    String text = "-javaagent:" + agentJar + "=" + session;
    return text.indexOf(' ') < 0 ? text : '"' + text + '"';
  }

  /** Adds the agent to the environment of a process that is about to be started. Never throws. */
  public static void prepare(ProcessBuilder process) {
    ProcessRecorder recorder = ProcessRecorder.current();
    if (recorder == null || recorder.isStopped()) {
      return;
    }
    boolean begun = false;
    try {
      begun = RecorderWork.begin();
      Privileged.run(() -> add(process.environment()));
    } catch (RuntimeException | Error e) {
      Faults.throwIfPrograms(e); // else an environment that takes no variable: it is not recorded
    } finally {
      RecorderWork.end(begun);
    }
  }

  private static void add(Map<String, String> environment) {
    String given = environment.get(VARIABLE);
    if (given == null || given.isEmpty()) {
      environment.put(VARIABLE, option);
    } else if (!given.contains(AGENT)) {
      environment.put(VARIABLE, given + " " + option);
    }
  }
}
