package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Both;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows.Arrow;
import dev.kymo.model.timeline.Track;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes through sockets becomes arrows from who wrote it to who read it. */
@Tag("messages")
public class MessagesTest {
  private static final int REQUESTS = 30;

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  private static List<String> talking(Jdk jdk, String what, Path file, int count) {
    String java = jdk.java().toString();
    String classes = Programs.CLASSES.toString();
    return List.of(java, "-cp", classes, "Talking", what, file.toString(), "" + count);
  }

  private Path record(String... command) throws Exception {
    return recordPrinting("", command);
  }

  private Path recordPrinting(String output, String... command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "--messages", "-o"));
    words.add(recording.toString());
    words.add("--");
    words.addAll(List.of(command));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).matches(output);
    return recording;
  }

  private static List<Arrow> arrows(Recorded recorded) {
    return recorded
        .timeline
        .arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE / 2, Integer.MAX_VALUE - 1)
        .arrows();
  }

  /** How many messages went from which process to which. */
  public static Map<String, Integer> counts(Recorded recorded) {
    Map<String, Integer> counts = new HashMap<>();
    for (Arrow arrow : arrows(recorded)) {
      Track from = recorded.tracks().get(arrow.fromTrack());
      Track to = recorded.tracks().get(arrow.toTrack());
      counts.merge(from.process() + " to " + to.process(), 1, Integer::sum);
    }
    return counts;
  }

  private static List<String> events(Recorded recorded, String name) {
    return recorded.ownEvents().getOrDefault("socket." + name, List.of());
  }

  /** Whether a thread was in a method at a time. */
  private static boolean isIn(Recorded recorded, String method, int track, long time) {
    return recorded.states(recorded.tracks().get(track)).stream()
        .anyMatch(call -> call.what().equals(method) && call.begin() <= time && time <= call.end());
  }

  /** The server writes an answer at once, and in older versions of the JDK its head by itself. */
  @ParameterizedTest
  @MethodSource("jdks")
  void eachRequestIsOneMessageAndSoIsWhatTheServerWrites(Jdk jdk) throws Exception {
    Path port = folder.resolve("port");
    List<String> serve = talking(jdk, "serve", port, REQUESTS);
    List<String> ask = talking(jdk, "ask", port, REQUESTS);
    Path recording = record(Both.of(serve, ask));
    try (Recorded recorded = new Recorded(recording)) {
      int server =
          recorded.tracks().stream()
              .filter(track -> track.name().startsWith("HTTP-Dispatcher"))
              .findFirst()
              .orElseThrow()
              .process();
      int client = 3 - server;
      int writes = events(recorded, "write").size();
      assertThat(writes).isGreaterThanOrEqualTo(2 * REQUESTS);
      assertThat(counts(recorded))
          .isEqualTo(
              Map.of(
                  client + " to " + server, REQUESTS, server + " to " + client, writes - REQUESTS));
      for (Arrow arrow : arrows(recorded)) {
        long sent = arrow.time() - arrow.waited();
        assertThat(arrow.waited()).isPositive();
        if (recorded.tracks().get(arrow.fromTrack()).process() == server) {
          assertThat(isIn(recorded, "Talking.lambda$serve$0", arrow.fromTrack(), sent)).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void piecesOfAnySizeArriveWithTheirLastByte(Jdk jdk) throws Exception {
    Path port = folder.resolve("port");
    List<String> drain = talking(jdk, "drain", port, 17);
    List<String> fill = talking(jdk, "fill", port, 17);
    Path recording = recordPrinting("writes=\\d+\n", Both.of(drain, fill));
    try (Recorded recorded = new Recorded(recording)) {
      int writes = events(recorded, "write").size();
      int reads = events(recorded, "read").size();
      assertThat(recorded.calls("Talking.put")).isEqualTo(writes);
      assertThat(recorded.calls("Talking.get")).isEqualTo(reads);
      List<Arrow> arrows = arrows(recorded);
      assertThat(arrows).hasSize(writes);
      for (Arrow arrow : arrows) {
        long sent = arrow.time() - arrow.waited();
        assertThat(isIn(recorded, "Talking.put", arrow.fromTrack(), sent)).isTrue();
        assertThat(isIn(recorded, "Talking.get", arrow.toTrack(), arrow.time())).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void filesThatAreSentCount(Jdk jdk) throws Exception {
    List<String> program = talking(jdk, "file", folder.resolve("socket"), 5);
    Path recording = record(program.toArray(String[]::new));
    try (Recorded recorded = new Recorded(recording)) {
      List<String> written = events(recorded, "write");
      assertThat(written).hasSize(10);
      assertThat(written.getLast()).endsWith(" position=5040 bytes=10");
      assertThat(arrows(recorded)).hasSize(10);
      assertThat(events(recorded, "connection").toString())
          .contains("local=" + folder.resolve("socket"));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void connectionsThatWereThereBeforeAreLeftOut(Jdk jdk) throws Exception {
    Path told = folder.resolve("told");
    Process program =
        new ProcessBuilder(talking(jdk, "again", told, 7)).redirectErrorStream(true).start();
    try {
      BufferedReader out = program.inputReader(StandardCharsets.UTF_8);
      assertThat(out.readLine()).isEqualTo("ready");
      Path recording = folder.resolve("attached.kymo");
      Process recorder =
          Kymo.start(
              Path.of("."),
              Map.of(),
              "record",
              "-q",
              "--messages",
              "-o",
              recording.toString(),
              "--pid",
              Long.toString(program.pid()));
      awaitRecording(recording, recorder);
      Files.createFile(told);
      Kymo.Result result = Kymo.finish(recorder, "");
      assertThat(result.exit()).as(result.err()).isZero();
      try (Recorded recorded = new Recorded(recording)) {
        assertThat(events(recorded, "connection")).hasSize(2);
        assertThat(arrows(recorded)).hasSize(7);
        assertThat(recorded.calls("Talking.put")).isGreaterThan(14);
      }
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  /** Waits until calls are recorded: then messages are, too. */
  private static void awaitRecording(Path recording, Process recorder) throws Exception {
    while (recorder.isAlive() && !hasCalls(recording)) {
      assertThat(recorder.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  private static boolean hasCalls(Path recording) throws IOException {
    if (!Files.isDirectory(recording)) {
      return false;
    }
    try (var files = Files.newDirectoryStream(recording, "p1-ring-*")) {
      for (Path file : files) {
        if (Files.size(file) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void twoRecordingsAreJoinedByWhatTheyHaveSentEachOther() throws Exception {
    Path port = folder.resolve("port");
    Path served = folder.resolve("served.kymo");
    Process server = recordApart(served, talking(Jdk.running(), "serve", port, REQUESTS));
    Path asked = folder.resolve("asked.kymo");
    Kymo.Result client =
        Kymo.finish(recordApart(asked, talking(Jdk.running(), "ask", port, REQUESTS)), "");
    assertThat(client.exit()).as(client.err()).isZero();
    assertThat(Kymo.finish(server, "").exit()).isZero();
    Path all = folder.resolve("all.kymo");
    Kymo.Result merged =
        Kymo.run(
            "merge",
            "--offset",
            "asked.kymo=messages",
            "-o",
            all.toString(),
            served.toString(),
            asked.toString());
    assertThat(merged.exit()).as(merged.err()).isZero();
    try (Recorded recorded = new Recorded(all)) {
      assertThat(counts(recorded).values()).containsExactly(REQUESTS, REQUESTS);
      assertThat(arrows(recorded)).allMatch(arrow -> arrow.waited() > 0);
    }
  }

  private static Process recordApart(Path recording, List<String> program) throws IOException {
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "--messages", "-o"));
    words.add(recording.toString());
    words.add("--");
    words.addAll(program);
    return Kymo.start(Path.of("."), Map.of(), words.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "unix", "pair"})
  void nativeProgramsTalkLikewise(String how) throws Exception {
    Path program =
        NativePrograms.compile(Path.of("src/native/talking.c"), folder.resolve("talking"));
    String socket = folder.resolve("socket").toString();
    Path recording = record(program.toString(), how, "500", socket);
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(events(recorded, "write")).hasSize(1000);
      assertThat(events(recorded, "read")).hasSize(2000);
      assertThat(counts(recorded)).isEqualTo(Map.of("1 to 2", 500, "2 to 1", 500));
      assertThat(arrows(recorded)).allMatch(arrow -> arrow.waited() > 0);
    }
  }

  @Test
  void withoutTheOptionNothingIsRecordedOfSockets() throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> program = talking(Jdk.running(), "file", folder.resolve("socket"), 5);
    List<String> words = new ArrayList<>(List.of("record", "-q", "-o", recording.toString(), "--"));
    words.addAll(program);
    assertThat(Kymo.run(words.toArray(String[]::new)).exit()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(recorded.ownEvents().keySet()).noneMatch(name -> name.startsWith("socket."));
    }
  }

  @Test
  void nativeProgramThatRunsIsRefused() throws Exception {
    Process sleeping = new ProcessBuilder("sleep", "100").start();
    try {
      Kymo.Result result = Kymo.run("record", "--messages", "--pid", Long.toString(sleeping.pid()));
      assertThat(result.exit()).isEqualTo(2);
      assertThat(result.err())
          .contains(
              "--messages of a native program goes with a command: nothing can be preloaded into a"
                  + " process that runs");
    } finally {
      sleeping.destroyForcibly().waitFor();
    }
  }
}
