package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.WithoutLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the agent's library in C is missing, Kymo does the same by means of the JDK. */
class WithoutLibraryTest {
  @TempDir Path folder;
  private Path agent;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @BeforeEach
  void removeLibrary() throws Exception {
    agent = WithoutLibrary.jar(folder);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void programsAreRecordedAndEndAsTheyWould(Jdk jdk) throws Exception {
    for (String how : List.of("", "exit", "halt")) {
      Path recording = folder.resolve("known" + how + ".kymo");
      String[] program = {jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Known", how};
      assertThat(record(recording, program)).isEqualTo(Kymo.exec(folder, program));
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(recorded.timeline.oddities()).isEmpty();
        assertThat(recorded.calls("Known.fib")).isEqualTo(1973);
        assertThat(recorded.calls("Known.chooser")).isEqualTo(2000);
        assertThat(recorded.calls("Known.lambda")).isEqualTo(5);
      }
    }
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @Test
  void theSystemIsCalled() throws Exception {
    assertThat(record(folder.resolve("killed.kymo"), "sh", "-c", "kill -TERM $$").exit())
        .isEqualTo(128 + 15);
    assertThat(record(folder.resolve("ended.kymo"), "sh", "-c", "exit 3").exit()).isEqualTo(3);
    Path script = Files.writeString(folder.resolve("script"), "#!/tmp\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Kymo.Result refused = record(folder.resolve("refused.kymo"), script.toString());
    assertThat(refused.err()).contains("Permission denied");
  }

  private Kymo.Result record(Path recording, String... program) throws Exception {
    List<String> command = WithoutLibrary.command(agent);
    command.addAll(List.of("record", "-q", "--budget", "none", "--when-full", "block"));
    command.addAll(List.of("-o", recording.toString(), "--"));
    command.addAll(List.of(program));
    return Kymo.exec(folder, command.toArray(String[]::new));
  }
}
