package dev.kymo.e2e.recorder;

import static dev.kymo.e2e.kit.Distroless.PROC;
import static dev.kymo.e2e.kit.Distroless.SHARED_MEMORY;
import static dev.kymo.e2e.kit.Distroless.TMP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Distroless;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs in containers that have less than others: no shell, and not every directory that can be
 * written. What {@code kymo doctor} says of them is what then happens.
 */
@Timeout(600)
@Tag("packages")
class DistrolessTest {
  private static final List<String> SERVER =
      List.of(
          "/java/bin/java",
          "-XX:+EnableDynamicAgentLoading",
          "-cp",
          "/classes",
          "Server",
          "/data/end");

  @TempDir Path folder;

  private Distroless server(String... mounts) throws Exception {
    return Distroless.start(folder, List.of(mounts), SERVER);
  }

  private Kymo.Result record(long pid) throws Exception {
    String to = folder.resolve("run.kymo").toString();
    return Kymo.run("record", "-q", "--pid", "" + pid, "--duration", "300ms", "-o", to);
  }

  private void assertRecorded(long pid, String call) throws Exception {
    assertThat(record(pid)).isEqualTo(new Kymo.Result(0, "", ""));
    try (Recorded recorded = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(recorded.calls(call)).isPositive();
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
    }
  }

  private static Kymo.Result doctor(long pid) throws Exception {
    return Kymo.run("doctor", "" + pid);
  }

  /** The doctor says why not, and so does the recorder, before it disturbs the program. */
  private void assertRefused(Distroless container, long pid, String sentence, String mend)
      throws Exception {
    String command = mend.replace("PID", "" + pid);
    Kymo.Result doctor = doctor(pid);
    assertThat(doctor.out()).contains(" no   " + sentence + "\n", "-> " + command + "\n");
    assertThat(doctor.exit()).isEqualTo(1);
    Kymo.Result record = record(pid);
    assertThat(record.exit()).isNotZero();
    assertThat(record.err().lines()).hasSize(1);
    assertThat(record.err()).endsWith("; this mends it: " + command + "\n");
    assertThat(folder.resolve("run.kymo")).doesNotExist();
    assertThat(container.saysMore()).as("the stacks of its threads").isFalse();
    assertThat(container.said()).isEmpty();
  }

  /** Other users' processes cannot be seen in its /proc, either. */
  @Test
  void withoutAShell() throws Exception {
    String proc = "mkdir proc && mount -t proc -o hidepid=2 none proc";
    try (Distroless container = server(TMP, SHARED_MEMORY, proc)) {
      long pid = container.ready();
      Path root = Path.of("/proc", "" + pid, "root");
      assertThat(root.resolve("bin")).doesNotExist();
      assertThat(root.resolve(".old")).isEmptyDirectory();
      assertThat(doctor(pid).out())
          .containsPattern("Java methods +yes ")
          .containsPattern("shared memory +yes +path=/dev/shm in it free=");
      assertRecorded(pid, "Server.step");
      assertThat(root.resolve("tmp/.attach_pid1")).doesNotExist();
      assertThat(root.resolve("dev/shm")).isEmptyDirectory();
      assertThat(container.said()).isEmpty();
    }
  }

  @Test
  void littleSharedMemory() throws Exception {
    String little = "mkdir dev/shm && mount -t tmpfs -o size=1m none dev/shm";
    try (Distroless container = server(TMP, little, PROC)) {
      long pid = container.ready();
      assertThat(doctor(pid).out()).containsPattern("shared memory +yes +path=/tmp in it free=");
      assertRecorded(pid, "Server.step");
      assertThat(Path.of("/proc", "" + pid, "root/dev/shm")).isEmptyDirectory();
    }
  }

  /** It is mended without another start, by the command that the doctor says. */
  @Test
  void aTmpThatCannotBeWritten() throws Exception {
    try (Distroless container = server("mkdir tmp", SHARED_MEMORY, PROC)) {
      long pid = container.ready();
      String command = "mount -N " + pid + " -t tmpfs tmpfs /tmp";
      assertRefused(
          container,
          pid,
          "its virtual machine cannot be reached, it would make a socket in its /tmp, which its user cannot write to",
          command);
      assumeTrue(
          System.getProperty("user.name").equals("root"),
          "the rest is skipped: only root can mount among the files of others");
      assertThat(Kymo.exec(folder, command.split(" ")).exit()).isZero();
      assertThat(doctor(pid).exit()).isZero();
      assertRecorded(pid, "Server.step");
      assertThat(container.said()).isEmpty();
    }
  }

