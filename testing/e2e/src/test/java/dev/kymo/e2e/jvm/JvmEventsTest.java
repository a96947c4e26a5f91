package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.SmallDisk;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.timeline.Track;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flight recorder in the program, which {@code --jvm-events on} asks for. */
class JvmEventsTest {
  static final String LOCK = "java.util.concurrent.locks.ReentrantLock$NonfairSync";

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  /** The flight recorder ends the virtual machine when it cannot write there. */
  @ParameterizedTest
  @MethodSource("jdks")
  void theFolderForTemporaryFilesMayBeFull(Jdk jdk) throws Exception {
    Path recording = folder.resolve("full.kymo");
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("small"), "16k")) {
      Files.write(disk.path().resolve("filler"), new byte[12 << 10]);
      List<String> options = List.of("-Djava.io.tmpdir=" + disk.path());
      Kymo.Result result = record(recording, jdk, options, "Waiting");
      assertThat(result.exit()).as(result.out() + result.err()).isZero();
      assertThat(result.err()).isEmpty();
      try (Stream<Path> files = Files.list(disk.path())) {
        assertThat(files).hasSize(1);
      }
    }
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.calls("sleep.")).isPositive();
    }
  }

  /** The area under the curve of a thread's load is the processor time that it took. */
  @ParameterizedTest
  @MethodSource("jdks")
  void whatThreadsTakeOfAProcessor(Jdk jdk) throws Exception {
    Path recording = folder.resolve("loading.kymo");
    Kymo.Result result = record(recording, jdk, List.of(), "Loading");
    assertThat(result).isEqualTo(new Kymo.Result(0, "done\n", ""));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      assertThat(recorded.tracks().stream().map(Track::name))
          .noneMatch(name -> name.startsWith("Load of kymo") || name.startsWith("Load of JFR"));
      // What the thread took before the flight recorder's first look is not included, and on a busy
      // machine its looks are not regular.
      assertThat(processorTime(recorded, "busy")).isBetween(2.5e9, 5.0e9);
      assertThat(processorTime(recorded, "changing")).isBetween(0.5e9, 3.0e9);
    }
  }

  private static double processorTime(Recorded recorded, String thread) {
    Track load = recorded.track(TrackKind.JVM, "Load of " + thread);
    assertThat(recorded.tracks().get(load.of()).name()).isEqualTo(thread);
    List<Long> times = new ArrayList<>();
    List<Double> percents = new ArrayList<>();
    recorded.timeline.events(
        load.id(),
        0,
        Long.MAX_VALUE,
        (time, event, batch, word) -> {
          assertThat(event.qualifiedName()).isEqualTo("jvm.load");
          times.add(time);
          percents.add(event.value(batch, word));
        });
    assertThat(percents).last().isEqualTo(0.0);
    double sum = 0;
    for (int i = 0; i + 1 < times.size(); i++) {
      assertThat(percents.get(i)).isBetween(0.0, 110.0);
      sum += percents.get(i) / 100 * (times.get(i + 1) - times.get(i));
    }
    return sum;
  }

  @Test
  void withoutTheFlightRecorderMostIsLeft() throws Exception {
    Path recording = folder.resolve("limited.kymo");
    List<String> limited = List.of("--limit-modules", "java.base,java.instrument");
    Kymo.Result result = record(recording, Jdk.running(), limited, "Waiting");
    assertThat(result.exit()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("not recorded: the program has no module jdk.jfr")
        .contains("not recorded: the program has no module java.management");
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("lock." + LOCK)).isPositive();
      assertThat(recorded.calls("sleep.")).isPositive();
      assertThat(recorded.calls("start.")).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void theProgramsOwnFlightRecordingStays(Jdk jdk) throws Exception {
    Path recording = folder.resolve("both.kymo");
    Path own = folder.resolve("own.jfr");
    List<String> options =
        List.of("-Xlog:jfr*=off", "-XX:StartFlightRecording=filename=" + own + ",dumponexit=true");
    Kymo.Result result = record(recording, jdk, options, "Waiting");
    assertThat(result.exit()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.calls("monitor.Waiting$Monitor")).isEqualTo(1);
    }
    assertThat(
            RecordingFile.readAllEvents(own).stream()
                .map(event -> event.getEventType().getName())
                .collect(Collectors.toSet()))
        .contains("jdk.JavaMonitorEnter", "jdk.ThreadSleep", "jdk.JVMInformation");
  }

  @Tag("peers")
  @ParameterizedTest
  @MethodSource("jdks")
  void comesAndGoesTwiceWithARunningProgram(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process server =
        new ProcessBuilder(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Programs.CLASSES.toString(),
                "Server",
                end.toString())
            .redirectError(ProcessBuilder.Redirect.to(folder.resolve("err").toFile()))
            .start();
    try {
      BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      for (int time = 0; time < 2; time++) {
        Path recording = folder.resolve(time + ".kymo");
        List<String> arguments = arguments(recording);
        arguments.addAll(List.of("--pid", Long.toString(server.pid()), "--duration", "3s"));
        Kymo.Result result = Kymo.run(arguments.toArray(String[]::new));
        assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
        try (Recorded recorded = new Recorded(recording)) {
          Track states = recorded.track(TrackKind.STATES, "main");
          assertThat(recorded.states(states)).extracting(Recorded.State::what).contains("sleep.");
          assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
        }
      }
      Files.createFile(end);
      assertThat(out.readLine()).isEqualTo("fine");
      assertThat(out.readLine()).as("threads left behind").isNull();
      assertThat(server.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(folder.resolve("err")).isEmptyFile();
    } finally {
      server.destroyForcibly();
    }
  }

  static List<String> arguments(Path recording) {
    return new ArrayList<>(
        List.of(
            "record",
            "-q",
            "--strict",
            "--no-index",
            "--waits",
            "on",
            "--jvm-events",
            "on",
            "-o",
            recording.toString()));
  }

  static Kymo.Result record(Path recording, Jdk jdk, List<String> options, String program)
      throws Exception {
    List<String> arguments = arguments(recording);
    arguments.addAll(List.of("--", jdk.java().toString()));
    arguments.addAll(options);
    arguments.addAll(List.of("-cp", Programs.CLASSES.toString(), program));
    return Kymo.run(arguments.toArray(String[]::new));
  }
}
