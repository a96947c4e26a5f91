package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.analysis.cause.ThreadReport;
import dev.kymo.analysis.cause.ThreadTimes;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Kernel events beside calls: {@code kymo record --kernel} as root, from the outside. */
@Tag("kernel")
class KernelRecordTest {
  private static final int THREADS = 5;
  private static final int ROUNDS = 400;
  private static final Pattern COUNTED = Pattern.compile("(\\d+) Event messages");

  @TempDir Path folder;
  private Path instances = Path.of("");

  @BeforeEach
  void tracingIsToBeHad(TestInfo test) {
    try {
      instances = Tracefs.find().instances();
    } catch (KernelException e) {
      skip(test, String.valueOf(e.getMessage()));
    }
  }

  private static void skip(TestInfo test, String why) {
    System.out.println("SKIPPED " + test.getDisplayName() + ": " + why);
    assumeTrue(false, why);
  }

  private Path ring(TestInfo test) throws Exception {
    Path program = folder.resolve("ring");
    try {
      String source = Path.of("src/native/ring.c").toAbsolutePath().toString();
      Kymo.Result built =
          Kymo.exec(folder, "gcc", "-O1", "-pthread", "-o", program.toString(), source);
      assertThat(built.exit()).as(built.err()).isZero();
    } catch (IOException e) {
      skip(test, "gcc is not installed");
    }
    return program;
  }

  /** Instances that the recorder with this number made: none may be left when it has ended. */
  private List<Path> instancesOf(long pid) throws IOException {
    try (Stream<Path> all = Files.list(instances)) {
      return all.filter(p -> p.getFileName().toString().startsWith("kymo-" + pid + "-")).toList();
    }
  }

  private Kymo.Result record(Path recording, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-o", recording.toString()));
    words.addAll(Arrays.asList(more));
    Process process = Kymo.start(folder, Map.of(), words.toArray(String[]::new));
    Kymo.Result result = Kymo.finish(process, "");
    assertThat(instancesOf(process.pid())).isEmpty();
    return result;
  }