  @Test
  void withoutProc() throws Exception {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "skipped: only root can mount among the files of others");
    try (Distroless container = server(TMP, SHARED_MEMORY, PROC)) {
      long pid = container.ready();
      assertThat(Kymo.exec(folder, "mount", "-N", "" + pid, "-t", "tmpfs", "none", "/proc").exit())
          .isZero();
      assertRefused(
          container,
          pid,
          "a virtual machine needs /proc to be recorded, and none is mounted there",
          "mount -t proc proc /proc, before it starts");
    }
  }

  @Test
  void noDirectoryForSharedMemory() throws Exception {
    try (Distroless container = server(PROC)) {
      long pid = container.ready();
      assertRefused(
          container,
          pid,
          "shared memory has no place, its user can write neither to /dev/shm nor to /tmp among its files",
          "docker run --tmpfs /tmp");
      assertThat(record(pid).err())
          .startsWith(
              "kymo: cannot make shared memory among the files of the process, "
                  + "/dev/shm: No such file or directory, /tmp: No such file or directory; ");
    }
  }

  @Test
  void aNativeProgram() throws Exception {
    try (Distroless container = Distroless.start(folder, List.of(SHARED_MEMORY, PROC), steady())) {
      long pid = container.ready();
      assertThat(doctor(pid).out()).containsPattern("native functions +yes ");
      assertRecorded(pid, "step");
    }
  }

  @Test
  void aNativeProgramWithoutSharedMemory() throws Exception {
    try (Distroless container = Distroless.start(folder, List.of("mkdir tmp", PROC), steady())) {
      assertRefused(
          container,
          container.ready(),
          "shared memory has no place, its user can write neither to /dev/shm nor to /tmp among its files",
          "mount -N PID -t tmpfs tmpfs /tmp");
    }
  }

  private List<String> steady() throws Exception {
    Path given = Distroless.given(folder);
    NativePrograms.compile(
        Path.of("src/native/steady.c"),
        given.resolve("steady"),
        "-finstrument-functions",
        "-L" + NativePrograms.LIBRARY,
        "-lkymo",
        "-Wl,-rpath,/given");
    Files.copy(NativePrograms.LIBRARY.resolve("libkymo.so"), given.resolve("libkymo.so"));
    return List.of("/given/steady", "/data/end");
  }

  private List<String> alone() throws Exception {
    Files.copy(Kymo.AGENT, Distroless.given(folder).resolve("kymo-agent.jar"));
    return List.of(
        "/java/bin/java",
        "-javaagent:/given/kymo-agent.jar=out=/data/run.kymo,budget=none",
        "-cp",
        "/classes",
        "Beside");
  }

  /** Its memory lies beside the recording, on the only volume. */
  @Test
  void theAgentAlone() throws Exception {
    try (Distroless container = Distroless.start(folder, List.of(PROC), alone())) {
      assertThat(container.end()).as(container.said()).isZero();
      assertThat(container.said()).contains(" in /data/run.kymo; ");
    }
    try (Recorded recorded = new Recorded(Distroless.data(folder).resolve("run.kymo"))) {
      assertThat(recorded.calls("Beside.square")).isEqualTo(1);
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("ended");
    }
    try (var left = Files.list(Distroless.data(folder))) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void theAgentAloneWithoutAVolume() throws Exception {
    String closed = "mount -o remount,ro,bind data";
    try (Distroless container = Distroless.start(folder, List.of(PROC, closed), alone())) {
      assertThat(container.end()).as(container.said()).isZero();
      Matcher said =
          Pattern.compile(
                  "kymo: .*, the program runs on unrecorded: cannot make shared memory: (.*); set KYMO_SHARED_MEMORY to a directory that you can write\n")
              .matcher(container.said());
      assertThat(said.matches()).as(container.said()).isTrue();
      assertThat(said.group(1))
          .contains("directory=/dev/shm ", "directory=/tmp ", "directory=/data ");
    }
  }
}
