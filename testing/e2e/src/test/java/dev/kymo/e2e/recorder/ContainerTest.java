package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Track;
import dev.kymo.testkit.SourceTree;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs in name spaces of their own, as containers have them: other files, process numbers and
 * users. They are recorded from outside and from inside.
 */
@Tag("containers")
class ContainerTest {
  /** Gives a container its own /tmp, /dev/shm and /proc; the program follows. */
  private static final String OWN_FILES =
      own("/tmp") + "mount -t tmpfs none /dev/shm && mount -t proc none /proc && ";

  /** Mounts an empty folder; the source tree stays in sight, should it lie there. */
  private static String own(String place) {
    String mount = "mount -t tmpfs none " + place + " && ";
    Path tree = SourceTree.path("");
    if (!tree.startsWith(place)) {
      return mount;
    }
    String quoted = "'" + tree.toString().replace("'", "'\\''") + "'";
    return "exec 9< %s && %s mkdir -p %s && mount -c --bind /proc/self/fd/9 %s && exec 9<&- && "
        .formatted(quoted, mount, quoted, quoted);
  }

  private static final List<String> OWN_USERS =
      List.of("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork");

  @TempDir Path folder;
  private @Nullable Process container;
  private @Nullable Process recorder;

  static Stream<Jdk> jdks() {
    return Jdk.all().stream();
  }

