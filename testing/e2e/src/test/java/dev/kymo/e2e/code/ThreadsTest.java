package dev.kymo.e2e.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.model.timeline.Track;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Thread operations of programs that do not know Kymo: {@code threads.c} counts its own operations.
 */
class ThreadsTest {
  @TempDir Path folder;
  private Path program = Path.of("");

  /** A state on the track of what a thread waited for. */
  private record State(String thread, String what, String other, long nanos) {}

  @BeforeEach
  void compile() throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-threads.so")),
        "skipped: libkymo-threads was not built, it is for x86-64 and ARM64");
    Path source = Path.of("src/native/threads.c").toAbsolutePath();
    program = NativePrograms.compile(source, folder.resolve("threads"), NativePrograms.shared());
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Path recording() {
    return folder.resolve("threads.kymo");
  }

  private Kymo.Result record(String threads, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--no-index", threads));
    all.addAll(List.of("--when-full", "block", "-o", recording().toString(), "--"));
    all.addAll(List.of(command));
    return Kymo.run(all.toArray(String[]::new));
  }

  /** Records what {@code threads.c} does; its output and exit status must be its own. */
  private void records(String what, long number) throws Exception {
    Kymo.Result result = record("--threads", program.toString(), what, Long.toString(number));
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("done %s %d\n".formatted(what, number));
    assertThat(result.exit()).isEqualTo(3);
  }

  private static Map<String, Long> counts(Recorded recorded) {
    assertThat(recorded.timeline.oddities()).isEmpty();
    assertThat(recorded.unbalanced).isEmpty();
    assertThat(recorded.tracks()).allSatisfy(track -> assertThat(track.lost()).isZero());
    Map<String, Long> counts = new TreeMap<>();
    recorded.ownEvents().forEach((name, events) -> counts.put(name, (long) events.size()));
    return counts;
  }

  @Test
  void eachOperationOnce() throws Exception {
    long n = 1000;
    records("each", n);
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> expected = new TreeMap<>();
      expected.put("pthread.mutex_lock", n + 1); // one before main
      expected.put("pthread.mutex_unlock", 4 * n + 1);
      expected.put("pthread.mutex_timedlock", 2 * n);
      expected.put("pthread.rwlock_unlock", 6 * n);
      expected.put("pthread.spin_unlock", 2 * n);
      expected.put("pthread.sem_post", 3 * n);
      String once =
          "mutex_trylock rwlock_rdlock rwlock_tryrdlock rwlock_timedrdlock rwlock_wrlock"
              + " rwlock_trywrlock rwlock_timedwrlock spin_lock spin_trylock sem_wait sem_trywait"
              + " sem_timedwait cond_signal cond_broadcast once barrier_wait";
      Arrays.stream(once.split(" ")).forEach(name -> expected.put("pthread." + name, n));
      assertThat(counts(recorded)).isEqualTo(expected);
      Map<String, List<String>> events = recorded.ownEvents();
      assertThat(events.getOrDefault("pthread.mutex_lock", List.of()))
          .allMatch(e -> e.matches("object=\\d+ caller=(early|each) result=0 waited=0"));
      assertThat(events.getOrDefault("pthread.barrier_wait", List.of()))
          .allMatch(e -> e.matches("object=\\d+ caller=each result=-1 waited=0"));
      assertThat(recorded.calls("barrier.")).isZero();
    }
  }

  @Test
  void threadsBeginAndEnd() throws Exception {
    long n = 50;
    records("many", n);
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> counts = counts(recorded);
      assertThat(counts).containsEntry("pthread.create", 3 * n + 1);
      assertThat(counts).containsEntry("pthread.join", 3 * n);
      assertThat(counts).containsEntry("pthread.cancel", n).containsEntry("pthread.detach", 1L);
      // The last thread is detached: it may be gone when the program ends.
      assertThat(counts.getOrDefault("pthread.exit", 0L)).isBetween(3 * n, 3 * n + 1);
      assertThat(recorded.calls("start.")).isBetween(3 * n, 3 * n + 1);
    }
  }

  @Test
  void whoWaitsForWhatAndWhoLetsItGoOn() throws Exception {
    records("contended", 1);
    try (Recorded recorded = new Recorded(recording())) {
      counts(recorded);
      List<State> states = states(recorded);
      for (String what :
          List.of(
              "mutex.the mutex", "rwlock.", "spinlock.", "condition.", "semaphore.", "barrier.")) {
        assertThat(states)
            .as("%s among %s", what, states)
            .anyMatch(
                s -> s.thread.equals("waiter") && s.what.equals(what) && s.other.equals("threads"));
      }
      assertThat(states).filteredOn(s -> s.what.equals("barrier.")).hasSize(1);
      for (String what : List.of("join.", "once.")) {
        assertThat(states)
            .as("%s among %s", what, states)
            .anyMatch(
                s -> s.thread.equals("threads") && s.what.equals(what) && s.other.equals("waiter"));
      }
      assertThat(states.stream().filter(s -> s.what.equals("start.")))
          .hasSize(8)
          .allMatch(s -> s.other.equals("threads"));
      assertThat(recorded.ownEvents().getOrDefault("pthread.name", List.of()))
          .singleElement()
          .asString()
          .endsWith("name=the mutex");
    }
  }

  @ParameterizedTest
  @CsvSource({"calls, 0, 0", "contention, 1, 0", "owners, 1, 1"})
  void levels(String level, int states, int others) throws Exception {
    Kymo.Result result = record("--threads=" + level, program.toString(), "contended");
    assertThat(result).isEqualTo(new Kymo.Result(3, "done contended 1\n", ""));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded)).containsEntry("pthread.create", 8L);
      assertThat(recorded.calls("semaphore.")).isEqualTo(states);
      assertThat(states(recorded).stream().filter(s -> !s.other.equals("-")).count() > 0)
          .isEqualTo(others > 0);
    }
  }

  @Test
  void asManyStatesAsOperationsThatWaited() throws Exception {
    long n = 20_000;
    records("together", n);
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> counts = counts(recorded);
      assertThat(counts).containsEntry("pthread.mutex_lock", 8 * n + 1);
      assertThat(counts).containsEntry("pthread.mutex_unlock", 8 * n + 1);
      long waited =
          recorded.ownEvents().getOrDefault("pthread.mutex_lock", List.of()).stream()
              .filter(event -> !event.endsWith(" waited=0"))
              .count();
      assertThat(recorded.calls("mutex.")).isEqualTo(waited);
    }
  }

  @Test
  void cancelledWaitsAreOver() throws Exception {
    records("cancels", 3);
    try (Recorded recorded = new Recorded(recording())) {
      counts(recorded);
      Map<String, List<String>> events = recorded.ownEvents();
      for (String name : List.of("cond_woken", "sem_wait", "join")) {
        assertThat(events.getOrDefault("pthread." + name, List.of()))
            .filteredOn(event -> event.contains(" result=125 "))
            .as(name)
            .hasSize(3);
      }
    }
  }

  @Test
  void bothSidesOfAFork() throws Exception {
    long n = 100;
    Kymo.Result result = record("--threads", program.toString(), "forks", Long.toString(n));
    assertThat(result).isEqualTo(new Kymo.Result(3, "done forks 100\n", ""));
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> counts = counts(recorded);
      assertThat(counts).containsEntry("pthread.mutex_lock", 8 * n + 2);
      assertThat(counts).containsEntry("pthread.mutex_unlock", 8 * n + 3);
      assertThat(recorded.timeline.processes()).hasSize(2);
    }
  }

  @Test
  void handlersThatInterruptRecordsLoseNothing() throws Exception {
    Kymo.Result result = record("--threads", program.toString(), "signals", "300");
    Matcher said = Pattern.compile("locks=(\\d+) handled=(\\d+)\n").matcher(result.out());
    assertThat(said.find()).as(result.out()).isTrue();
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> counts = counts(recorded);
      assertThat(counts).containsEntry("pthread.mutex_unlock", Long.parseLong(said.group(1)) + 1);
      assertThat(counts).containsEntry("pthread.sem_post", 2 * Long.parseLong(said.group(2)));
      assertThat(counts).containsEntry("pthread.sem_trywait", Long.parseLong(said.group(2)));
    }
  }

  @Tag("native")
  @Test
  void tenThousandThreadsWithTheSmallestStacks() throws Exception {
    records("shorts", 1000);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded))
          .containsEntry("pthread.create", 10_000L)
          .containsEntry("pthread.exit", 10_000L)
          .containsEntry("pthread.join", 10_000L)
          .containsEntry("pthread.mutex_lock", 10_001L);
    }
    try (var rings = Files.newDirectoryStream(recording(), "p1-ring-*")) {
      assertThat(rings).hasSizeLessThan(100);
    }
  }

  @Test
  void whatIsOffIsNotRecorded() throws Exception {
    String off = "pthread.mutex_*,pthread-waits,pthread.rwlock_*";
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--threads",
            "--disable-events",
            off,
            "-o",
            recording().toString(),
            "--",
            program.toString(),
            "contended");
    assertThat(result).isEqualTo(new Kymo.Result(3, "done contended 1\n", ""));
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded))
          .containsEntry("pthread.create", 8L)
          .containsKey("pthread.sem_wait")
          .allSatisfy((name, count) -> assertThat(name).doesNotContain("mutex", "rwlock"));
      assertThat(recorded.calls).isEmpty();
    }
  }

  @Test
  void destructorsAndAFirstThreadThatEndsFirst() throws Exception {
    records("destructors", 100);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded)).containsEntry("pthread.mutex_lock", 101L);
    }
    Path other = folder.resolve("first.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--threads",
            "-o",
            other.toString(),
            "--",
            program.toString(),
            "first",
            "100");
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
    try (Recorded recorded = new Recorded(other)) {
      assertThat(counts(recorded))
          .containsEntry("pthread.mutex_lock", 101L)
          .containsEntry("pthread.exit", 2L);
    }
  }

  @ParameterizedTest
  @CsvSource({"--threads", "--threads=calls", "--threads=contention"})
  void resultsAreTheSame(String threads) throws Exception {
    Path source = Path.of("src/native/results.c").toAbsolutePath();
    Path results = NativePrograms.compile(source, folder.resolve("results"));
    Kymo.Result plain = Kymo.exec(folder, results.toString());
    assertThat(plain.exit()).isEqualTo(5);
    assertThat(record(threads, results.toString())).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded)).containsKey("pthread.mutex_timedlock");
    }
  }

  @Test
  void cPlusPlus() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/g++")), "skipped: g++ is not installed");
    Path source = Path.of("src/native/threads.cc").toAbsolutePath();
    Path cpp = folder.resolve("cpp");
    Kymo.Result compiled =
        Kymo.exec(
            folder,
            "g++",
            "-O2",
            "-std=c++17",
            "-pthread",
            "-o",
            cpp.toString(),
            source.toString());
    assertThat(compiled.err()).isEmpty();
    Kymo.Result plain = Kymo.exec(folder, cpp.toString());
    assertThat(plain.out()).isEqualTo("sum=4000 waited=1 caught=2 once=1\n");
    assertThat(record("--threads", cpp.toString())).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded))
          .containsEntry("pthread.create", 5L)
          .containsEntry("pthread.join", 5L)
          .containsKeys("pthread.mutex_lock", "pthread.cond_woken", "pthread.once");
    }
  }

  @Test
  void pigzGivesBackWhatItWasGiven() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/pigz")), "skipped: pigz is not installed");
    byte[] bytes = new byte[8 << 20];
    new Random(7)
        .ints(bytes.length, 'a', 'q')
        .forEach(
            new java.util.function.IntConsumer() {
              private int at;

              @Override
              public void accept(int letter) {
                bytes[at++] = (byte) letter;
              }
            });
    Path file = Files.write(folder.resolve("text"), bytes);
    Kymo.Result result = record("--threads", "pigz", "-p", "4", "-k", file.toString());
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
    byte[] packed = Files.readAllBytes(folder.resolve("text.gz"));
    assertThat(new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes())
        .isEqualTo(bytes);
    try (Recorded recorded = new Recorded(recording())) {
      Map<String, Long> counts = counts(recorded);
      assertThat(counts.getOrDefault("pthread.mutex_lock", 0L)).isPositive();
      assertThat(counts.get("pthread.mutex_unlock")).isEqualTo(counts.get("pthread.mutex_lock"));
      assertThat(counts.get("pthread.cond_woken")).isEqualTo(counts.get("pthread.cond_wait"));
    }
  }

  @Test
  void theNativePartOfAVirtualMachine() throws Exception {
    String java = Jdk.running().java().toString();
    String[] command = {java, "-cp", Programs.CLASSES.toString(), "Echo", "a b"};
    Kymo.Result plain = Kymo.exec(folder, command);
    assertThat(record("--threads", command)).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.ownEvents()).containsKeys("pthread.create", "pthread.mutex_lock");
    }
  }

  @Tag("native")
  @Test
  void javaItsNativeLibraryAndLocksInOneRecording() throws Exception {
    Jdk jdk = Jdk.running();
    Path include = jdk.home().resolve("include");
    assumeTrue(Files.isDirectory(include), "skipped: this JDK has no headers for native code");
    Path library = folder.resolve("libjni.so");
    NativePrograms.compile(
        Path.of("src/native/jni.c").toAbsolutePath(),
        library,
        "-finstrument-functions",
        "-fPIC",
        "-shared",
        "-I" + include,
        "-I" + include.resolve("linux"));
    String classes = Programs.CLASSES.toString();
    String[] command = {
      jdk.java().toString(),
      "--enable-native-access=ALL-UNNAMED",
      "-cp",
      classes,
      "Jni",
      library.toString(),
      "500"
    };
    Kymo.Result plain = Kymo.exec(folder, command);
    assertThat(plain.exit()).isZero();
    assertThat(record("--threads", command)).isEqualTo(plain);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(recorded.calls("Jni.step")).isEqualTo(1500);
      assertThat(recorded.calls("libjni.so.Java_Jni_work")).isEqualTo(1500);
      assertThat(recorded.calls("libjni.so.inner")).isEqualTo(1500);
      // On one clock: each native call lies in a Java call, which one thread at a time makes.
      long[] java = begins(recorded, "Jni.step");
      long[] c = begins(recorded, "libjni.so.Java_Jni_work");
      for (int i = 0; i < c.length; i++) {
        assertThat(c[i]).isGreaterThanOrEqualTo(java[i]);
        assertThat(i + 1 == java.length || c[i] < java[i + 1]).isTrue();
      }
      // Some of the virtual machine's own threads still wait at the end.
      assertThat(recorded.ownEvents().getOrDefault("pthread.mutex_lock", List.of()))
          .hasSizeGreaterThan(1500);
    }
  }

  private static long[] begins(Recorded recorded, String name) {
    LongStream.Builder begins = LongStream.builder();
    for (Track track : recorded.tracks()) {
      recorded.timeline.slices(
          track.id(),
          0,
          recorded.timeline.duration() + 1,
          0,
          (depth, method, begin, end, count, flags) -> {
            if (recorded.timeline.method(method).qualifiedName().equals(name)) {
              begins.add(begin);
            }
          });
    }
    return begins.build().sorted().toArray();
  }

  @Test
  void scriptsAndWhatTheyRun() throws Exception {
    String script = "%s each 10; %s each 20".formatted(program, program);
    assertThat(record("--threads", "sh", "-c", script).exit()).isEqualTo(3);
    try (Recorded recorded = new Recorded(recording())) {
      assertThat(counts(recorded)).containsEntry("pthread.mutex_lock", 32L);
      assertThat(recorded.timeline.processes()).hasSize(2);
    }
  }

  @Test
  void programsThatNothingCanBePreloadedInto() throws Exception {
    Path alone = folder.resolve("static");
    Path source = Path.of("src/native/results.c").toAbsolutePath();
    NativePrograms.compile(source, alone, "-static");
    assertThat(record("--threads", alone.toString()))
        .isEqualTo(new Kymo.Result(2, "", refusal("statically linked", alone)));
    Kymo.Result given = Kymo.exec(folder, "chown", "nobody", program.toString());
    assumeTrue(given.exit() == 0, "skipped: only root can give a program to somebody else");
    Kymo.exec(folder, "chmod", "u+s", program.toString());
    assertThat(record("--threads", program.toString()).err())
        .isEqualTo(refusal("set-user-id", program));
    assertThat(recording()).doesNotExist();
  }

  private static String refusal(String what, Path program) {
    return "kymo: no thread operations can be recorded of a program that is %s, nothing can be preloaded into it: %s\n"
        .formatted(what, program);
  }

  private static List<State> states(Recorded recorded) {
    List<State> states = new ArrayList<>();
    for (Track track : recorded.tracks()) {
      if (track.kind() != TrackKind.STATES) {
        continue;
      }
      recorded.timeline.calls(
          track.id(),
          0,
          recorded.timeline.duration() + 1,
          new CallVisitor() {
            private int other = -1;

            @Override
            public void detail(int of, int by) {
              other = by;
            }

            @Override
            public void call(int depth, int method, long begin, long end, int flags) {
              String by = other < 0 ? "-" : recorded.tracks().get(other).name();
              String what = recorded.timeline.method(method).qualifiedName();
              states.add(new State(track.name(), what, by, end - begin));
              other = -1;
            }
          });
    }
    return states;
  }
}
