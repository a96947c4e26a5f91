package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.reader.Recording;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events that a program records by itself: all of them, with their data. */
class UserEventsTest {
  private static final int COUNT = 2000;

  @TempDir Path folder;

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  private static List<String> program(Jdk jdk, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                jdk.java().toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                Programs.CLASSES + ":" + Programs.API,
                "Own"));
    command.addAll(List.of(arguments));
    return command;
  }

  private Kymo.Result record(Path recording, List<String> options, List<String> command)
      throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("record", "-q", "--strict", "--waits", "off", "--jvm-events", "off"));
    all.addAll(List.of("-o", recording.toString()));
    if (!options.contains("--when-full")) {
      all.addAll(List.of("--when-full", "block"));
    }
    all.addAll(options);
    all.add("--");
    all.addAll(command);
    return Kymo.run(all.toArray(String[]::new));
  }

  private static List<String> of(Map<String, List<String>> events, String name) {
    return events.getOrDefault(name, List.of());
  }

  private static List<String> each(String format) {
    return IntStream.range(0, COUNT).mapToObj(i -> format.replace("N", "" + i)).toList();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void allOfThemWithWhatTheyCarry(Jdk jdk) throws Exception {
    Path recording = folder.resolve("own.kymo");
    Kymo.Result result = record(recording, List.of(), program(jdk, "each", "" + COUNT));
    assertThat(result.out()).isEqualTo("fine\n");
    assertThat(result.err())
        .isEqualTo(
            "kymo: an event is too large and is lost: event=disk.ALLOC bytes=70004 most=65536;"
                + " record less of it\n");
    try (Recorded recorded = new Recorded(recording)) {
      Map<String, List<String>> events = recorded.ownEvents();
      assertThat(of(events, "disk.ALLOC")).isEqualTo(each("size=N owner=öwner\uD83D\uDE00N"));
      assertThat(of(events, "disk.READ")).isEqualTo(each("block=N"));
      assertThat(of(events, "cache.hit")).isEqualTo(each(""));
      assertThat(of(events, "cache.size").get(7)).isEqualTo("value=-7");
      assertThat(of(events, "app.said")).isEqualTo(each("text=text N"));
      assertThat(of(events, "app.queue")).isEqualTo(each("value=N"));
      assertThat(of(events, "app.load").get(3)).isEqualTo("value=0.75");
      assertThat(of(events, "app.large")).hasSize(1);
      assertThat(of(events, "app.large").getFirst()).hasSize("text=".length() + 65_534);
      assertThat(recorded.calls("disk.READ")).isEqualTo(COUNT);
      assertThat(recorded.calls("app.work")).isEqualTo(COUNT);
      assertThat(recorded.calls).containsOnlyKeys("disk.READ", "app.work"); // nor of Own itself
      assertThat(recorded.unbalanced).isEmpty();
      Arrows messages = recorded.timeline.arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE, COUNT + 1);
      assertThat(messages.arrows()).hasSize(COUNT);
      assertThat(messages.arrows())
          .allSatisfy(message -> assertThat(message.waited()).isPositive());
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void noneIsTornOrLostWhileTheyAreSwitched(Jdk jdk) throws Exception {
    Path recording = folder.resolve("storm.kymo");
    Kymo.Result result =
        record(recording, List.of("--buffer", "256K"), program(jdk, "storm", "9000"));
    assertThat(result.err()).isEmpty();
    try (Recorded recorded = new Recorded(recording)) {
      Map<String, List<String>> events = recorded.ownEvents();
      assertThat(recorded.timeline.oddities()).isEmpty();
      List<String> allocs = of(events, "disk.ALLOC");
      assertThat(result.out())
          .isEqualTo(
              "ticks=%d allocs=%d\nfine\n"
                  .formatted(of(events, "disk.TICK").size(), allocs.size()));
      assertThat(allocs).isNotEmpty().allMatch(alloc -> alloc.matches("size=\\d+ owner=x+"));
    }
  }

  @Test
  void withoutARecorderNothingHappens() throws Exception {
    Kymo.Result result =
        Kymo.exec(folder, program(Jdk.running(), "each", "10").toArray(String[]::new));
    assertThat(result).isEqualTo(new Kymo.Result(0, "fine\n", ""));
  }

  @Test
  void othersReadThemAsWell() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/babeltrace2")),
        "skipped: babeltrace2 is not installed, it was not asked");
    Path recording = folder.resolve("judged.kymo");
    record(recording, List.of(), program(Jdk.running(), "ticks", "500"));
    Kymo.Result read = Kymo.exec(folder, "babeltrace2", recording.toString());
    assertThat(read.out().lines().filter(line -> line.contains(" event: { process = 1, thread")))
        .hasSizeGreaterThanOrEqualTo(1000);
    assertThat(read.out()).contains("argument = 500 }");
  }

  @Test
  void triggersBeginAndEndTheRecording() throws Exception {
    Path recording = folder.resolve("part.kymo");
    List<String> options = List.of("--start-on", "disk.TICK=100", "--stop-on", "app.tock#50");
    record(recording, options, program(Jdk.running(), "ticks", "1000"));
    try (Recorded recorded = new Recorded(recording)) {
      Map<String, List<String>> events = recorded.ownEvents();
      assertThat(of(events, "disk.TICK")).hasSize(50).startsWith("n=100").endsWith("n=149");
      assertThat(of(events, "app.tock")).hasSize(50).startsWith("value=100").endsWith("value=149");
    }
  }

  @Test
  void snapshotsAreRecordingsOfTheirOwn() throws Exception {
    Path recording = folder.resolve("flight.kymo");
    List<String> options =
        List.of("--when-full", "overwrite", "--buffer", "128K", "--snapshot-on", "disk.TICK=20000");
    options = new ArrayList<>(options);
    options.addAll(List.of("--snapshot-on", "disk.TICK=60000"));
    Kymo.Result result = record(recording, options, program(Jdk.running(), "slow", "100000"));
    assertThat(result.out()).isEqualTo("fine\n");
    assertThat(result.err())
        .isEqualTo(
            "kymo: snapshot written: flight-1.kymo\nkymo: snapshot written: flight-2.kymo\n");
    for (int number = 1; number <= 2; number++) {
      try (Recorded recorded = new Recorded(folder.resolve("flight-" + number + ".kymo"))) {
        List<String> ticks = of(recorded.ownEvents(), "disk.TICK");
        assertThat(recorded.timeline.oddities()).isEmpty();
        assertThat(recorded.timeline.processes()).extracting("end").containsExactly("stopped");
        long trigger = number == 1 ? 20_000 : 60_000;
        long last = last(ticks);
        // It goes on while the snapshot is taken, and overwrites the oldest.
        assertThat(last).isGreaterThanOrEqualTo(trigger);
        assertThat(ticks).hasSizeGreaterThan(1000).startsWith("n=" + (last - ticks.size() + 1));
      }
    }
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(last(of(recorded.ownEvents(), "disk.TICK"))).isEqualTo(100_000);
    }
  }

  @Test
  void theRecordingStopsAtItsFullSize() throws Exception {
    Path recording = folder.resolve("full.kymo");
    List<String> options = List.of("--max-size", "1M");
    Kymo.Result result = record(recording, options, program(Jdk.running(), "ticks", "200000000"));
    assertThat(result)
        .isEqualTo(
            new Kymo.Result(
                0,
                "fine\n",
                "kymo: recording has reached its maximum size and stops, the program runs on: max_size=1.0"
                    + " MB\n"));
    try (Recorded recorded = new Recorded(recording)) {
      List<String> ticks = of(recorded.ownEvents(), "disk.TICK");
      assertThat(ticks).startsWith("n=1");
      assertThat(last(ticks)).isLessThan(200_000_000);
      assertThat(recorded.timeline.oddities()).isEmpty();
    }
  }

  @Test
  void theOldestEventsAreDropped() throws Exception {
    Path recording = folder.resolve("newest.kymo");
    List<String> options =
        List.of("--max-size", "2M", "--at-full", "overwrite", "--files", "3", "--buffer", "256K");
    Kymo.Result result = record(recording, options, program(Jdk.running(), "ticks", "1000000"));
    assertThat(result).isEqualTo(new Kymo.Result(0, "fine\n", ""));
    try (var files = Files.walk(recording)) {
      assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(4 << 20);
    }
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.timeline.oddities()).isEmpty();
      for (String name : List.of("disk.TICK", "app.tock")) {
        List<String> newest = of(recorded.ownEvents(), name);
        assertThat(last(newest)).isEqualTo(1_000_000);
        assertThat(newest).hasSizeGreaterThan(20_000);
        String first = newest.getFirst();
        assertThat(first).endsWith("=" + (1_000_000 - newest.size() + 1));
      }
    }
    assertThat(Kymo.run("info", recording.toString()).out())
        .contains("the oldest events were dropped, because the recording had its full size");
  }

  @Test
  void theTimeIsLimitedFromTheBeginOrFromATrigger() throws Exception {
    for (String start : List.of("", "disk.TICK=2000")) {
      Path recording = folder.resolve("time" + start.length() + ".kymo");
      List<String> options = new ArrayList<>(List.of("--duration", "1s"));
      if (!start.isEmpty()) {
        options.addAll(List.of("--start-on", start));
      }
      Kymo.Result result = record(recording, options, program(Jdk.running(), "slow", "40000"));
      assertThat(result).isEqualTo(new Kymo.Result(0, "fine\n", ""));
      try (Recorded recorded = new Recorded(recording)) {
        List<String> ticks = of(recorded.ownEvents(), "disk.TICK");
        assertThat(ticks).isNotEmpty();
        assertThat(ticks.getFirst()).isEqualTo(start.isEmpty() ? "n=1" : "n=2000");
        assertThat(last(ticks)).isLessThan(40_000);
      }
    }
  }

  /** What a killed recorder left goes where the recorder would have written it. */
  @Tag("survival")
  @Test
  void theNewestEventsSurviveTheRecorder() throws Exception {
    Path recording = folder.resolve("survived.kymo");
    List<String> command =
        new ArrayList<>(
            List.of(
                "record", "-q", "--max-size", "2M", "--at-full", "overwrite", "--waits", "off"));
    command.addAll(List.of("--when-full", "block", "-o", recording.toString(), "--"));
    command.addAll(program(Jdk.running(), "ticks", "1000000000"));
    Process recorder = Kymo.start(Path.of("."), Map.of(), command.toArray(String[]::new));
    try {
      while (!Files.isDirectory(recording) || generations(recording) < 3) {
        Thread.sleep(5);
      }
      List<ProcessHandle> programs = recorder.toHandle().descendants().toList();
      recorder.destroyForcibly().waitFor();
      programs.forEach(ProcessHandle::destroyForcibly);
      programs.forEach(program -> program.onExit().join());
    } finally {
      recorder.destroyForcibly();
    }
    assertThat(Kymo.run("info", recording.toString()).out()).contains("oddities     0\n");
    try (Recorded recorded = new Recorded(recording)) {
      List<String> ticks = of(recorded.ownEvents(), "disk.TICK");
      assertThat(ticks.getFirst()).isEqualTo("n=" + (last(ticks) - ticks.size() + 1));
    }
  }

  private static long generations(Path recording) throws Exception {
    try (var files = Files.list(recording)) {
      return files.filter(file -> file.getFileName().toString().matches("p1-ring-1-g\\d+")).count();
    }
  }

  @Test
  void whatIsOffIsNotThere() throws Exception {
    Path recording = folder.resolve("off.kymo");
    List<String> options = List.of("--disable-events", "disk.T*");
    record(recording, options, program(Jdk.running(), "ticks", "100"));
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.ownEvents()).containsOnlyKeys("app.tock");
    }
  }

  @Test
  void switchedWhileItRunsAndRecordedLater() throws Exception {
    Path end = folder.resolve("end");
    Process program =
        new ProcessBuilder(program(Jdk.running(), "until", end.toString()))
            .redirectErrorStream(true)
            .start();
    String pid = Long.toString(program.pid());
    Path recording = folder.resolve("attached.kymo");
    List<String> options = List.of("-q", "--pid", pid, "-o");
    List<String> command = new ArrayList<>(options);
    command.addFirst("record");
    command.add(recording.toString());
    Process recorder = null;
    try {
      BufferedReader out = program.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      assertThat(ctl(pid, "status").err())
          .startsWith("kymo: this process is not recorded, or not by this user: pid=" + pid);
      recorder = Kymo.start(Path.of("."), Map.of(), command.toArray(String[]::new));
      while (!Recording.isRecording(recording)) {
        assertThat(recorder.isAlive()).isTrue();
        Thread.sleep(10);
      }
      switchEvents(pid);
      Files.createFile(end);
      assertThat(out.readLine()).isEqualTo("fine");
      assertThat(Kymo.finish(recorder, "").exit()).isZero();
    } finally {
      program.destroyForcibly();
      if (recorder != null) {
        recorder.destroy();
      }
    }
    try (Recorded recorded = new Recorded(recording)) {
      List<String> tocks = of(recorded.ownEvents(), "app.tock");
      assertThat(last(tocks)).isGreaterThan(last(of(recorded.ownEvents(), "disk.TICK")));
      assertThat((long) tocks.size()).isLessThan(last(tocks)); // some in the middle are missing
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void recordersComeAndGo(Jdk jdk) throws Exception {
    Path end = folder.resolve("end");
    Process program =
        new ProcessBuilder(program(jdk, "until", end.toString())).redirectErrorStream(true).start();
    try {
      BufferedReader out = program.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      long before = 0;
      for (int time = 1; time <= 3; time++) {
        Path recording = folder.resolve("time-" + time + ".kymo");
        Kymo.Result result =
            Kymo.run(
                "record",
                "-q",
                "--strict",
                "-o",
                recording.toString(),
                "--pid",
                Long.toString(program.pid()),
                "--duration",
                "300ms");
        assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
        try (Recorded recorded = new Recorded(recording)) {
          List<String> tocks = of(recorded.ownEvents(), "app.tock");
          assertThat(recorded.timeline.oddities()).isEmpty();
          assertThat(last(tocks)).isGreaterThan(before + tocks.size() - 1);
          assertThat(of(recorded.ownEvents(), "disk.TICK")).isNotEmpty();
          before = last(tocks);
        }
      }
      Files.createFile(end);
      assertThat(out.readLine()).isEqualTo("fine");
      assertThat(out.readLine()).isNull();
    } finally {
      program.destroyForcibly();
    }
  }

  private static Kymo.Result ctl(String pid, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("ctl", pid));
    all.addAll(List.of(command));
    return Kymo.run(all.toArray(String[]::new));
  }

  private static void switchEvents(String pid) throws Exception {
    assertThat(awaitStatus(pid))
        .startsWith("recording, level all\n")
        .contains("on disk.TICK\non app.tock");
    assertThat(ctl(pid, "disable", "kind:instant").out()).isEqualTo("off: 3 events\n");
    assertThat(ctl(pid, "flush").out()).isEqualTo("flushed\n");
    assertThat(ctl(pid, "enable", "app.tock").out()).isEqualTo("on: 1 event\n");
    assertThat(ctl(pid, "level", "most").err())
        .isEqualTo("kymo: no such level: level=most; use calls, events or all\n");
    assertThat(ctl(pid, "snapshot").err())
        .startsWith("kymo: there is no flight recorder to take a snapshot of; record with");
    assertThat(ctl(pid, "stop").out()).isEqualTo("stopped\n");
    assertThat(ctl(pid, "status").out()).startsWith("stopped, level all\n");
  }

  private static long last(List<String> events) {
    String text = events.getLast();
    return Long.parseLong(text.substring(text.indexOf('=') + 1));
  }

  private static String awaitStatus(String pid) throws Exception {
    while (true) {
      Kymo.Result status = ctl(pid, "status");
      if (status.exit() == 0 && status.out().contains("tock")) {
        return status.out();
      }
    }
  }
}
