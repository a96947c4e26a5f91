package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of programs with more rights than who starts them he learns nothing, neither what they do nor
 * where they lie in memory; of others all.
 */
@Tag("kernel")
@Tag("daemon")
class PrivilegedProgramTest {
  private static final String EVENTS = "pagefault,ipc,unmap,cswitch,thread-regs";
  private static final int OTHER_GROUP = 1;

  /** Keeps programs alive until they were looked at, on a busy machine, too. */
  private static final int ALIVE_SECONDS = 3;

  private Path folder = Path.of("/nowhere");
  private Path told = Path.of("");

  /** A program that said where it lies. */
  private record Told(String pid, List<long[]> ranges, boolean isRoot) {
    static Told of(String line) {
      String[] words = line.split(" ");
      List<long[]> ranges =
          List.of(words).subList(1, 4).stream()
              .map(range -> range.split("-"))
              .map(ends ->
                  new long[] {
                    Long.parseUnsignedLong(ends[0], 16), Long.parseUnsignedLong(ends[1], 16)
                  })
              .toList();
      return new Told(words[0], ranges, line.contains("euid=0"));
    }

    boolean isWithin(String address) {
      long at = Long.parseLong(address);
      return ranges.stream().anyMatch(range -> at >= range[0] && at < range[1]);
    }
  }

  @BeforeAll
  static void needsTracefs() {
    Daemons.tracefs("PrivilegedProgramTest");
  }

  private static void need(boolean there, String reason) {
    if (!there) {
      System.out.println("SKIPPED in PrivilegedProgramTest: " + reason);
    }
    assumeTrue(there, reason);
  }

