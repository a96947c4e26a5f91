package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Track;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares what threads wait for, and what the virtual machine does, with what a program knows of
 * it.
 */
class WaitsTest {
  /** The error of the two clocks' pairs and of reading a clock; 1 us is usual. */
  private static final long CLOCK_ERROR = 100_000;

  private static final long LEAST = 50_000_000 - CLOCK_ERROR;

  private static final String CONDITION =
      "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";

  private static final String START = "start.java.lang.VirtualThread";

  /** What each of the program's threads waits for, and which thread lets it go on; - = none. */
  private static final Map<String, String> EXPECTED =
      Map.of(
          "monitor-waiter", "monitor.Waiting$Monitor main",
          "lock-waiter", "lock." + JvmEventsTest.LOCK + " main",
          "condition-waiter", "wait." + CONDITION + " main",
          "park-waiter", "park.java.lang.String main",
          "notify-waiter", "wait.Waiting$Signal main",
          "sleeper", "sleep. -",
          "join-waiter", "join.java.lang.Thread sleeper",
          "reference-waiter", "wait.java.lang.ref.ReferenceQueue -",
          "virtual-waiter", "park.java.util.concurrent.CountDownLatch$Sync main",
          "last", "sleep. -");

  private static final Map<String, String> OF_VIRTUAL =
      Map.of(
          "monitor",
          "monitor.VirtualWaits$Busy",
          "wait",
          "wait.VirtualWaits$Signal",
          "sleep",
          "sleep.");

  private static final Set<String> OF_MONITORS =
      Set.of("monitor-waiter", "notify-waiter", "join-waiter", "sleeper");

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void everyWayToWait(Jdk jdk) throws Exception {
    Path recording = folder.resolve("waiting.kymo");
    Kymo.Result result = JvmEventsTest.record(recording, jdk, List.of(), "Waiting");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("\ninterrupted\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      List<String> said = result.out().lines().filter(line -> line.contains("-w")).toList();
      assertThat(said).hasSize(jdk.feature() >= 21 ? 8 : 7);
      for (String line : result.out().lines().filter(l -> l.split(" ").length == 3).toList()) {
        assertWait(recorded, line.split(" ")[0], Long.parseLong(line.split(" ")[2]));
      }
      assertMachine(recorded);
    }
  }

