package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What threads wait for when the recording ends, in every way in which it can end. */
class OpenWaitsTest {
  private static final String LOCK = "java.util.concurrent.locks.ReentrantLock$NonfairSync";

  /** What the program's threads wait for, and who has it. */
  private static final Map<String, String> STUCK =
      Map.of(
          "left-right", "monitor.Stuck$Right right-left",
          "right-left", "monitor.Stuck$Left left-right",
          "waiter", "wait.Stuck$Signal -",
          "holder", "wait.Stuck$Signal -",
          "joiner", "join.java.lang.Thread sleeper",
          "sleeper", "sleep. -",
          "locker", "lock." + LOCK + " holder");

  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void whatThreadsWaitForWhenTheProgramExits(Jdk jdk) throws Exception {
    Process recorder = record(jdk);
    assertThat(Kymo.finish(recorder, "")).isEqualTo(new Kymo.Result(0, "", ""));
    assertStuck();
    assertDeadlock();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void whatThreadsWaitForWhenTheProgramIsInterrupted(Jdk jdk) throws Exception {
    Process recorder = record(jdk, "wait");
    assertThat(recorder.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("stuck");
    interrupt(recorder); // kymo passes the signal on
    assertThat(recorder.waitFor()).isEqualTo(130);
    assertStuck();
  }

  /** They waited before the recording began. */
  @ParameterizedTest
  @MethodSource("jdks")
  void whatThreadsWaitForWhenTheRecordingStops(Jdk jdk) throws Exception {
    Process program =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Programs.CLASSES.toString(),
                "Stuck",
                "wait")
            .start();
    started.add(program);
    List<String> attach = command();
    attach.addAll(List.of("--pid", Long.toString(program.pid())));
    Process recorder = Kymo.start(folder, Map.of(), attach.toArray(String[]::new));
    started.add(recorder);
    assertThat(program.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("stuck");
    interrupt(recorder);
    assertThat(recorder.waitFor()).isZero();
    program.outputWriter(StandardCharsets.UTF_8).close();
    assertThat(program.waitFor()).isZero();
    try (Recorded recorded = new Recorded(folder.resolve("stuck.kymo"))) {
      assertOpen(open(recorded));
      assertLate(recorded);
    }
    assertDeadlock();
  }

  /** Then only the recorder's own looks report waits that are over. */
  @ParameterizedTest
  @MethodSource("jdks")
  void whatIsOverWithoutTheFlightRecorder(Jdk jdk) throws Exception {
    List<String> all = new ArrayList<>(List.of("record", "-q", "--waits", "on"));
    all.addAll(List.of("-o", folder.resolve("stuck.kymo").toString(), "--", jdk.java().toString()));
    all.addAll(List.of("--limit-modules", "java.base,java.instrument,java.management"));
    all.addAll(List.of("-cp", Programs.CLASSES.toString(), "Stuck"));
    assertThat(Kymo.run(all.toArray(String[]::new)).exit()).isZero();
    try (Recorded recorded = new Recorded(folder.resolve("stuck.kymo"))) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertOpen(open(recorded));
      assertLate(recorded);
      Recorded.State late = late(recorded).getFirst();
      Recorded.State stays = call(recorded, "late", "Stuck.stay");
      Recorded.State looks = call(recorded, "main", "Stuck.awaitLooks");
      assertThat(late.begin()).isBetween(stays.begin(), looks.end());
      assertThat(late.end()).isGreaterThan(late.begin());
    }
  }

  /** It waited for longer than the time between two looks, and then no longer. */
  private static void assertLate(Recorded recorded) {
    assertThat(late(recorded)).hasSize(1).allMatch(state -> !state.open());
  }

  private static List<Recorded.State> late(Recorded recorded) {
    return recorded.tracks().stream()
        .filter(track -> track.kind() == TrackKind.STATES && track.name().equals("late"))
        .flatMap(track -> recorded.states(track).stream())
        .filter(state -> state.what().equals("wait.java.lang.Object[]"))
        .toList();
  }

  private void interrupt(Process process) throws Exception {
    assertThat(Kymo.exec(folder, "kill", "-INT", Long.toString(process.pid())).exit()).isZero();
  }

  private List<String> command() {
    String recording = folder.resolve("stuck.kymo").toString();
    return new ArrayList<>(List.of("record", "-q", "--strict", "--waits", "on", "-o", recording));
  }

  private Process record(Jdk jdk, String... arguments) throws IOException {
    List<String> all = command();
    all.addAll(List.of("--", jdk.java().toString()));
    all.addAll(List.of("-cp", Programs.CLASSES.toString(), "Stuck"));
    all.addAll(List.of(arguments));
    Process process = Kymo.start(folder, Map.of(), all.toArray(String[]::new));
    started.add(process);
    return process;
  }

  private void assertStuck() throws Exception {
    try (Recorded recorded = new Recorded(folder.resolve("stuck.kymo"))) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      Map<String, Recorded.State> open = open(recorded);
      assertOpen(open);
      open.forEach((thread, span) -> assertTimes(recorded, thread, span));
    }
  }

