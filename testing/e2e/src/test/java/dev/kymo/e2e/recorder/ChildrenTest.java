package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Children of native programs whose environment is not their parent's, or whose user: {@code
 * children.c} starts itself in all these ways.
 */
class ChildrenTest {
  private static final String NOBODY = "65534";

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws Exception {
    Path source = Path.of("src/native/children.c").toAbsolutePath();
    program =
        NativePrograms.compile(source, folder.resolve("children"), "-finstrument-functions", "-O1");
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("children.kymo");
  }

  private Kymo.Result record(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--when-full", "block"));
    all.addAll(List.of("-o", recording().toString(), "--"));
    all.addAll(List.of(command));
    return Kymo.run(all.toArray(String[]::new));
  }

  private void assertArrived(long calls, int processes) throws Exception {
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("arrived")).isEqualTo(calls);
      assertThat(recorded.timeline.processes()).hasSize(processes);
      assertThat(recorded.unbalanced.keySet()).noneMatch(call -> call.startsWith("arrived"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clearenv",
        "environ",
        "title",
        "execve",
        "execle",
        "execvpe",
        "fexecve",
        "execveat",
        "execv",
        "execvp",
        "execl",
        "execlp",
        "vfork",
        "posix_spawn",
        "posix_spawnp",
        "system",
        "popen"
      })
  void withoutTheRecordersEnvironment(String how) throws Exception {
    Kymo.Result plain = Kymo.exec(folder, program.toString(), how);
    Kymo.Result result = record(program.toString(), how);
    assertThat(plain.exit()).isZero();
    assertThat(result).isEqualTo(plain);
    assertArrived(1, 2);
  }

  @Test
  void byEnvWithNothingInIt() throws Exception {
    assertThat(record("/usr/bin/env", "-i", "ONLY=this", program.toString(), "show").out().lines())
        .contains("ONLY=this")
        .allMatch(line ->
            line.matches("(ONLY|LD_PRELOAD|KYMO_SESSION|ASAN_OPTIONS|JAVA_TOOL_OPTIONS)=.*"));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("main")).isEqualTo(1);
    }
  }

  @Test
  void anEnvironmentThatAsksForNoRecordingStays() throws Exception {
    Kymo.Result result = record("/usr/bin/env", "-i", "KYMO_SESSION=", program.toString(), "show");
    assertThat(result.out()).isEqualTo("KYMO_SESSION=\n");
    assertThat(result.err()).startsWith("kymo: nothing recorded: ");
  }

  @Test
  void emptyEnvironmentsStayEmptyWithoutARecorder() throws Exception {
    Path library = folder.resolve("libkymo.so"); // the loader takes blanks for separators
    Files.createSymbolicLink(library, NativePrograms.LIBRARY.resolve("libkymo.so"));
    Kymo.Result result =
        Kymo.exec(
            folder,
            "env",
            "LD_PRELOAD=" + library,
            "/usr/bin/env",
            "-i",
            program.toString(),
            "show");
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
  }

  @ParameterizedTest
  @CsvSource({"setuid, 2, 2", "seteuid, 2, 2", "exec, 3, 3"})
  void ofAnotherUser(String how, long calls, int processes) throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root can become another user");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Kymo.Result result = record(program.toString(), "user", how, NOBODY);
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    assertArrived(calls, processes);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("in_thread")).isEqualTo(3);
    }
    assertThat(Kymo.run("info", recording().toString()).out())
        .containsPattern("(?m)^lost +0 events");
  }

  @ParameterizedTest
  @ValueSource(strings = {"execve", "execvp", "posix_spawn", "system"})
  void intoWhichNothingCanBePreloadedIsNoticed(String how) throws Exception {
    Path parent = Files.writeString(folder.resolve("parent.c"), PARENT);
    Path child = Files.writeString(folder.resolve("child.c"), "int main(void) { return 5; }");
    NativePrograms.compile(parent, folder.resolve("parent"), "-finstrument-functions");
    NativePrograms.compile(child, folder.resolve("unfollowed-child"), "-static");
    Kymo.Result result =
        record(
            folder.resolve("parent").toString(),
            how,
            folder.resolve("unfollowed-child").toString());
    assertThat(result).isEqualTo(new Kymo.Result(5, "", ""));
    assertThat(Kymo.run("info", recording().toString()).out())
        .containsPattern(
            "a process cannot be recorded: pid=\\d+ because the program is statically linked: "
                + folder.resolve("unfollowed-child"));
  }

  private static final String PARENT =
      """
      #include <spawn.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/wait.h>
      #include <unistd.h>
      extern char **environ;
      int main(int count, char **arguments) {
        char *own[] = {arguments[count - 1], NULL};
        int status = 0;
        pid_t pid = 0;
        if (strcmp(arguments[1], "system") == 0) {
          return WEXITSTATUS(system(own[0]));
        } else if (strcmp(arguments[1], "posix_spawn") == 0) {
          if (posix_spawn(&pid, own[0], NULL, NULL, own, environ) != 0) {
            return 99;
          }
        } else if ((pid = fork()) == 0) {
          if (strcmp(arguments[1], "execve") == 0) {
            execve(own[0], own, environ);
          }
          char *slash = strrchr(own[0], '/');
          *slash = 0;
          setenv("PATH", own[0], 1);
          execvp(slash + 1, own);
          _exit(98);
        }
        waitpid(pid, &status, 0);
        return WEXITSTATUS(status);
      }
      """;
}