  /** With nothing but the defaults, in a program that runs for about a second. */
  @ParameterizedTest
  @MethodSource("jdks")
  void monitorsFromTheFirstMomentOn(Jdk jdk) throws Exception {
    Path recording = folder.resolve("default.kymo");
    List<String> arguments = new ArrayList<>(List.of("record", "-q", "--strict", "--budget", "5%"));
    arguments.addAll(List.of("-o", recording.toString(), "--", jdk.java().toString()));
    arguments.addAll(List.of("-cp", Programs.CLASSES.toString(), "Waiting"));
    Kymo.Result result = Kymo.run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).isEmpty();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      for (String line : result.out().lines().filter(l -> l.split(" ").length == 3).toList()) {
        String thread = line.split(" ")[0];
        if (OF_MONITORS.contains(thread)) {
          assertState(recorded, thread, Long.parseLong(line.split(" ")[2]));
        }
      }
      assertThat(recorded.tracks()).extracting(Track::name).contains("GC pauses");
      assertThat(recorded.calls.keySet())
          .noneMatch(name -> name.matches("[a-z]+[.]dev[.]kymo[.].*"));
      assertThat(recorded.tracks()).noneMatch(track -> track.name().startsWith("JFR"));
    }
  }

  private static void assertState(Recorded recorded, String thread, long said) {
    String[] expected = Objects.requireNonNull(EXPECTED.get(thread), thread).split(" ");
    List<Recorded.State> states = recorded.states(recorded.track(TrackKind.STATES, thread));
    List<Recorded.State> found =
        states.stream()
            .filter(s -> s.what().equals(expected[0]) && s.end() - s.begin() >= LEAST)
            .toList();
    assertThat(found).as("%s among %s", thread, states).hasSize(1);
    Recorded.State state = found.getFirst();
    assertThat(state.end() - state.begin()).as(thread).isBetween(LEAST, said + CLOCK_ERROR);
    assertThat(state.object() == 0).as(thread).isEqualTo(thread.equals("sleeper"));
    assertThat(state.other()).as(thread).isIn("-", expected[1]);
    if (thread.startsWith("join")) {
      assertThat(state.other()).isEqualTo(expected[1]);
    }
  }

  /** Who has a monitor is known when it was waited for for some time. */
  @ParameterizedTest
  @MethodSource("jdks")
  void whoHasTheMonitorOfALongWait(Jdk jdk) throws Exception {
    Path recording = folder.resolve("held.kymo");
    List<String> arguments = new ArrayList<>(List.of("record", "-q", "--strict", "--waits", "on"));
    arguments.addAll(List.of("-o", recording.toString(), "--", jdk.java().toString()));
    arguments.addAll(List.of("-cp", Programs.CLASSES.toString(), "Held"));
    Kymo.Result result = Kymo.run(arguments.toArray(String[]::new));
    assertThat(result.out()).as(result.err()).isEqualTo("interrupted false\ndone\n");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      List<Recorded.State> states = recorded.states(recorded.track(TrackKind.STATES, "waiter"));
      assertThat(states)
          .filteredOn(s -> s.end() - s.begin() >= 1_000_000_000L)
          .extracting(s -> s.what() + " " + s.other())
          .containsExactly("monitor.Held main");
      assertThat(recorded.states(recorded.track(TrackKind.STATES, "main")))
          .filteredOn(s -> s.end() - s.begin() >= 1_000_000_000L)
          .extracting(Recorded.State::what)
          .containsExactly("sleep.");
    }
  }

  private static void assertWait(Recorded recorded, String thread, long said) {
    Track track = recorded.track(TrackKind.STATES, thread);
    String expected = Objects.requireNonNull(EXPECTED.get(thread), thread);
    List<Recorded.State> states = recorded.states(track);
    List<Recorded.State> found =
        states.stream()
            .filter(
                s -> (s.what() + " " + s.other()).equals(expected) && s.end() - s.begin() >= LEAST)
            .toList();
    assertThat(found).as("%s among %s", expected, states).hasSize(1);
    Recorded.State state = found.getFirst();
    assertThat(state.end() - state.begin()).as(thread).isBetween(LEAST, said + CLOCK_ERROR);
    if (!expected.startsWith("sleep")) {
      assertThat(state.object()).as(thread).isNotZero();
    }
    // On the same clock: within the call that waited.
    Track calls = recorded.tracks().get(track.of());
    assertThat(calls.javaId()).isEqualTo(track.javaId());
    List<Recorded.State> around =
        recorded.states(calls).stream().filter(c -> c.what().equals("Waiting.say")).toList();
    assertThat(around).hasSize(1);
    assertThat(state.begin()).isGreaterThan(around.getFirst().begin() - CLOCK_ERROR);
    assertThat(state.end()).isLessThan(around.getFirst().end() + CLOCK_ERROR);
    assertThat(states)
        .extracting(s -> s.what() + " " + s.other())
        .contains(thread.startsWith("virtual") ? START + " main" : "start. main");
  }

  /** Each is started once, by the expected thread, and runs from the end of that start on. */
  @Test
  void startsOfVirtualThreads() throws Exception {
    assumeTrue(Jdk.running().feature() >= 21, "no virtual threads");
    Path recording = folder.resolve("virtual.kymo");
    int threads = 500;
    List<String> arguments = new ArrayList<>(List.of("record", "-q", "--strict", "--waits", "on"));
    arguments.addAll(List.of("--when-full", "block", "-o", recording.toString(), "--"));
    arguments.addAll(List.of(Jdk.running().java().toString(), "-cp"));
    arguments.addAll(List.of(Programs.CLASSES.toString(), "Virtual", "" + threads));
    assertThat(Kymo.run(arguments.toArray(String[]::new)))
        .isEqualTo(new Kymo.Result(0, threads + "\n", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      int found = 0;
      for (Track track : recorded.tracks()) {
        Optional<Recorded.State> start =
            track.kind() == TrackKind.STATES
                ? recorded.states(track).stream().filter(s -> s.what().equals(START)).findFirst()
                : Optional.empty();
        if (start.isPresent()) {
          found++;
          assertThat(start.get().other()).isEqualTo("main");
          assertThat(start.get().object()).isNotZero();
          assertThat(start.get().end()).isGreaterThan(start.get().begin());
          Track calls = recorded.tracks().get(track.of());
          assertThat(recorded.states(calls).getFirst().begin())
              .isGreaterThan(start.get().end() - CLOCK_ERROR);
        }
      }
      assertThat(found).isEqualTo(threads);
      assertThat(recorded.calls(START)).isEqualTo(threads);
    }
  }

  /** They go on in other threads of the kernel than those in which they began to wait. */
  @Test
  void virtualThreadsAtMonitors() throws Exception {
    assumeTrue(Jdk.running().feature() >= 24, "virtual threads keep their carriers at monitors");
    Path recording = folder.resolve("virtual.kymo");
    List<String> arguments = new ArrayList<>(List.of("record", "-q", "--strict", "--waits", "on"));
    arguments.addAll(List.of("--budget", "none", "--when-full", "block", "-o"));
    arguments.addAll(List.of(recording.toString(), "--", Jdk.running().java().toString()));
    arguments.addAll(List.of("-cp", Programs.CLASSES.toString(), "VirtualWaits"));
    Kymo.Result result = Kymo.run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      long said = 0;
      long found = 0;
      for (String line : result.out().lines().toList()) {
        String[] words = line.split(" ");
        long longest = Long.parseLong(words[2]);
        long waited =
            recorded.states(recorded.track(TrackKind.STATES, words[0])).stream()
                .filter(state -> state.what().equals(OF_VIRTUAL.get(words[1])))
                .mapToLong(state -> state.end() - state.begin())
                .sum();
        assertThat(waited).as(line).isBetween(0L, longest + CLOCK_ERROR);
        if (!words[1].equals("monitor")) {
          assertThat(waited).as(line).isGreaterThan(LEAST); // the only one
        }
        said += longest;
        found += waited;
      }
      // Before and after a wait a thread may have to wait for a processor.
      assertThat(found).isGreaterThan(said / 2);
      assertThat(recorded.calls.keySet())
          .noneMatch(name -> name.matches("[a-z]+[.]dev[.]kymo[.].*"));
    }
  }

  private static void assertMachine(Recorded recorded) {
    assertThat(recorded.states(recorded.track(TrackKind.JVM, "GC")))
        .extracting(Recorded.State::what)
        .anyMatch(what -> what.startsWith("GC.") && what.endsWith(": System.gc()"));
    assertThat(recorded.states(recorded.track(TrackKind.JVM, "Safepoints")))
        .allSatisfy(s -> assertThat(s.end()).isGreaterThanOrEqualTo(s.begin()));
    assertThat(recorded.states(recorded.track(TrackKind.JVM, "JIT compiler"))).isNotEmpty();
    assertThat(recorded.states(recorded.track(TrackKind.JVM, "Class loading")))
        .extracting(Recorded.State::what)
        .anyMatch(what -> what.startsWith("Class loading.Waiting"));
  }
}