  @Test
  void everyThreadIsWokenByTheOneBeforeIt(TestInfo test) throws Exception {
    Path program = ring(test);
    Path recording = folder.resolve("ring.kymo");
    Kymo.Result result =
        record(
            recording,
            "--kernel",
            "all",
            "--",
            program.toString(),
            Integer.toString(THREADS),
            Integer.toString(ROUNDS));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).isEqualTo("passed\n");
    assertThat(result.err()).contains("kernel events").doesNotContain("lost");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      Arrows arrows = recorded.timeline.arrows(ArrowKind.WAKE_UP, 0, Long.MAX_VALUE / 2, 100_000);
      assertThat(arrows.longestOnly()).isFalse();
      for (int thread = 0; thread < THREADS; thread++) {
        assertWoken(recorded, arrows, thread);
      }
      assertThat(recorded.tracks()).filteredOn(t -> t.kind() == TrackKind.CPU).isNotEmpty();
    }
    assertExplained(recording);
    assertJudged(recording);
  }

  /** Nobody receives them: the kernel keeps what it has room for, and counts the rest. */
  @Test
  void aFullSpoolLeavesEventsInTheKernel(TestInfo test) throws Exception {
    Path program = ring(test);
    Map<String, String> places =
        Map.of(
            "XDG_CONFIG_HOME", folder.resolve("config").toString(),
            "XDG_CACHE_HOME", folder.resolve("cache").toString());
    Path own = Files.createDirectories(folder.resolve("config/kymo/listen"));
    for (String secret : List.of("token", "fingerprint")) {
      Path file = Files.writeString(own.resolve(secret), "nobody");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    Process process =
        Kymo.start(
            folder,
            places,
            "record",
            "--kernel",
            "cswitch",
            "--kernel-buffer",
            "256k",
            "--to",
            "127.0.0.1:9",
            "--spool-size",
            "1M",
            "-o",
            "ring.kymo",
            "--",
            program.toString(),
            "2",
            "40000");
    Kymo.Result result = Kymo.finish(process, "");
    assertThat(result.out()).as(result.err()).isEqualTo("passed\n");
    assertThat(instancesOf(process.pid())).isEmpty();
    Path spool = folder.resolve("cache/kymo/spool/ring.kymo");
    long bytes = 0;
    try (Stream<Path> files = Files.list(spool)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("kernel")).toList()) {
        bytes += Files.size(file);
      }
    }
    assertThat(bytes).isBetween(1L, 4L << 20);
    Matcher lost =
        Pattern.compile("lost +(\\d+) events").matcher(Kymo.run("info", spool.toString()).out());
    assertThat(lost.find()).isTrue();
    assertThat(Long.parseLong(lost.group(1))).isPositive();
  }

  private static void assertWoken(Recorded recorded, Arrows arrows, int thread) {
    String before = "ring-" + (thread + THREADS - 1) % THREADS;
    Track track =
        recorded.tracks().stream()
            .filter(t -> t.kind() == TrackKind.SCHEDULED && t.name().equals("ring-" + thread))
            .findFirst()
            .orElseThrow();
    List<String> wakers =
        arrows.arrows().stream()
            .filter(a -> a.toTrack() == track.id())
            .filter(a -> recorded.timeline.method(a.method()).name().equals("read"))
            .map(a -> recorded.tracks().get(a.fromTrack()).name())
            .toList();
    // The first token comes from outside; a thread that has not fallen asleep yet is not woken.
    assertThat(wakers).hasSizeGreaterThan(ROUNDS / 4);
    assertThat(thread == 0 ? wakers.subList(1, wakers.size()) : wakers).containsOnly(before);
  }

  /** Running, runnable and blocked add up to every thread's whole life. */
  private static void assertExplained(Path recording) throws Exception {
    try (Recording open = Recording.open(recording)) {
      CallPass pass = CallPass.open(open);
      ThreadReport report =
          ThreadReport.of(pass, 0, Long.MAX_VALUE, thread -> true, 0, (done, all) -> {});
      assertThat(report.rows()).hasSizeGreaterThan(THREADS);
      for (ThreadTimes times : report.rows()) {
        assertThat(times.split().unknown())
            .as(times.name())
            .isBetween(0L, times.split().duration() / 100);
      }
    }
  }

  /** babeltrace2 reads all of it. */
  private void assertJudged(Path recording) throws Exception {
    Kymo.Result info = Kymo.run("info", "--json", recording.toString());
    Matcher events = Pattern.compile("\"events\" : (\\d+)").matcher(info.out());
    assertThat(events.find()).isTrue();
    Kymo.Result judged;
    try {
      judged =
          Kymo.exec(folder, "babeltrace2", recording.toString(), "--component=sink.utils.counter");
    } catch (IOException e) {
      System.out.println("SKIPPED in KernelRecordTest: babeltrace2 is not installed");
      return;
    }
    assertThat(judged.err()).isEmpty();
    assertThat(COUNTED.matcher(judged.out()).results().map(m -> m.group(1)).toList())
        .last()
        .isEqualTo(events.group(1));
  }

  /** A tool that knows LTTng's kernel traces reads a folder with the name that LTTng gives it. */
  @Test
  void toolsForKernelTracesReadIt(TestInfo test) throws Exception {
    Path program = ring(test);
    Path recording = folder.resolve("kernel");
    Kymo.Result result =
        record(recording, "--kernel", "all", "--system", "--", program.toString(), "3", "2000");
    assertThat(result.exit()).as(result.err()).isZero();
    for (String tool : List.of("lttng-cputop", "lttng-schedstats")) {
      Kymo.Result judged;
      try {
        judged = Kymo.exec(folder, tool, "--no-progress", "--limit", "1000", folder.toString());
      } catch (IOException e) {
        skip(test, tool + " is not installed");
        return;
      }
      assertThat(judged.exit()).as(judged.out() + judged.err()).isZero();
      assertThat(judged.out()).containsPattern("ring(-\\d)? \\(\\d+\\)");
    }
  }

  @Test
  void javaThreadsCarryTheirNames() throws Exception {
    Path recording = folder.resolve("java.kymo");
    Kymo.Result result =
        record(
            recording,
            "--kernel",
            "cswitch,ipc",
            "--waits",
            "off",
            "--jvm-events",
            "off",
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Waiting");
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      List<Track> states =
          recorded.tracks().stream().filter(t -> t.kind() == TrackKind.SCHEDULED).toList();
      Track main =
          recorded.tracks().stream()
              .filter(t -> t.kind() == TrackKind.CALLS && t.name().equals("main"))
              .findFirst()
              .orElseThrow();
      assertThat(states).filteredOn(t -> t.of() == main.id()).hasSize(1);
      assertThat(states).filteredOn(t -> t.tid() == main.tid()).hasSize(1);
      assertThat(recorded.calls("running.CPU 0") + recorded.calls("running.CPU 1")).isPositive();
    }
  }

  @Test
  void ofAKilledRecorderNothingGoesOn(TestInfo test) throws Exception {
    Path program = ring(test);
    Process process =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "--kernel",
            "cswitch",
            "-o",
            "killed.kymo",
            "--",
            program.toString(),
            "2",
            "100000000");
    long pid = process.pid();
    try {
      Path states = folder.resolve("killed.kymo/p1-ring-0");
      while (!Files.exists(states) || Files.size(states) < 100_000) {
        assertThat(process.isAlive()).isTrue();
        Thread.sleep(10);
      }
      List<ProcessHandle> children = process.descendants().toList();
      process.destroyForcibly().waitFor();
      children.forEach(ProcessHandle::destroyForcibly);
      List<Path> left = instancesOf(pid);
      assertThat(left).hasSize(1);
      assertThat(Files.readString(left.getFirst().resolve("tracing_on"))).isEqualTo("0\n");
      assertThat(Kymo.run("info", folder.resolve("killed.kymo").toString()).exit()).isZero();
      record(folder.resolve("next.kymo"), "--kernel", "cswitch", "--", "true");
      assertThat(instancesOf(pid)).isEmpty();
    } finally {
      process.destroyForcibly();
      process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void whatCannotBeIsSaid() throws Exception {
    Kymo.Result unknown = record(folder.resolve("a.kymo"), "--kernel", "cswich", "--", "true");
    assertThat(unknown.exit()).isEqualTo(2);
    assertThat(unknown.err()).contains("cswich").contains("cswitch");
    Kymo.Result missing =
        record(folder.resolve("b.kymo"), "--kernel", "cswitch,sched:sched_nothing", "--", "true");
    assertThat(missing.exit()).isZero();
    assertThat(missing.err()).contains("not in this kernel").contains("sched:sched_nothing");
    assertThat(folder.resolve("a.kymo")).doesNotExist();
  }
}
