package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Native programs in unusual surroundings do the same as without Kymo, and their recording ends.
 */
@Timeout(600)
class AsPlainTest {
  private static final Path SOURCES = Path.of("src/native/plain").toAbsolutePath();

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path compile(String name, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-finstrument-functions");
    return NativePrograms.compile(
        SOURCES.resolve(name + ".c"), folder.resolve(name), all.toArray(String[]::new));
  }

  /** Runs a command plain and recorded; returns what recording it has printed on standard error. */
  private String compare(String... command) throws Exception {
    return compare(List.of(), command);
  }

  private String compare(List<String> options, String... command) throws Exception {
    Kymo.Result plain = Kymo.exec(folder, command);
    List<String> words = new ArrayList<>(List.of("record", "-q", "-o", "r.kymo"));
    words.addAll(options);
    words.add("--");
    words.addAll(List.of(command));
    Kymo.Result recorded = Kymo.runIn(folder, Map.of(), "", words.toArray(String[]::new));
    assertThat(recorded.exit()).as(recorded.err()).isEqualTo(plain.exit());
    assertThat(recorded.out()).as(recorded.err()).isEqualTo(plain.out());
    return recorded.err();
  }

  /** What Kymo takes for itself, above all of addresses, has to be little. */
  @ParameterizedTest
  @CsvSource({"as, 80", "data, 20", "nofile, 8"})
  void aProgramThatLimitsItself(String what, String most) throws Exception {
    assertThat(compare(compile("limited").toString(), what, most)).isEmpty();
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
  }

