package dev.kymo.junit;

import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.EmbeddedAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

  static synchronized Path path() throws IOException {
    Path path = EmbeddedAgent.recording();
    if (path == null) {
      begin();
      path = EmbeddedAgent.recording();
    }
    if (path == null) {
      throw new IllegalStateException("the virtual machine is not recorded; see standard error");
    }
    return path;
  }

  private static void begin() throws IOException {
    Path folder = reports();
    EmbeddedAgent.load(
        EmbeddedAgent.copy(folder),
        "out=" + folder.resolve("tests-%p.kymo") + ",quiet," + System.getProperty(OPTIONS, USUAL));
  }
}
