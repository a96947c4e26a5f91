package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Both;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Keys;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows.Arrow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain bytes inside of TLS are messages of their own, with the same names as without TLS. */
@Tag("messages")
class EncryptedTest {
  private static final int REQUESTS = 20;

  @TempDir Path folder;
  private Path keys;

  static Stream<Arguments> jdks() {
    return Jdk.all().stream()
        .flatMap(jdk -> Stream.of("TLSv1.2", "TLSv1.3").map(tls -> Arguments.of(jdk, tls)));
  }

  @BeforeEach
  void makeKeys() throws Exception {
    keys = Keys.make(folder);
  }

  private List<String> encrypted(Jdk jdk, String tls, String what, int count) {
    String java = jdk.java().toString();
    String classes = Programs.CLASSES.toString();
    String port = folder.resolve("port").toString();
    return List.of(java, "-cp", classes, "Encrypted", what, port, keys.toString(), "" + count, tls);
  }

  private Recorded record(String... command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "--messages", "-o"));
    words.add(recording.toString());
    words.add("--");
    words.addAll(List.of(command));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return new Recorded(recording);
  }

  private static List<String> events(Recorded recorded, String name) {
    return recorded.ownEvents().getOrDefault(name, List.of());
  }

  /** The arrows from what was to be encrypted to where it was decrypted. */
  private static List<Arrow> plainArrows(Recorded recorded) {
    return recorded
        .timeline
        .arrows(ArrowKind.MESSAGE, 0, Long.MAX_VALUE / 2, Integer.MAX_VALUE - 1)
        .arrows()
        .stream()
        .filter(
            arrow -> recorded.timeline.method(arrow.method()).qualifiedName().equals("tls.write"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void eachRequestIsAMessageAndHasAName(Jdk jdk, String tls) throws Exception {
    List<String> serve = encrypted(jdk, tls, "serve", REQUESTS);
    List<String> ask = encrypted(jdk, tls, "ask", REQUESTS);
    try (Recorded recorded = record(Both.of(serve, ask))) {
      assertNamed(recorded);
      assertThat(events(recorded, "http.answer")).allMatch(event -> event.endsWith(" status=200"));
      List<Arrow> arrows = plainArrows(recorded);
      assertThat(arrows).hasSize(events(recorded, "tls.write").size());
      assertThat(arrows).allMatch(arrow -> arrow.waited() > 0);
      int server = process(recorded, "HTTP-Dispatcher");
      assertThat(
              arrows.stream().filter(a -> recorded.tracks().get(a.toTrack()).process() == server))
          .hasSize(REQUESTS);
    }
  }

  /** Both ends of each request have its name, and that of its answer. */
  private static void assertNamed(Recorded recorded) throws Exception {
    List<String> requests = events(recorded, "http.request");
    assertThat(requests.stream().map(event -> event.replaceFirst(".*path=", "")).sorted())
        .isEqualTo(
            IntStream.range(0, 2 * REQUESTS).mapToObj(i -> "/item/" + i / 2).sorted().toList());
    assertThat(requests.stream().map(event -> event.replaceFirst(" .*", "")).distinct())
        .hasSize(REQUESTS);
    assertThat(events(recorded, "http.answer")).hasSize(2 * REQUESTS);
  }

  /** OpenSSL, at both ends, in the hands of Python. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1_2", "TLSv1_3"})
  void nativeProgramsLikewise(String tls) throws Exception {
    try (Recorded recorded = record(python(tls).toArray(String[]::new))) {
      assertNamed(recorded);
      assertThat(plainArrows(recorded)).hasSize(events(recorded, "tls.write").size());
    }
  }

  /** Neither end knows what the other one is: a client of Python, a server of the JDK. */
  @ParameterizedTest
  @MethodSource("jdks")
  void aNativeClientOfAJavaServer(Jdk jdk, String tls) throws Exception {
    List<String> serve = encrypted(jdk, tls, "serve", REQUESTS);
    List<String> ask = python(tls.replace('.', '_'), folder.resolve("port").toString());
    try (Recorded recorded = record(Both.of(serve, ask))) {
      assertNamed(recorded);
      assertThat(events(recorded, "http.answer")).allMatch(event -> event.endsWith(" status=200"));
      List<Arrow> arrows = plainArrows(recorded);
      assertThat(arrows).hasSize(events(recorded, "tls.write").size());
      assertThat(arrows).allMatch(arrow -> arrow.waited() > 0);
    }
  }

  /** Objects of OpenSSL that are used again, and new ones where an old one was. */
  @Test
  void eachConnectionHasStreamsOfItsOwn() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/usr/include/openssl/ssl.h")),
        "skipped: openssl/ssl.h is not installed");
    Path source = Path.of("src/native/again.c");
    Path program = NativePrograms.compile(source, folder.resolve("again"), "-lssl", "-lcrypto");
    try (Recorded recorded = record(program.toString(), Keys.text(keys).toString())) {
      List<String> written = events(recorded, "tls.write");
      assertThat(written).hasSize(50);
      assertThat(written.stream().filter(event -> event.contains(" position=0 "))).hasSize(5);
      assertThat(written.stream().map(event -> event.replaceFirst(" .*", "")).distinct())
          .hasSize(5);
      assertThat(plainArrows(recorded)).hasSize(50);
    }
  }

  private List<String> python(String... more) throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(Files.isExecutable(python), "skipped: python3 is not installed");
    NativePrograms.assumeInstalled();
    String source = Path.of("src/python/asking.py").toAbsolutePath().toString();
    List<String> words = new ArrayList<>(List.of(python.toString(), source, "" + REQUESTS));
    words.add(Keys.text(keys).toString());
    words.addAll(List.of(more));
    return words;
  }

  private static int process(Recorded recorded, String thread) {
    return recorded.tracks().stream()
        .filter(track -> track.name().startsWith(thread))
        .findFirst()
        .orElseThrow()
        .process();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void piecesOfAnySizeArriveWithTheirLastByte(Jdk jdk, String tls) throws Exception {
    try (Recorded recorded = record(encrypted(jdk, tls, "sockets", 50).toArray(String[]::new))) {
      assertThat(events(recorded, "tls.write")).hasSize(50);
      assertThat(recorded.calls("Encrypted.get")).isEqualTo(events(recorded, "tls.read").size());
      assertThat(events(recorded, "http.request"))
          .hasSize(2)
          .allMatch(event -> event.endsWith(" position=0 method=GET path=/first"));
      List<Arrow> arrows = plainArrows(recorded);
      assertThat(arrows).hasSize(50);
      for (Arrow arrow : arrows) {
        assertThat(
                isIn(recorded, "Encrypted.put", arrow.fromTrack(), arrow.time() - arrow.waited()))
            .isTrue();
        assertThat(isIn(recorded, "Encrypted.get", arrow.toTrack(), arrow.time())).isTrue();
      }
    }
  }

  private static boolean isIn(Recorded recorded, String method, int track, long time) {
    return recorded.states(recorded.tracks().get(track)).stream()
        .anyMatch(call -> call.what().equals(method) && call.begin() <= time && time <= call.end());
  }
}
