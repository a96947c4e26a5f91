package dev.kymo.embedded;

import dev.kymo.api.Unrecorded;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** The agent that is in this jar, and the recording of this virtual machine. */
@Unrecorded
public final class EmbeddedAgent {
  public static final String NAME = "kymo-agent.jar";

  private EmbeddedAgent() {}

  /** The directory of this virtual machine's recording; null if it is not recorded. */
  public static @Nullable Path recording() {
    try {
      // The recorder is in the boot loader, if there is one.
      Class<?> type = Class.forName("dev.kymo.recorder.ProcessRecorder", false, null);
      Object recorder = type.getMethod("current").invoke(null);
      if (recorder == null || (boolean) type.getMethod("isStopped").invoke(recorder)) {
        return null;
      }
      Object session = type.getMethod("session").invoke(recorder);
      return (Path) session.getClass().getMethod("recording").invoke(session);
    } catch (ClassNotFoundException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the agent does not fit this version of kymo-embedded", e);
    }
  }

  /** Writes the agent's jar, as {@code kymo-agent.jar} in a folder; returns it. */
  public static Path copy(Path folder) throws IOException {
    Path agent = folder.resolve(NAME);
    try (InputStream in = EmbeddedAgent.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IOException(NAME + " is missing in kymo-embedded");
      }
      // Another virtual machine may use the file.
      Path copy = Files.createTempFile(folder, "agent-", ".jar");
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      Files.move(copy, agent, StandardCopyOption.ATOMIC_MOVE);
    }
    return agent;
  }

  /**
   * Loads the agent into this virtual machine, which begins its recording.
   *
   * @param options as the agent takes them
   * @throws IOException if it cannot be loaded; the message says how else to begin
   */
  public static void load(Path agent, String options) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(
                jcmd.toString(),
                Long.toString(ProcessHandle.current().pid()),
                "JVMTI.agent_load",
                agent.toString(),
                '"' + options + '"')
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(
            "the agent cannot be loaded; begin the virtual machine with -javaagent:"
                + agent
                + "="
                + options
                + "\n"
                + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
