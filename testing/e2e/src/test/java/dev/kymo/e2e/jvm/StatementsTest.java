package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Both;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.timeline.Track;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a program executes through JDBC is a span with the text. */
@Tag("messages")
class StatementsTest {
  private static final Path H2 = Path.of("target/peers/h2.jar").toAbsolutePath();
  private static final String PRINTED = "state=42S02\ncount=4\ndeleted=8\n";
  private static final List<String> TEXTS =
      List.of(
          "create table t(id int primary key, v varchar)",
          "select * from nowhere",
          "insert into t values(1, 'one'); insert into t values(2, 'two')",
          "insert into t values(8, 'eight')",
          "insert into t values(?, ?)",
          "insert into t values(?, ?)",
          "insert into t values(?, ?)",
          "insert into t values(?, ?)",
          "select count(*) from t where id > ?",
          "delete from t");

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  private static List<String> stating(Jdk jdk, String what, Object where) {
    String classes = H2 + ":" + Programs.CLASSES;
    return List.of(jdk.java().toString(), "-cp", classes, "Stating", what, where.toString());
  }

  private Path record(String... command) throws Exception {
    return recordWaits("off", command);
  }

  private Path recordWaits(String waits, String... command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "--messages"));
    words.addAll(List.of("--waits", waits));
    words.addAll(List.of("--include", "Stating", "-o", recording.toString(), "--"));
    words.addAll(List.of(command));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).isEqualTo(PRINTED);
    return recording;
  }

  private static List<String> texts(Recorded recorded) {
    return recorded.ownEvents().getOrDefault("jdbc.statement", List.of());
  }

  private static List<Recorded.State> spans(Recorded recorded) {
    return recorded.tracks().stream()
        .flatMap(track -> recorded.states(track).stream())
        .filter(call -> call.what().equals("jdbc.statement"))
        .toList();
  }

  private static void assertWhole(Recorded recorded) {
    assertThat(texts(recorded)).isEqualTo(TEXTS.stream().map(text -> "text=" + text).toList());
    assertThat(spans(recorded)).hasSize(TEXTS.size());
    assertThat(recorded.unbalanced).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void eachStatementIsASpanAlsoIfItFails(Jdk jdk) throws Exception {
    Path recording = record(stating(jdk, "plain", "jdbc:h2:mem:").toArray(String[]::new));
    try (Recorded recorded = new Recorded(recording)) {
      assertWhole(recorded);
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void wrappersAddNone(Jdk jdk) throws Exception {
    Path recording = record(stating(jdk, "wrapped", "jdbc:h2:mem:").toArray(String[]::new));
    try (Recorded recorded = new Recorded(recording)) {
      assertWhole(recorded);
    }
  }

  /** A statement asks the server with a message at least, and all messages begin within one. */
  @ParameterizedTest
  @MethodSource("jdks")
  void messagesToTheServerLieInTheirStatements(Jdk jdk) throws Exception {
    Path port = folder.resolve("port");
    List<String> server = stating(jdk, "server", port);
    Path recording = record(Both.of(server, stating(jdk, "client", port)));
    try (Recorded recorded = new Recorded(recording)) {
      List<Track> tracks = recorded.tracks();
      int client =
          tracks.stream()
              .filter(track -> recorded.states(track).stream().anyMatch(StatementsTest::isClient))
              .findFirst()
              .orElseThrow()
              .id();
      List<Recorded.State> spans =
          recorded.states(tracks.get(client)).stream()
              .filter(call -> call.what().equals("jdbc.statement"))
              .toList();
      assertThat(spans).hasSize(TEXTS.size());
      var arrows =
          recorded
              .timeline
              .arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE / 2, Integer.MAX_VALUE - 1)
              .arrows();
      for (Recorded.State span : spans) {
        assertThat(arrows)
            .anyMatch(arrow ->
                arrow.fromTrack() == client
                    && span.begin() <= arrow.time() - arrow.waited()
                    && arrow.time() <= span.end());
      }
    }
  }

  static Stream<Arguments> jdksAndWaits() {
    return Jdk.all().stream()
        .flatMap(jdk -> Stream.of("off", "on").map(waits -> Arguments.of(jdk, waits)));
  }

  @ParameterizedTest
  @MethodSource("jdksAndWaits")
  void whyGoesToTheServerAndBack(Jdk jdk, String waits) throws Exception {
    Path port = folder.resolve("port");
    List<String> server = stating(jdk, "server", port);
    Path recording = recordWaits(waits, Both.of(server, stating(jdk, "client", port)));
    String call;
    try (Recorded recorded = new Recorded(recording)) {
      Track client =
          recorded.tracks().stream()
              .filter(track -> recorded.states(track).stream().anyMatch(StatementsTest::isClient))
              .findFirst()
              .orElseThrow();
      Recorded.State span =
          recorded.states(client).stream()
              .filter(state -> state.what().equals("jdbc.statement"))
              .reduce((first, second) -> second)
              .orElseThrow();
      call = "%d/%d:3@%d".formatted(client.process(), client.thread(), span.begin());
    }
    Kymo.Result why = Kymo.run("why", recording.toString(), call, "--path");
    assertThat(why.exit()).as(why.err()).isZero();
    assertThat(why.out())
        .containsPattern("main \\d+: message on its way: write\n")
        .containsPattern("H2 TCP Server .* message on its way: write\n.* main \\d+: in jdbc");
  }

  private static boolean isClient(Recorded.State call) {
    return call.what().equals("Stating.all");
  }
}
