package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code kymo doctor} says is what then happens. */
@Timeout(600)
@Tag("containers")
class DoctorTest {
  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    started.forEach(Process::destroyForcibly);
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  /** A program that runs until the test ends; it has begun. */
  private long program(Jdk jdk, String... flags) throws Exception {
    List<String> command = new ArrayList<>(List.of(jdk.java().toString()));
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", Programs.CLASSES.toString(), "Steady"));
    command.add(folder.resolve("end").toString());
    Process process =
        new ProcessBuilder(command)
            .redirectError(folder.resolve("err-" + started.size()).toFile())
            .start();
    started.add(process);
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    return process.pid();
  }

  private static Kymo.Result doctor(long pid) throws Exception {
    return Kymo.run("doctor", Long.toString(pid));
  }

  private Kymo.Result record(long pid) throws Exception {
    String to = folder.resolve("of-" + pid + ".kymo").toString();
    return Kymo.run("record", "--pid", Long.toString(pid), "--duration", "300ms", "-o", to);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void aProgramThatCanBeRecorded(Jdk jdk) throws Exception {
    long pid = program(jdk);
    Kymo.Result result = doctor(pid);
    assertThat(result.exit()).as(result.out()).isZero();
    assertThat(result.out())
        .startsWith(pid + ": " + jdk.java())
        .contains("Java methods        yes", "-> kymo record --pid " + pid);
    boolean warns = result.out().contains("a warning to its standard error");
    assertThat(record(pid).exit()).isZero();
    assertThat(Files.readString(folder.resolve("err-0")).contains("WARNING")).isEqualTo(warns);
    long quiet = program(jdk, "-XX:+EnableDynamicAgentLoading", "-XX:-UsePerfData");
    assertThat(doctor(quiet).out())
        .contains("Java methods        yes")
        .doesNotContain("a warning to its standard error");
    assertThat(record(quiet).exit()).isZero(); // it is in no list of jps
    assertThat(folder.resolve("err-1")).isEmptyFile();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void programsThatTakeNoAgent(Jdk jdk) throws Exception {
    for (String flag : List.of("-XX:+DisableAttachMechanism", "-XX:-EnableDynamicAgentLoading")) {
      long pid = program(jdk, flag);
      Kymo.Result result = doctor(pid);
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.out())
          .contains("Java methods        no ", "it was started with " + flag)
          .contains("-> kymo record -- java");
      Kymo.Result refused = record(pid);
      assertThat(refused.exit()).isEqualTo(2);
      assertThat(refused.err())
          .contains("it was started with " + flag + "; start it with kymo record -- COMMAND");
    }
    for (int i = 0; i < started.size(); i++) { // no dump of its threads, either
      assertThat(folder.resolve("err-" + i)).isEmptyFile();
      assertThat(started.get(i).inputReader().ready()).isFalse();
    }
  }

  @Test
  void anotherProgram() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "1000").start();
    started.add(sleep);
    Kymo.Result result = doctor(sleep.pid());
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out())
        .contains("native functions    no   it is not a Java program and has no libkymo");
    sleep.destroyForcibly().waitFor();
    Kymo.Result gone = doctor(sleep.pid());
    assertThat(gone.exit()).isEqualTo(2);
    assertThat(gone.err()).contains("there is no such process: pid=" + sleep.pid());
  }

  @Test
  void theMachine() throws Exception {
    Kymo.Result result = Kymo.run("doctor");
    assertThat(result.exit()).isZero();
    assertThat(result.out().lines().filter(line -> !line.contains("-> ")).map(DoctorTest::what))
        .containsExactly(
            "Java methods",
            "native functions",
            "locks and messages",
            "kernel events",
            "every instruction",
            "names and lines",
            "shared memory",
            "clock");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Kymo.Result poor = Kymo.runIn(folder, Map.of("PATH", empty.toString()), "", "doctor");
    assertThat(poor.out())
        .contains("there is no java on the path")
        .containsPattern("every instruction   no   .*; not found: qemu-x86_64\n")
        .contains("apt-get install qemu-user");
  }

  /** Root there may not mount what is missing. */
  @Test
  void inAContainer() throws Exception {
    List<String> command = new ArrayList<>(List.of("unshare", "--user", "--map-root-user"));
    command.addAll(
        List.of("--mount", "sh", "-c", "mount -t tmpfs none /sys/kernel && exec \"$@\""));
    command.addAll(List.of("sh", "true"));
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/unshare"))
            && Kymo.exec(folder, command.toArray(String[]::new)).exit() == 0,
        "skipped: needs unshare and the right to make name spaces");
    command.removeLast();
    command.addAll(Kymo.command());
    command.add("doctor");
    assertThat(Kymo.exec(folder, command.toArray(String[]::new)).out())
        .contains("kernel events       no ", "-> kymo record --kernel --pid PID, outside");
  }

  private static String what(String line) {
    return line.substring(0, 20).strip();
  }

  /** Another's kernel events come from the daemon, if there is one. */
  @Test
  void withoutADaemon() throws Exception {
    Path socket = folder.resolve("socket");
    Kymo.Result result =
        Kymo.runIn(folder, Map.of("KYMO_KERNEL_SOCKET", socket.toString()), "", "doctor");
    assertThat(result.out())
        .containsPattern("kernel events       no   .*nobody listens at " + socket)
        .contains("kymo daemon");
    Kymo.Result record =
        Kymo.runIn(
            folder,
            Map.of("KYMO_KERNEL_SOCKET", socket.toString()),
            "",
            "record",
            "--kernel",
            "sched:sched_switch",
            "--",
            Jdk.running().java().toString(),
            "-version");
    assertThat(record.exit()).isNotZero();
    assertThat(record.err()).contains(socket.toString());
  }
}
