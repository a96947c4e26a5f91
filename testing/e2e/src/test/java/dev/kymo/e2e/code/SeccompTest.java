package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Distroless;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recorders and programs under filters as containers have them, which forbid system calls. */
@Timeout(600)
@Tag("containers")
class SeccompTest {
  /** What the filters of Docker and others forbid to processes without more rights. */
  private static final List<String> FORBIDDEN =
      List.of(
          "perf_event_open",
          "bpf",
          "userfaultfd",
          "process_vm_readv",
          "process_vm_writev",
          "ptrace",
          "name_to_handle_at",
          "open_by_handle_at",
          "kcmp",
          "keyctl",
          "move_pages",
          "mount",
          "setns",
          "unshare");

  @TempDir Path folder;
  private Path forbid;

  @BeforeEach
  void compile() throws Exception {
    forbid = NativePrograms.compile(Path.of("src/native/forbid.c"), folder.resolve("forbid"));
    assumeTrue(
        Kymo.exec(folder, filtered("EPERM", List.of("bpf"), "true")).exit() == 0,
        "skipped: this kernel has no seccomp filters");
  }

  private String[] filtered(String error, List<String> calls, String... command) {
    List<String> words = new ArrayList<>(List.of(forbid.toString(), error));
    words.addAll(calls);
    words.add("--");
    words.addAll(Arrays.asList(command));
    return words.toArray(String[]::new);
  }

  private static String[] kymo(String... arguments) throws IOException {
    List<String> words = Kymo.command();
    words.addAll(Arrays.asList(arguments));
    return words.toArray(String[]::new);
  }

  private String output(String name) {
    return folder.resolve(name).toString();
  }

  private void assertRecorded(String name, String call) throws Exception {
    try (Recorded recorded = new Recorded(folder.resolve(name))) {
      assertThat(recorded.calls(call)).isPositive();
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
    assertThat(Kymo.run("info", output(name)).out()).doesNotContain("notice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EPERM", "ENOSYS"})
  void bothSides(String error) throws Exception {
    String[] java =
        kymo("record", "-q", "--budget", "none", "-o", output("java.kymo"), "--", "java", "-cp");
    java = Arrays.copyOf(java, java.length + 2);
    java[java.length - 2] = Programs.CLASSES.toString();
    java[java.length - 1] = "Beside";
    assertThat(Kymo.exec(folder, filtered(error, FORBIDDEN, java)))
        .isEqualTo(new Kymo.Result(0, "program 49\n", ""));
    assertRecorded("java.kymo", "Beside.square");
    Path steady =
        NativePrograms.compile(
            Path.of("src/native/steady.c"), folder.resolve("steady"), "-finstrument-functions");
    Path end = Files.createFile(folder.resolve("end"));
    String[] of =
        kymo(
            "record",
            "-q",
            "--threads",
            "--messages",
            "-o",
            output("native.kymo"),
            "--",
            steady.toString(),
            end.toString());
    Kymo.Result result = Kymo.exec(folder, filtered(error, FORBIDDEN, of));
    assertThat(result.err()).isEmpty();
    assertRecorded("native.kymo", "main");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EPERM", "ENOSYS"})
  void aProgramThatRuns(String error) throws Exception {
    Process program =
        new ProcessBuilder(
                filtered(
                    error,
                    FORBIDDEN,
                    Jdk.running().java().toString(),
                    "-XX:+EnableDynamicAgentLoading",
                    "-cp",
                    Programs.CLASSES.toString(),
                    "Server",
                    output("end")))
            .start();
    try {
      assertThat(program.inputReader().readLine()).isEqualTo("ready");
      String pid = "" + program.pid();
      assertThat(
              Kymo.run("record", "-q", "--pid", pid, "--duration", "300ms", "-o", output("r.kymo")))
          .isEqualTo(new Kymo.Result(0, "", ""));
      assertRecorded("r.kymo", "Server.step");
    } finally {
      program.destroyForcibly().waitFor(600, TimeUnit.SECONDS);
    }
  }

  /**
   * Older containers forbid {@code openat2}, by which the recorder reaches the files of others. A
   * link there leads out of the container for everybody else.
   */
  @ParameterizedTest
  @ValueSource(strings = {"EPERM", "ENOSYS"})
  void aRecorderThatReachesAContainer(String error) throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    List<String> calls = new ArrayList<>(FORBIDDEN);
    calls.add("openat2");
    List<String> server =
        List.of(
            "/java/bin/java",
            "-XX:+EnableDynamicAgentLoading",
            "-cp",
            "/classes",
            "Server",
            "/data/end");
    List<String> mounts = List.of(Distroless.TMP, "ln -s " + outside + " dev/shm", Distroless.PROC);
    try (Distroless container = Distroless.start(folder, mounts, server)) {
      String pid = "" + container.ready();
      Kymo.Result doctor = Kymo.exec(folder, filtered(error, calls, kymo("doctor", pid)));
      assertThat(doctor.out()).contains("path=/tmp in it");
      String[] record =
          kymo("record", "-q", "--pid", pid, "--duration", "300ms", "-o", output("there.kymo"));
      assertThat(Kymo.exec(folder, filtered(error, calls, record)))
          .isEqualTo(new Kymo.Result(0, "", ""));
      assertRecorded("there.kymo", "Server.step");
      assertThat(outside).isEmptyDirectory();
    }
  }
}
