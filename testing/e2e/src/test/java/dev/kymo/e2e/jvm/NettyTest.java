package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Both;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Keys;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.arrows.ArrowKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Netty's requests are messages and have names, also under TLS. */
@Tag("peers")
class NettyTest {
  private static final Path PEERS = Path.of("target/peers").toAbsolutePath();
  private static final int REQUESTS = 20;

  @TempDir Path folder;

  static Stream<Arguments> jdks() {
    return Jdk.all().stream()
        .flatMap(jdk -> Stream.of("socket", "tls").map(layer -> Arguments.of(jdk, layer)));
  }

  private static String libraries() throws Exception {
    try (Stream<Path> jars = Files.list(PEERS)) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith("netty-"))
          .map(Path::toString)
          .collect(Collectors.joining(":"));
    }
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void eachRequestAndEachAnswerIsAMessageWithAName(Jdk jdk, String layer) throws Exception {
    try (Recorded recorded = record("Netted", jdk, layer)) {
      Map<String, Integer> counts = new HashMap<>();
      recorded
          .timeline
          .arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE / 2, Integer.MAX_VALUE - 1)
          .arrows()
          .stream()
          .filter(a -> recorded.timeline.method(a.method()).type().equals(layer))
          .peek(arrow -> assertThat(arrow.waited()).isPositive())
          .map(arrow -> recorded.tracks().get(arrow.fromTrack()).process())
          .forEach(process -> counts.merge("from " + process, 1, Integer::sum));
      assertThat(counts).isEqualTo(Map.of("from 1", REQUESTS, "from 2", REQUESTS));
      assertNames(recorded);
    }
  }

  /** Many requests go through one connection at the same time. */
  @ParameterizedTest
  @MethodSource("jdks")
  void requestsOfHttp2HaveNames(Jdk jdk, String layer) throws Exception {
    try (Recorded recorded = record("Multiplexed", jdk, layer)) {
      List<String> requests = recorded.ownEvents().getOrDefault("http.request", List.of());
      assertThat(requests.stream().map(event -> event.replaceFirst(".*(?=method=)", "")).sorted())
          .isEqualTo(
              IntStream.range(0, 2 * REQUESTS)
                  .mapToObj(i -> "method=POST path=/item/" + i / 2)
                  .sorted()
                  .toList());
      List<String> numbers = requests.stream().map(NettyTest::number).sorted().toList();
      assertThat(numbers.stream().distinct()).hasSize(REQUESTS);
      assertThat(
              recorded.ownEvents().getOrDefault("http.answer", List.of()).stream()
                  .filter(event -> event.endsWith(" status=202"))
                  .map(NettyTest::number)
                  .sorted())
          .isEqualTo(numbers);
    }
  }

  private static String number(String event) {
    return event.replaceFirst(" .*", "");
  }

  /** Records a server and a client of it, which are compiled first. */
  private Recorded record(String name, Jdk jdk, String layer) throws Exception {
    String libraries = libraries();
    Programs.compile(Path.of("src/netty", name + ".java"), 17, folder, libraries);
    String keys = layer.equals("tls") ? Keys.make(folder).toString() : "";
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "--messages"));
    words.addAll(List.of("--include", name, "-o", recording.toString(), "--"));
    words.addAll(
        List.of(
            Both.of(
                netted(jdk, name, "serve", keys, libraries),
                netted(jdk, name, "ask", keys, libraries))));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return new Recorded(recording);
  }

  private List<String> netted(Jdk jdk, String name, String what, String keys, String libraries) {
    String port = folder.resolve("port").toString();
    List<String> words = new ArrayList<>(List.of(jdk.java().toString(), "-cp"));
    words.addAll(List.of(folder + ":" + libraries, name, what, port, "" + REQUESTS));
    if (!keys.isEmpty()) {
      words.add(keys);
    }
    return words;
  }

  private static void assertNames(Recorded recorded) {
    assertThat(
            recorded.ownEvents().getOrDefault("http.request", List.of()).stream()
                .map(event -> event.replaceFirst(".*(?=method=)", ""))
                .sorted())
        .isEqualTo(
            IntStream.range(0, 2 * REQUESTS)
                .mapToObj(i -> "method=GET path=/item/" + i / 2)
                .sorted()
                .toList());
    assertThat(recorded.ownEvents().getOrDefault("http.answer", List.of()))
        .hasSize(2 * REQUESTS)
        .noneMatch(event -> event.startsWith("request=0 "))
        .allMatch(event -> event.endsWith(" status=200"));
  }
}
