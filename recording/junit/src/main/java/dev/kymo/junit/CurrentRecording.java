package dev.kymo.junit;

import dev.kymo.api.Unrecorded;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** The recording of this virtual machine, which is begun if there is none. */
@Unrecorded
final class CurrentRecording {
  /** Options of the agent, instead of {@link #USUAL}; without {@code out}. */
  static final String OPTIONS = "kymo.options";

  /** Directory of pages, and of the recording if it is begun here. */
  static final String REPORTS = "kymo.reports";

  private static final String USUAL =
      "budget=none,waits=on,exclude=org.junit,exclude=org.apache.maven,exclude=org.gradle,"
          + "exclude=org.opentest4j,exclude=org.assertj,exclude=org.hamcrest,exclude=org.mockito,"
          + "exclude=net.bytebuddy,exclude=worker.org.gradle";

  private CurrentRecording() {}

  /** Where pages are written: beside the reports of Maven or Gradle. */
  static Path reports() throws IOException {
    String given = System.getProperty(REPORTS);
    Path folder =
        given != null
            ? Path.of(given)
            : Files.isDirectory(Path.of("build")) ? Path.of("build/kymo") : Path.of("target/kymo");
    return Files.createDirectories(folder).toAbsolutePath();
  }

  /** The recording's directory. */
  static synchronized Path path() throws IOException {
    Path path = find();
    if (path == null) {
      begin();
      path = find();
    }
    if (path == null) {
      throw new IllegalStateException("the virtual machine is not recorded; see standard error");
    }
    return path;
  }

  /** Asks the recorder, which is in the boot loader if there is one. */
  private static @Nullable Path find() {
    try {
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
      throw new IllegalStateException("the agent does not fit this version of kymo-junit", e);
    }
  }

  private static void begin() throws IOException {
    Path folder = reports();
    Path agent = folder.resolve("kymo-agent.jar");
    try (InputStream in = CurrentRecording.class.getResourceAsStream("kymo-agent.jar")) {
      if (in == null) {
        throw new IOException("kymo-agent.jar is missing in kymo-junit");
      }
      // Another virtual machine may use the file.
      Path copy = Files.createTempFile(folder, "agent-", ".jar");
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      Files.move(copy, agent, StandardCopyOption.ATOMIC_MOVE);
    }
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    String options =
        "out=" + folder.resolve("tests-%p.kymo") + ",quiet," + System.getProperty(OPTIONS, USUAL);
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
            "the agent cannot be loaded; begin the tests' virtual machine with -javaagent:"
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