  private static Map<String, Recorded.State> open(Recorded recorded) {
    Map<String, Recorded.State> open = new TreeMap<>();
    for (Track track : recorded.tracks()) {
      if (track.kind() == TrackKind.STATES) {
        recorded.states(track).stream()
            .filter(Recorded.State::open)
            .forEach(span -> assertThat(open.put(track.name(), span)).isNull());
      }
    }
    return open;
  }

  private static void assertOpen(Map<String, Recorded.State> open) {
    Map<String, String> what = new TreeMap<>();
    open.forEach((thread, span) -> what.put(thread, span.what() + " " + span.other()));
    assertThat(what).isEqualTo(new TreeMap<>(STUCK));
    open.forEach((thread, span) ->
        assertThat(span.object() != 0).as(thread).isEqualTo(!thread.equals("sleeper")));
    assertThat(object(open, "waiter")).isEqualTo(object(open, "holder"));
    assertThat(object(open, "left-right")).isNotEqualTo(object(open, "right-left"));
  }

  private static int object(Map<String, Recorded.State> open, String thread) {
    return open.getOrDefault(thread, new Recorded.State("", 0, 0, true, 0, "")).object();
  }

  /** Seen when it was already waiting, and no later than the recorder must have looked. */
  private static void assertTimes(Recorded recorded, String thread, Recorded.State open) {
    Recorded.State stays = call(recorded, thread, "Stuck.stay");
    Recorded.State looks = call(recorded, "main", "Stuck.awaitLooks");
    assertThat(open.begin()).as(thread).isBetween(stays.begin(), looks.end());
    assertThat(open.end()).as(thread).isEqualTo(recorded.timeline.duration());
  }

  private static Recorded.State call(Recorded recorded, String thread, String call) {
    for (Track track : recorded.tracks()) {
      if (track.kind() == TrackKind.CALLS && track.name().equals(thread)) {
        return recorded.states(track).stream()
            .filter(span -> span.what().equals(call))
            .findFirst()
            .orElseThrow();
      }
    }
    throw new AssertionError(thread);
  }

  /** Two of them wait for each other, and the lock's holder for nobody. */
  private void assertDeadlock() throws Exception {
    String recording = folder.resolve("stuck.kymo").toString();
    String report = Kymo.run("report", "--locks", recording).out();
    assertThat(report)
        .containsPattern("locker/\\d+ waited for lock \\S+, has not ended, held by holder/\\d+\n")
        .containsPattern("left-right/\\d+ waited for monitor Stuck.Right@\\w+, has not")
        .containsPattern("(?m)^deadlock of 2 threads$")
        .containsPattern(
            "left-right/\\d+ had monitor Stuck.Left@\\w+ and waits for monitor Stuck.R")
        .containsPattern(
            "right-left/\\d+ had monitor Stuck.Right@\\w+ and waits for monitor Stuck");
    assertThat(Kymo.run("replay", recording).out())
        .containsPattern("waits for monitor Stuck.Right@\\w+, held by right-left \\[open-end\\]")
        .containsPattern("waits for join java.lang.Thread@\\w+, sleeper \\[open-end\\]");
  }
}
