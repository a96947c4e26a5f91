package dev.kymo.e2e.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A benchmark of a user's, run by JMH with the profiler. */
@Tag("builds")
class JmhTest {
  private static final Path SOURCE = Path.of("src/benchmarks/shop/StockBenchmark.java");
  private static final String PROFILER = "dev.kymo.jmh.KymoProfiler";

  /** Calls of what JMH calls before each iteration are among all calls. */
  private static final Offset<Double> FIXTURES = within(0.05);

  @TempDir Path folder;

  private Path kymo;

  /** JMH with what it needs, and the profiler with what that needs. */
  private static String libraries() {
    Path peers = Path.of("target/peers").toAbsolutePath();
    Path api = Kymo.INSTALLATION.resolve("api");
    return Stream.concat(
            Stream.of("jmh-core", "jmh-generator-annprocess", "jopt-simple", "commons-math3")
                .map(name -> peers.resolve(name + ".jar")),
            Stream.of("kymo-jmh", "kymo-embedded", "kymo-api")
                .map(name -> api.resolve(name + ".jar")))
        .map(Path::toString)
        .collect(Collectors.joining(":"));
  }

  @BeforeEach
  void compile() throws IOException {
    String[] words = {
      "-nowarn",
      "-Xlint:-options",
      "-proc:full",
      "--release",
      "17",
      "-cp",
      libraries(),
      "-d",
      Files.createDirectory(folder.resolve("classes")).toString(),
      SOURCE.toString()
    };
    int exit = ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, words);
    assertThat(exit).isZero();
    String own =
        Kymo.command().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    kymo = Files.writeString(folder.resolve("kymo"), "#!/bin/sh\nexec " + own + " \"$@\"\n");
    assertThat(kymo.toFile().setExecutable(true)).isTrue();
  }

  private Kymo.Result jmh(Jdk jdk, Path command, String... arguments) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                jdk.java().toString(),
                "-Xmx256m",
                "-Dkymo.command=" + command,
                "-cp",
                libraries() + ":" + folder.resolve("classes"),
                "org.openjdk.jmh.Main",
                "-rf",
                "json"));
    words.addAll(List.of("-foe", "true", "-w", "300ms", "-r", "300ms", "-wi", "1", "-i", "2"));
    words.addAll(List.of(arguments));
    return Kymo.exec(folder, words.toArray(String[]::new));
  }

  /** Runs benchmarks; returns the numbers that the profiler adds, by benchmark and name. */
  private Map<String, Map<String, Double>> numbers(Kymo.Result result) throws IOException {
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    Map<String, Map<String, Double>> numbers = new HashMap<>();
    JsonNode runs = new ObjectMapper().readTree(folder.resolve("jmh-result.json").toFile());
    for (JsonNode run : runs) {
      String benchmark = run.get("benchmark").asText().replaceFirst(".*\\.", "");
      Map<String, Double> of = numbers.computeIfAbsent(benchmark, name -> new HashMap<>());
      run.get("secondaryMetrics")
          .properties()
          .forEach(metric -> of.put(metric.getKey(), metric.getValue().get("score").asDouble()));
    }
    return numbers;
  }

  private static Map<String, Double> of(
      String benchmark, Map<String, Map<String, Double>> numbers) {
    return numbers.getOrDefault(benchmark, Map.of());
  }

  /** One that is not there is like no other. */
  private static double number(String name, Map<String, Double> numbers) {
    return numbers.getOrDefault(name, Double.NaN);
  }

  private List<String> recordings() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("kymo-jmh"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Two forks are one result, with the calls of their measured iterations and no others. */
  @Test
  void countedCallsAreExact() throws Exception {
    Kymo.Result result =
        jmh(Jdk.all().getFirst(), kymo, "-f", "2", "-prof", PROFILER, "StockBenchmark.loads");
    Map<String, Double> loads = of("loads", numbers(result));
    assertThat(loads)
        .containsEntry("kymo.calls:StockBenchmark$Stock.load", 3.0)
        .containsEntry("kymo.calls:loads", 1.0)
        .doesNotContainKey("kymo.calls:StockBenchmark$Stock.order");
    assertThat(number("kymo.calls", loads)).isCloseTo(4, FIXTURES);
    assertThat(
            number("kymo.self:loads", loads) + number("kymo.self:StockBenchmark$Stock.load", loads))
        .isPositive();
    assertThat(result.out())
        .containsPattern(
            "operations in 2 recordings, [0-9,]+ calls recorded, [0-9,]+ of them only");
    String name = "shop.StockBenchmark.loads-AverageTime-";
    assertThat(recordings()).containsExactly(name + "1.kymo", name + "2.kymo");
    for (String recording : recordings()) {
      Path of = folder.resolve("kymo-jmh").resolve(recording);
      assertThat(result.out()).contains("kymo view " + of.toRealPath() + "  # measured from");
      try (Recorded recorded = new Recorded(of)) {
        assertThat(recorded.timeline.processes()).extracting("end").containsExactly("ended");
        assertThat(recorded.calls.keySet()).noneMatch(it -> it.startsWith("dev.kymo"));
      }
    }
  }

  @Test
  void waitsAreThoseOfTheBenchmark() throws Exception {
    Map<String, Map<String, Double>> numbers =
        numbers(
            jmh(
                Jdk.running(),
                kymo,
                "-f",
                "1",
                "-prof",
                PROFILER + ":methods=1;include=shop;dir=a b",
                "StockBenchmark.(sleeps|contends)"));
    Map<String, Double> sleeps = of("sleeps", numbers);
    assertThat(number("kymo.calls", sleeps)).isCloseTo(1, FIXTURES);
    assertThat(sleeps)
        .containsEntry("kymo.calls:sleeps", 0.5)
        .doesNotContainKey("kymo.calls:StockBenchmark$Stock.load");
    double slept = number("kymo.waiting.sleep", sleeps);
    assertThat(slept).isGreaterThanOrEqualTo(1e6);
    assertThat(number("kymo.waiting", sleeps)).isEqualTo(slept);
    assertThat(number("kymo.self:sleeps", sleeps)).isGreaterThan(0.95 * slept);
    Map<String, Double> contends = of("contends", numbers);
    assertThat(number("kymo.calls", contends)).isCloseTo(2, FIXTURES);
    assertThat(number("kymo.waiting.sleep", contends)).isGreaterThanOrEqualTo(1e6);
    assertThat(number("kymo.waiting.monitor", contends)).isPositive();
    assertThat(number("kymo.waiting", contends))
        .isCloseTo(
            number("kymo.waiting.sleep", contends) + number("kymo.waiting.monitor", contends),
            within(1e5));
    assertThat(folder.resolve("a b/shop.StockBenchmark.sleeps-AverageTime-1.kymo")).isDirectory();
  }

  /** Then the virtual machine goes on while it is asked what is in its recording. */
  @Test
  void withoutForksItIsTheSame() throws Exception {
    Kymo.Result result =
        jmh(Jdk.running(), kymo, "-f", "0", "-prof", PROFILER + ":page", "StockBenchmark.loads");
    Map<String, Map<String, Double>> numbers = numbers(result);
    assertThat(of("loads", numbers))
        .containsEntry("kymo.calls:StockBenchmark$Stock.load", 3.0)
        .containsEntry("kymo.calls:loads", 1.0);
    assertThat(recordings()).containsExactly("host-1-1.html", "host-1.kymo");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "budgt=3%|kymo: unknown option: budgt",
        "include=shop;budget=x|kymo: option budget: 'x' is not a budget, write for example 3% or none",
        "methods=many|option methods: 'many' is not a number from 0 to 1000",
        "dir=/dev/null/here|option dir: '/dev/null/here' cannot be made",
        "out=here|option out of the agent is set by the profiler; dir=FOLDER says where to write",
        "help|budget=SHARE     part of each thread's time",
      })
  void wrongOptionsAreRefusedByName(String options, String message) throws Exception {
    Kymo.Result result =
        jmh(Jdk.running(), kymo, "-f", "1", "-prof", PROFILER + ":" + options, "Stock");
    assertThat(result.exit()).isNotZero();
    assertThat(result.out() + result.err()).contains(message).doesNotContain("# Fork");
    assertThat(folder.resolve("kymo-jmh")).doesNotExist();
  }

  /** Nobody who has the jar in their class path is to be told that, unless they ask for it. */
  @Test
  void withoutKymoOnlyThisProfilerIsRefused() throws Exception {
    Path missing = folder.resolve("nothing");
    Kymo.Result refused = jmh(Jdk.running(), missing, "-f", "1", "-prof", PROFILER, "Stock");
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.out() + refused.err())
        .contains("kymo cannot be run: kymo.command=" + missing);
    Kymo.Result other = jmh(Jdk.running(), missing, "-f", "0", "-prof", "gc", "loads");
    assertThat(other.exit()).as(other.out()).isZero();
    assertThat(other.out()).contains("gc.alloc.rate");
  }
}