  @AfterEach
  void end() {
    for (Process started : new Process[] {recorder, container}) {
      if (started != null) {
        started.descendants().forEach(ProcessHandle::destroyForcibly);
        started.destroyForcibly();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void aJavaProgramIsRecordedFromOutsideAgainAndAgain(Jdk jdk) throws Exception {
    long pid = start(OWN_USERS, OWN_FILES + "exec \"$@\"", server(jdk.java().toString()));
    for (int time = 0; time < 2; time++) {
      assertThat(record(pid, "server" + time + ".kymo")).isPositive();
    }
    Files.createFile(Path.of("/proc", "" + pid, "root/tmp/end"));
    assertThat(started().inputReader().readLine()).isEqualTo("fine");
    assertThat(started().inputReader().readLine()).as("threads left behind").isNull();
    assertThat(started().waitFor()).isZero();
    assertThat(folder.resolve("err")).isEmptyFile();
  }

  /** A JDK that has another path there, and a file system in which nothing may be executed. */
  @Test
  void aJavaProgramWithAnotherRoot() throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    String script =
        """
        mount -t tmpfs none "$1" && cd "$1" && mkdir usr lib lib64 proc tmp dev dev/shm java classes &&
        for part in usr lib lib64; do mount --rbind /$part $part; done &&
        mount --rbind "$2" java && mount --bind "$3" classes && mount -t proc none proc &&
        mount -t tmpfs -o noexec none dev/shm && shift 3 && exec chroot . "$@"
        """;
    List<String> arguments = new ArrayList<>();
    arguments.add(root.toString());
    arguments.add(System.getProperty("java.home"));
    arguments.add(Programs.CLASSES.toString());
    arguments.addAll(server("/java/bin/java"));
    arguments.set(arguments.lastIndexOf(Programs.CLASSES.toString()), "/classes");
    long pid = start(OWN_USERS, script, arguments);
    assertThat(record(pid, "server.kymo")).isPositive();
    assertThat(folder.resolve("err")).isEmptyFile();
  }

  /** Root outside is nobody whom such a container knows. */
  @Test
  void aJavaProgramWhoseUsersAreOthers() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can map users to others");
    List<String> command =
        List.of("unshare", "--user", "--keep-caps", "--mount", "--pid", "--fork");
    String script =
        "read mapped; exec setpriv --reuid 0 --regid 0 --clear-groups sh -c '"
            + OWN_FILES
            + "exec \"$@\"' sh \"$@\"";
    Path readable = Files.createTempDirectory(Path.of("/var/tmp"), "kymo-users");
    try {
      Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.copy(Programs.CLASSES.resolve("Server.class"), readable.resolve("Server.class"));
      List<String> server = server(Jdk.running().java().toString());
      server.set(server.indexOf(Programs.CLASSES.toString()), readable.toString());
      long pid = begin(command, script, server);
      for (String map : List.of("uid_map", "gid_map")) {
        Files.writeString(Path.of("/proc", "" + pid, map), "0 200000 65536\n");
      }
      started().outputWriter().append("mapped\n").flush();
      assertThat(started().inputReader().readLine()).isEqualTo("ready");
      assertThat(record(pid, "server.kymo")).isPositive();
      assertThat(folder.resolve("err")).isEmptyFile();
      if (isTraceable()) {
        assertStatesOfMain(pid);
      }
    } finally {
      Files.deleteIfExists(readable.resolve("Server.class"));
      Files.delete(readable);
    }
  }

  private static boolean isTraceable() {
    try {
      return Files.isWritable(Tracefs.find().instances());
    } catch (KernelException e) {
      System.out.println("SKIPPED kernel events of a container: " + e.getMessage());
      return false;
    }
  }

  /** Numbers agree: what the kernel says of a thread is beside the thread's calls. */
  private void assertStatesOfMain(long pid) throws Exception {
    Path recording = folder.resolve("kernel.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--kernel",
            "cswitch",
            "-o",
            recording.toString(),
            "--duration",
            "500ms",
            "--pid",
            "" + pid);
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
    try (Recorded recorded = new Recorded(recording)) {
      List<Track> tracks = recorded.timeline.tracks();
      Track main =
          tracks.stream()
              .filter(track -> track.kind() == TrackKind.CALLS)
              .filter(track -> track.name().equals("main"))
              .findFirst()
              .orElseThrow();
      assertThat(tracks)
          .anyMatch(track -> track.kind() == TrackKind.SCHEDULED && track.of() == main.id());
    }
  }

  @Test
  void aNativeProgram() throws Exception {
    Path steady =
        NativePrograms.compile(
            Path.of("src/native/steady.c"), folder.resolve("steady"), "-finstrument-functions");
    String script =
        "exec 3< \"$1\"; "
            + OWN_FILES
            + "cat <&3 > /tmp/steady && chmod +x /tmp/steady && LD_PRELOAD=\"$2\" exec /tmp/steady"
            + " /tmp/end";
    List<String> arguments =
        List.of(steady.toString(), NativePrograms.LIBRARY.resolve("libkymo.so").toString());
    long pid = start(OWN_USERS, script, arguments);
    Path recording = folder.resolve("steady.kymo");
    Kymo.Result result = record(recording, pid);
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("step")).isPositive();
      assertNumbers(recorded, pid);
    }
  }

  @Test
  void itEndsWhileItIsRecordedAndTakesOrders() throws Exception {
    long pid = start(OWN_USERS, OWN_FILES + "exec \"$@\"", server(Jdk.running().java().toString()));
    Path recording = begin(pid, "first.kymo");
    Kymo.Result status = Kymo.run("ctl", "" + pid, "status");
    assertThat(status).isEqualTo(new Kymo.Result(0, "recording, level all\n", ""));
    Kymo.Result second =
        Kymo.run("record", "-o", folder.resolve("second.kymo").toString(), "--pid", "" + pid);
    assertThat(second.err())
        .isEqualTo(
            "kymo: the agent did not start: pid=%d reason=this process is recorded already: recording=%s\n"
                .formatted(pid, recording));
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    assertThat(Kymo.finish(recorder(), "")).isEqualTo(new Kymo.Result(0, "", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("killed");
      assertThat(recorded.calls("Server.step")).isPositive();
    }
  }

  @Test
  void whatAKilledRecorderLeftThereIsTaken() throws Exception {
    long pid = start(OWN_USERS, OWN_FILES + "exec \"$@\"", server(Jdk.running().java().toString()));
    Path recording = begin(pid, "killed.kymo");
    recorder().destroyForcibly().waitFor();
    Path memory = Path.of("/proc", "" + pid, "root/dev/shm");
    try (Stream<Path> left = Files.list(memory)) {
      assertThat(left).hasSize(1);
    }
    Kymo.Result info = Kymo.run("info", recording.toString());
    assertThat(info.exit()).isZero();
    assertThat(info.out()).contains("the recorder was killed");
    try (Stream<Path> left = Files.list(memory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void recordedFromInside() throws Exception {
    List<String> command = new ArrayList<>(Kymo.command());
    command.addAll(List.of("record", "-q", "--budget", "none", "-o", "/tmp/inside.kymo", "--"));
    command.addAll(
        List.of(Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString(), "Beside"));
    String script = OWN_FILES + "\"$@\" && ls -A /dev/shm && exec tar cf - -C /tmp inside.kymo";
    ProcessBuilder builder = new ProcessBuilder(unshared(OWN_USERS, script, command));
    Path tar = folder.resolve("inside.tar");
    Process process =
        builder.redirectError(folder.resolve("err").toFile()).redirectOutput(tar.toFile()).start();
    container = process;
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("err"))).isZero();
    byte[] all = Files.readAllBytes(tar);
    byte[] said = "program 49\n".getBytes(StandardCharsets.UTF_8);
    assertThat(Arrays.copyOf(all, said.length)).isEqualTo(said);
    Files.write(tar, Arrays.copyOfRange(all, said.length, all.length));
    assertThat(Kymo.exec(folder, "tar", "xf", "inside.tar").exit()).isZero();
    try (Recorded recorded = new Recorded(folder.resolve("inside.kymo"))) {
      assertThat(recorded.calls("Beside.square")).isEqualTo(1);
    }
  }

  /** The command is outside, what it starts is not: its numbers are those of outside. */
  @Test
  void aCommandThatStartsAProgramWithItsOwnNumbers() throws Exception {
    assumeUnshare();
    Path recording = folder.resolve("command.kymo");
    Path end = folder.resolve("end");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("record", "-q", "-o", recording.toString(), "--"));
    arguments.addAll(OWN_USERS);
    arguments.addAll(List.of("--mount-proc", Jdk.running().java().toString()));
    arguments.addAll(List.of("-cp", Programs.CLASSES.toString(), "Server", end.toString()));
    Process started = Kymo.start(folder, Map.of(), arguments.toArray(String[]::new));
    recorder = started;
    Kymo.awaitFile(recording.resolve("p1-ring-1"), started);
    long pid =
        started
            .descendants()
            .filter(each -> each.children().findAny().isEmpty())
            .findFirst()
            .orElseThrow()
            .pid();
    Files.createFile(end);
    assertThat(Kymo.finish(started, "").exit()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.processes().getFirst().pid()).isEqualTo((int) pid);
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("ended");
    }
  }

  private static List<String> server(String java) {
    return new ArrayList<>(
        List.of(
            java,
            "-XX:+EnableDynamicAgentLoading",
            "-cp",
            Programs.CLASSES.toString(),
            "Server",
            "/tmp/end"));
  }

  /** Starts a program in a container, which says that it is ready; returns its number here. */
  private long start(List<String> unshare, String script, List<String> arguments) throws Exception {
    long pid = begin(unshare, script, arguments);
    assertThat(started().inputReader().readLine())
        .as(Files.readString(folder.resolve("err")))
        .isEqualTo("ready");
    return pid;
  }

  private long begin(List<String> unshare, String script, List<String> arguments) throws Exception {
    assumeUnshare();
    Process process =
        new ProcessBuilder(unshared(unshare, script, arguments))
            .redirectError(folder.resolve("err").toFile())
            .start();
    container = process;
    while (process.children().findAny().isEmpty()) {
      assertThat(process.isAlive()).as(Files.readString(folder.resolve("err"))).isTrue();
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return process.children().findFirst().orElseThrow().pid();
  }

  private static List<String> unshared(
      List<String> unshare, String script, List<String> arguments) {
    List<String> command = new ArrayList<>(unshare);
    command.addAll(List.of("sh", "-c", script, "sh"));
    command.addAll(arguments);
    return command;
  }

  private void assumeUnshare() throws Exception {
    List<String> probe = unshared(OWN_USERS, OWN_FILES + "true", List.of());
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/unshare"))
            && Kymo.exec(folder, probe.toArray(String[]::new)).exit() == 0,
        "needs unshare and the right to make name spaces");
  }

  /** Records a server for a while; returns its calls. Nothing of it is left on either side. */
  private long record(long pid, String name) throws Exception {
    Path recording = folder.resolve(name);
    assertThat(record(recording, pid)).isEqualTo(new Kymo.Result(0, "", ""));
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
    try (Stream<Path> left = Files.list(Path.of("/proc", "" + pid, "root/dev/shm"))) {
      assertThat(left).isEmpty();
    }
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
      assertNumbers(recorded, pid);
      return recorded.calls("Server.step");
    }
  }

  private static Kymo.Result record(Path recording, long pid) throws Exception {
    return Kymo.run(
        "record", "-q", "-o", recording.toString(), "--duration", "500ms", "--pid", "" + pid);
  }

  /** Those that kernel events have: as seen from here. */
  private static void assertNumbers(Recorded recorded, long pid) {
    assertThat(recorded.timeline.processes()).extracting("pid").containsExactly((int) pid);
    List<Track> threads =
        recorded.timeline.tracks().stream().filter(track -> track.tid() != 0).toList();
    assertThat(threads).isNotEmpty();
    for (Track thread : threads) {
      assertThat(Path.of("/proc", "" + pid, "task", "" + thread.tid())).exists();
    }
  }

  private Path begin(long pid, String name) throws Exception {
    Path recording = folder.resolve(name);
    Process started =
        Kymo.start(folder, Map.of(), "record", "-q", "-o", recording.toString(), "--pid", "" + pid);
    recorder = started;
    Kymo.awaitFile(recording.resolve("p1-ring-1"), started);
    return recording;
  }

  private Process started() {
    Process process = container;
    if (process == null) {
      throw new AssertionError("not started");
    }
    return process;
  }

  private Process recorder() {
    Process process = recorder;
    if (process == null) {
      throw new AssertionError("not started");
    }
    return process;
  }
}