  /** Its process has, in its name space, a number that belongs to somebody else here. */
  @ParameterizedTest
  @ValueSource(strings = {"exit", "abort"})
  void aProcessWithANumberOfItsOwnThatJustEnds(String how) throws Exception {
    String program = compile("ends").toString();
    assumeTrue(
        Kymo.exec(folder, "sh", "-c", "unshare -pf true").exit() == 0,
        "skipped: making a PID name space is not allowed");
    assertThat(compare("unshare", "-pf", program, how)).doesNotContain("recording continues");
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.calls("one_more")).isEqualTo(1);
    }
  }

  @Test
  void aThreadThatCannotReachTheSharedMemory() throws Exception {
    String program = compile("kept_out").toString();
    assumeTrue(
        Kymo.exec(folder, "sh", "-c", "chroot / true").exit() == 0, // not in everybody's PATH
        "skipped: changing the root directory is not allowed");
    compare(program);
    Kymo.Result info = Kymo.run("info", folder.resolve("r.kymo").toString());
    // Of 1000 calls, and of the thread's own function, begin and end are lost.
    assertThat(info.out()).contains("lost         2002 events", "cannot be recorded, because it");
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.calls("one_more")).isEqualTo(1);
    }
  }

  /** It may record as much as others do, and each system call would take longer than a record. */
  @Test
  void aThreadWithoutARingMakesNoSystemCalls() throws Exception {
    String program = compile("silent", NativePrograms.shared()).toString();
    assumeTrue(
        Kymo.exec(folder, program, "nofile", ".").exit() == 3,
        "skipped: tracing a child is not allowed");
    compare(List.of("--threads"), program, "nofile", ".");
  }

  /** The same where a ring gets no more memory. */
  @Test
  void aThreadWhoseRingCannotGrowMakesNoSystemCalls() throws Exception {
    String program = compile("silent", NativePrograms.shared()).toString();
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("shm"), "4m")) {
      Kymo.Result recorded =
          Kymo.runIn(
              folder,
              Map.of("KYMO_SHARED_MEMORY", disk.path().toString()),
              "",
              "record",
              "-q",
              "--threads",
              "--budget",
              "none",
              "-o",
              "r.kymo",
              "--",
              program,
              "full",
              disk.path().toString());
      assertThat(recorded.exit()).as(recorded.err()).isEqualTo(3);
      assertThat(recorded.out()).doesNotContain("not silent").contains("lock silent");
      assertThat(recorded.err()).contains("No space left on device");
    }
  }

  /** A system call of Kymo's that the program does not allow would end it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"prctl", "seccomp", "libc", "strict", "synchronize", "child", "thread", "ask"})
  void aProgramThatRestrictsItsSystemCalls(String way) throws Exception {
    String program = compile("restricted").toString();
    assertThat(compare(program, way)).isEmpty();
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      boolean all = way.equals("ask");
      assertThat(recorded.calls("call_some")).isEqualTo(all ? 1 : 0);
      assertThat(recorded.calls("one_more")).isGreaterThanOrEqualTo(all ? 1010 : 10);
    }
    if (way.equals("prctl")) {
      Kymo.Result info = Kymo.run("info", folder.resolve("r.kymo").toString());
      assertThat(info.out()).contains("this process is not recorded from here on", "(seccomp)");
    }
    if (Set.of("prctl", "synchronize", "child", "thread").contains(way)) {
      Kymo.exec(folder, "rm", "-r", "r.kymo");
      assertThat(compare(List.of("--threads", "--messages"), program, way)).isEmpty();
    }
  }

  @Test
  void whoIsEndedForASystemCallIsTold() throws Exception {
    String program = compile("restricted").toString();
    assertThat(Kymo.exec(folder, program, "hidden").exit()).isEqualTo(40);
    Kymo.Result recorded =
        Kymo.runIn(folder, Map.of(), "", "record", "-q", "--", program, "hidden");
    assertThat(recorded.exit()).isEqualTo(128 + 31);
    assertThat(recorded.err())
        .contains("the program was ended by SIGSYS: it restricts its system calls");
  }

  /** Its loader ends it rather than run it without a library that it cannot load. */
  @Test
  void aProgramOfAnotherCLibrary() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/musl-gcc")), "skipped: musl-gcc is not installed");
    String source = SOURCES.resolve("foreign.c").toString();
    assertThat(Kymo.exec(folder, "musl-gcc", "-o", "foreign", source).exit()).isZero();
    compile("starts");
    assertThat(compare("./foreign"))
        .contains("the program is built for the C library musl, so libkymo cannot be preloaded");
    String ways =
        "execve execv execvp execl fexecve execveat posix_spawn posix_spawnp system popen";
    String each = "for way in %s; do ./starts $way ./foreign; echo $?; done".formatted(ways);
    assertThat(compare("sh", "-c", each)).isEmpty();
    assertThat(Kymo.run("info", folder.resolve("r.kymo").toString()).out())
        .contains("the program is built for the C library musl: ./foreign");
  }

  /** Nothing that runs is a descendant of what was started; root records other users' processes. */
  @Test
  void aDaemonWhoseWorkersBecomeNobody() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: only root becomes nobody");
    assertThat(compare(compile("daemon").toString())).doesNotContain("left alone");
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.calls("one_more")).isEqualTo(201);
      assertThat(recorded.calls("work")).isEqualTo(2);
    }
  }

  /** What Kymo does in it is no fault of the program's. */
  @Tag("plain")
  @ParameterizedTest
  @CsvSource({"thread, libtsan.so", "'address,undefined', libasan.so"})
  void aProgramWithASanitizer(String sanitizer, String library) throws Exception {
    assumeTrue(
        Kymo.exec(folder, "gcc", "-print-file-name=" + library).out().contains("/"),
        "skipped: there is no " + library);
    String program = compile("sanitized", "-g", "-fsanitize=" + sanitizer).toString();
    assertThat(compare(program)).isEmpty();
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.calls("add")).isEqualTo(800);
    }
    Kymo.exec(folder, "rm", "-r", "r.kymo");
    assertThat(compare(List.of("--threads", "--messages"), program)).isEmpty();
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.ownEvents().get("pthread.mutex_lock")).hasSizeGreaterThan(800);
    }
  }

  /** One is soon loaded where the other one was, while the other thread still unloads that. */
  @Test
  void librariesThatAreLoadedAndUnloadedByTwoThreads() throws Exception {
    loadAndUnload(1000, List.of("one", "two"));
  }

  /** What one thread unloads while another looks at it is seldom hit. */
  @Tag("plain")
  @Test
  void librariesThatAreLoadedAndUnloadedByManyThreads() throws Exception {
    loadAndUnload(20_000, List.of("a", "b", "c", "d", "e", "f", "g", "h"));
  }

  private void loadAndUnload(int rounds, List<String> libraries) throws Exception {
    compile("reloads");
    List<String> command = new ArrayList<>(List.of("./reloads", "" + rounds));
    for (String name : libraries) {
      NativePrograms.compile(
          SOURCES.resolve("reloaded.c"),
          folder.resolve(name + ".so"),
          "-shared",
          "-fPIC",
          "-finstrument-functions",
          "-DFUNCTION=" + name);
      command.add("./" + name + ".so");
    }
    List<String> all = List.of("--when-full", "block");
    assertThat(compare(all, command.toArray(String[]::new))).isEmpty();
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      for (String name : libraries) {
        assertThat(recorded.calls(name + ".so." + name)).isEqualTo(rounds);
      }
    }
  }

  /** Only what goes through the socket is a message, however it is written, read and closed. */
  @ParameterizedTest
  @ValueSource(strings = {"close", "fclose", "freopen", "range", "from", "positions"})
  void aSocketWhoseNumberIsThenAFiles(String way) throws Exception {
    assertThat(compare(List.of("--messages"), compile("ways").toString(), way)).isEmpty();
    try (Recorded recorded = new Recorded(folder.resolve("r.kymo"))) {
      assertThat(recorded.ownEvents().get("socket.write")).hasSize(1);
      assertThat(recorded.ownEvents().get("socket.read")).hasSize(1);
    }
  }
}