  private static boolean runs(String... command) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      process.getOutputStream().close();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // not installed
    }
  }

  @BeforeEach
  void compile() throws Exception {
    folder = Daemons.folder();
    told = Files.createFile(folder.resolve("told"));
    Files.setPosixFilePermissions(told, PosixFilePermissions.fromString("rw-rw-rw-"));
    String source = Path.of("src/test/native/rights.c").toAbsolutePath().toString();
    need(
        runs("gcc", "-O1", "-w", "-o", folder.resolve("plain").toString(), source),
        "gcc is not installed");
    Path setuid = program("setuid", 04755);
    program("setgid", 02755);
    program("setgid.plain", 0755);
    program("unreadable", 0711);
    runs(
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        setuid.toString(),
        told.toString(),
        "tell");
    need(
        Files.readString(told).contains("euid=0"),
        "programs get no other rights in this folder, it is mounted nosuid: " + folder);
    Files.writeString(told, "");
  }

  private Path program(String name, int mode) throws IOException {
    Path program = folder.resolve(name);
    Files.copy(folder.resolve("plain"), program);
    if (name.startsWith("setgid")) {
      Files.setAttribute(program, "unix:gid", mode == 02755 ? OTHER_GROUP : 0);
    }
    Files.setAttribute(program, "unix:mode", mode);
    return program;
  }

  @AfterEach
  void remove() throws IOException {
    Daemons.remove(folder);
  }

  private void capable() throws Exception {
    Path capable = program("capable", 0755);
    need(
        runs("setcap", "cap_net_raw+ep", capable.toString()),
        "setcap is not installed, or the file system keeps no capabilities");
  }

  /** A shell command that runs a program and keeps it alive for a while. */
  private String run(String program, String actions) {
    return "sleep %d | %s %s %s & "
        .formatted(ALIVE_SECONDS, folder.resolve(program), told, actions);
  }

  private List<Line> watch(String command) throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      List<Line> lines = Line.watch(daemon, EVENTS, command + " wait");
      assertThat(daemon.log).isEmpty();
      return lines;
    }
  }

  /** By number of bytes written, which tells the programs apart. */
  private List<Told> told() throws IOException {
    return Files.readAllLines(told).stream().map(Told::of).toList();
  }

  private static long writes(List<Line> lines, Told program) {
    return Line.count(lines, "sys_enter_write", program.pid);
  }

  /** Page faults that tell where a program lies. */
  private static List<Line> places(List<Line> lines, Told program) {
    return lines.stream()
        .filter(line -> line.name().startsWith("page_fault"))
        .filter(line -> program.isWithin(line.fields().getOrDefault("address", "0")))
        .toList();
  }

  @Test
  void whereAProgramLiesItsOwnUserLearnsOnly() throws Exception {
    capable();
    String actions = "tell write:200 touch:50 fill:50 wait";
    StringBuilder command = new StringBuilder();
    for (String program : List.of("plain", "setuid", "setgid", "capable", "unreadable")) {
      command.append(run(program, actions)).append("sleep 0.3; ");
    }
    List<Line> lines = watch(command.toString());
    List<Told> programs = told(); // in the order of their begins
    assertThat(programs).hasSize(5);
    Told plain = programs.getFirst();
    assertThat(writes(lines, plain)).isBetween(200L, 210L);
    assertThat(places(lines, plain)).hasSizeGreaterThan(3);
    assertThat(Line.count(lines, "page_fault_kernel", plain.pid)).isGreaterThanOrEqualTo(50);
    assertThat(Line.count(lines, "page_fault_user", plain.pid)).isGreaterThanOrEqualTo(50);
    for (Told other : programs.subList(1, 5)) {
      assertThat(writes(lines, other)).isZero();
      assertThat(places(lines, other)).isEmpty();
    }
  }

  /** What is over before anybody can look at it is not shown, or it was looked at after all. */
  @Test
  void shortProgramsWithOtherRightsAreNotSeenEither() throws Exception {
    capable();
    StringBuilder command = new StringBuilder();
    int rounds = 20;
    for (int i = 0; i < rounds; i++) {
      for (String program : List.of("setuid", "setgid", "capable", "unreadable")) {
        command.append("%s %s tell write:200; ".formatted(folder.resolve(program), told));
      }
    }
    List<Line> lines = watch(command.toString());
    List<Told> programs = told();
    assertThat(programs).hasSize(4 * rounds);
    for (Told program : programs) {
      assertThat(writes(lines, program)).isZero();
      assertThat(places(lines, program)).isEmpty();
      assertThat(Line.count(lines, "page_fault_user", program.pid))
          .as("faults of the shell's child before the program")
          .isLessThan(200);
    }
  }

  @Test
  void whatAProgramGivesUpItStillHadInItsMemory() throws Exception {
    List<Line> lines = watch(run("setuid", "drop write:200 tell wait write:200"));
    Told dropped = told().getFirst();
    assertThat(dropped.isRoot).isFalse();
    assertThat(writes(lines, dropped)).isZero();
    assertThat(places(lines, dropped)).isEmpty();
  }

  @Test
  void anotherGroupIsAnotherOwner() throws Exception {
    List<Line> lines = watch(run("setgid", "regroup run tell write:200 wait write:200"));
    assertThat(writes(lines, told().getFirst())).isZero();
    assertThat(places(lines, told().getFirst())).isEmpty();
  }

  @Test
  void whoDoesNotWantToBeLookedAtIsNotFromThenOn() throws Exception {
    List<Line> lines = watch(run("plain", "tell write:100 wait harden write:200 touch:70 wait"));
    Told hardened = told().getFirst();
    assertThat(writes(lines, hardened)).isBetween(100L, 110L);
    assertThat(lines)
        .filteredOn(line -> line.is("sched_switch", "prev_state", 16))
        .anyMatch(line -> line.is("sched_switch", "prev_pid", hardened.pid));
  }

  /** A new name alone is no new program. */
  @Test
  void aThreadWithANewNameIsSeenOn() throws Exception {
    List<Line> lines =
        watch(run("plain", "tell write:100 wait name fill:300 name touch:300 name write:100"));
    Told renamed = told().getFirst();
    assertThat(writes(lines, renamed)).isBetween(200L, 210L);
    assertThat(Line.count(lines, "page_fault_kernel", renamed.pid)).isGreaterThanOrEqualTo(300);
    assertThat(Line.count(lines, "page_fault_user", renamed.pid)).isGreaterThanOrEqualTo(300);
    Map<String, Long> names = new HashMap<>();
    lines.stream()
        .filter(line -> line.is("task_rename", "pid", renamed.pid))
        .forEach(line -> names.merge(line.fields().get("newcomm"), 1L, Long::sum));
    assertThat(names).containsEntry("another", 3L);
  }

  /** How many programs are not shown is said, and of what kind. */
  @Test
  void whatWasWithheldIsCounted() throws Exception {
    try (Daemons.Served daemon = new Daemons.Served(8)) {
      Process client =
          Daemons.run(
              Daemons.NOBODY,
              ClientProgram.class,
              daemon.socket.toString(),
              EVENTS,
              run("setuid", "wait") + run("setgid", "wait") + run("plain", "wait") + "wait");
      String text = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(client.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(text)
          .contains(
              "programs whose kernel events may not be seen, or not for certain: other_rights=2");
    }
  }

  @Test
  void whatTheKernelTellsAProgramIsRead() {
    byte[] secure = new byte[64];
    secure[0] = 6;
    secure[16] = 23;
    secure[24] = 1;
    assertThat(Credentials.beganSecure(secure)).isTrue();
    secure[24] = 0;
    assertThat(Credentials.beganSecure(secure)).isFalse();
    byte[] narrow = {32, 0, 0, 0, 1, 2, 3, 4, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(Credentials.beganSecure(narrow)).isFalse();
    narrow[12] = 1;
    assertThat(Credentials.beganSecure(narrow)).isTrue();
    assertThat(Credentials.beganSecure(new byte[32])).as("it is not said").isTrue();
  }
}
