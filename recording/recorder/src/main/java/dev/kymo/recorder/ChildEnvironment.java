package dev.kymo.recorder;

import java.util.Map;

/**
 * Lets the virtual machines that a recorded program starts join the recording: the agent makes
 * {@code ProcessBuilder.start} call this. The program's own environment stays as it is.
 */
public final class ChildEnvironment {
  /** What every virtual machine takes options from. */
  public static final String VARIABLE = "JAVA_TOOL_OPTIONS";

  /** Where the directory of the session is said to what runs under a recorder. */
  public static final String SESSION = "KYMO_SESSION";

  /** The agent's argument where the session's directory is in the environment. */
  public static final String BY_ENVIRONMENT = "$" + SESSION;

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

  /** Adds the agent to the environment of a process that is about to be started. Never throws. */
  public static void prepare(ProcessBuilder process) {
    ProcessRecorder recorder = ProcessRecorder.current();
    if (recorder == null || recorder.isStopped()) {
      return;
    }
    boolean begun = false;
    try {
      begun = OwnWork.begin();
      Privileged.run(() -> add(process.environment()));
    } catch (RuntimeException | Error e) {
      Faults.throwIfPrograms(e); // else an environment that takes no variable: it is not recorded
    } finally {
      OwnWork.end(begun);
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
