package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Both;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests and answers of HTTP have names at both ends. */
@Tag("messages")
class RequestsTest {
  private static final int REQUESTS = 30;

  @TempDir Path folder;

  static List<Jdk> jdks() {
    return Jdk.all();
  }

  private List<String> talking(Jdk jdk, String what) {
    String java = jdk.java().toString();
    String classes = Programs.CLASSES.toString();
    String port = folder.resolve("port").toString();
    return List.of(java, "-cp", classes, "Talking", what, port, "" + REQUESTS);
  }

  private Path record(String... command) throws Exception {
    Path recording = folder.resolve("r.kymo");
    List<String> words = new ArrayList<>(List.of("record", "-q", "--strict", "--messages", "-o"));
    words.add(recording.toString());
    words.add("--");
    words.addAll(List.of(command));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return recording;
  }

  private static List<String> events(Recorded recorded, String name) {
    return recorded.ownEvents().getOrDefault(name, List.of());
  }

  private static String value(String event, String field) {
    Matcher matcher = Pattern.compile("\\b" + field + "=(\\S*)").matcher(event);
    assertThat(matcher.find()).as(event).isTrue();
    return matcher.group(1);
  }

  /** The values of a field of events, in the order of the text. */
  private static List<String> values(List<String> events, String field) {
    return events.stream().map(event -> value(event, field)).sorted().toList();
  }

  private static List<String> twice(List<String> values) {
    List<String> all = new ArrayList<>(values);
    all.addAll(values);
    Collections.sort(all);
    return all;
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void clientAndServerNameEachRequestAndItsAnswerAlike(Jdk jdk) throws Exception {
    Path recording = record(Both.of(talking(jdk, "serve"), talking(jdk, "ask")));
    try (Recorded recorded = new Recorded(recording)) {
      List<String> requests = events(recorded, "http.request");
      List<String> answers = events(recorded, "http.answer");
      assertThat(values(requests, "path"))
          .isEqualTo(twice(IntStream.range(0, REQUESTS).mapToObj(i -> "/item/" + i).toList()));
      assertThat(values(requests, "method")).containsOnly("GET");
      assertThat(values(answers, "status")).containsOnly("200");
      List<String> numbers = values(requests, "request").stream().distinct().toList();
      assertThat(numbers).hasSize(REQUESTS).doesNotContain("0");
      assertThat(values(requests, "request")).isEqualTo(twice(numbers));
      assertThat(values(answers, "request")).isEqualTo(twice(numbers));
      assertPartsAreThere(recorded, requests);
      assertPartsAreThere(recorded, answers);
    }
    Path script = folder.resolve("requests.js");
    Files.writeString(
        script,
        """
        function activity(event) {
          const fields = event.fields;
          if (event.name == "http.request") begin(fields.request, fields.method + " " + fields.path);
          if (event.name == "http.answer") end(fields.request);
        }
        """);
    Kymo.Result activities =
        Kymo.run(
            "report", recording.toString(), "--activities", script.toString(), "--filter", "/7$");
    assertThat(activities.out()).as(activities.err()).contains("GET /item/7").contains(" 2 ");
  }

  /** Each is at the begin of what a call wrote, and at the begin of what a call read. */
  private static void assertPartsAreThere(Recorded recorded, List<String> named) {
    Pattern place = Pattern.compile("stream=\\S+ position=\\d+ ");
    List<String> written = places(place, events(recorded, "socket.write"));
    List<String> read = places(place, events(recorded, "socket.read"));
    for (String at : places(place, named)) {
      assertThat(written).contains(at);
      assertThat(read).contains(at);
    }
  }

  private static List<String> places(Pattern place, List<String> events) {
    return events.stream()
        .map(place::matcher)
        .peek(matcher -> assertThat(matcher.find()).isTrue())
        .map(Matcher::group)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void onlyWhatIsHttpIsNamedAndNothingOfWhatItSays(Jdk jdk) throws Exception {
    Path recording = record(jdk.java().toString(), "-cp", Programs.CLASSES.toString(), "Spoken");
    assertSpoken(recording);
  }

  /** Also where a call gets places at which there is no memory. */
  @Test
  void nativeProgramsLikewise() throws Exception {
    NativePrograms.assumeInstalled();
    Path program =
        NativePrograms.compile(
            Path.of("src/native/spoken.c"), folder.resolve("spoken"), "-pthread");
    assertSpoken(record(program.toString()));
  }

  /** Not one of ours at either end: http.server and http.client, which use recv and send. */
  @Test
  void programsOfPython() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(Files.isExecutable(python), "skipped: python3 is not installed");
    NativePrograms.assumeInstalled();
    Path script = Path.of("src/python/asking.py").toAbsolutePath();
    Path recording = record(python.toString(), script.toString(), Integer.toString(REQUESTS));
    try (Recorded recorded = new Recorded(recording)) {
      List<String> requests = events(recorded, "http.request");
      List<String> answers = events(recorded, "http.answer");
      assertThat(values(requests, "path"))
          .isEqualTo(twice(IntStream.range(0, REQUESTS).mapToObj(i -> "/item/" + i).toList()));
      assertThat(values(requests, "method")).containsOnly("GET", "POST");
      assertThat(values(answers, "status")).containsOnly("200", "404");
      List<String> numbers = values(requests, "request").stream().distinct().toList();
      assertThat(numbers).hasSize(REQUESTS).doesNotContain("0");
      assertThat(values(requests, "request")).isEqualTo(twice(numbers));
      assertThat(values(answers, "request")).isEqualTo(twice(numbers));
      assertPartsAreThere(recorded, requests);
      assertPartsAreThere(recorded, answers);
    }
  }

  private static void assertSpoken(Path recording) throws Exception {
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(names(events(recorded, "http.request")))
          .isEqualTo(
              twice(
                  List.of(
                      "method=GET path=/first",
                      "method=POST path=/k%C3%A4se",
                      "method=DELETE path=/gone",
                      "method=GET path=/long",
                      "method=HEAD path=/" + "p".repeat(999),
                      "method=GET path=/1",
                      "method=OPTIONS path=*")));
      assertThat(answers(recorded))
          .isEqualTo(
              twice(
                  List.of(
                      "/first 200",
                      "/k%C3%A4se 100",
                      "/k%C3%A4se 404",
                      "/gone 500",
                      "/long 204",
                      "/" + "p".repeat(999) + " 201",
                      "? 200",
                      "? 200")));
    }
  }

  /** Path and status; without a path if it is not known which answer is whose. */
  private static List<String> answers(Recorded recorded) {
    Map<String, String> paths = new HashMap<>(Map.of("0", "?"));
    for (String request : events(recorded, "http.request")) {
      paths.put(value(request, "request"), value(request, "path"));
    }
    return events(recorded, "http.answer").stream()
        .map(answer -> paths.get(value(answer, "request")) + " " + value(answer, "status"))
        .sorted()
        .toList();
  }

  private static List<String> names(List<String> events) {
    return events.stream().map(event -> event.replaceFirst(".*(?=method=)", "")).sorted().toList();
  }

  @Test
  void namesCanBeLeftOut() throws Exception {
    Path recording = folder.resolve("r.kymo");
    Kymo.Result result =
        Kymo.run(
            "record",
            "-q",
            "--strict",
            "--messages",
            "--disable-events",
            "http",
            "-o",
            recording.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Spoken");
    assertThat(result.exit()).as(result.err()).isZero();
    try (Recorded recorded = new Recorded(recording)) {
      assertThat(events(recorded, "http.request")).isEmpty();
      assertThat(events(recorded, "socket.write")).hasSize(22);
    }
  }
}
