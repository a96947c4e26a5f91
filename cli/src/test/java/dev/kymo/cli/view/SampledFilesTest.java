package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.cli.Kymo;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import dev.kymo.testkit.SourceTree;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of other tracers' files the picture says the same of samples as the report. */
class SampledFilesTest {
  private static final Path SAMPLES = SourceTree.path("..", "shared", "samples", "exchange");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jfr/dominating_thread_allocation_sample.jfr.xz",
        "perf/perf.data.singleprocess-3.4",
        "perf/perf.data.callgraph-3.8.xz"
      })
  void ofSamples(String name) throws Exception {
    Path file = SAMPLES.resolve(name);
    assumeTrue(Files.exists(file), "no samples: file=" + file);
    if (name.endsWith(".xz")) {
      Path plain = folder.resolve("plain");
      run(new ProcessBuilder("xz", "-dc", file.toString()).redirectOutput(plain.toFile()));
      file = plain;
    }
    assertThat(compared(file)).isPositive();
  }

  @Test
  void ofFilesWithoutSamples() throws Exception {
    Path file = SAMPLES.resolve("jfr/overlap.jfr");
    assumeTrue(Files.exists(file), "no samples: file=" + file);
    assertThat(compared(file)).isZero();
  }

  @Test
  void ofFreshFlightRecordings() throws Exception {
    Path program = folder.resolve("Program.java");
    Files.writeString(
        program,
        """
        class Program {
          static double sum;
          public static void main(String[] none) {
            for (long end = System.nanoTime() + 600_000_000L; System.nanoTime() < end; ) {
              sum += String.valueOf(Math.random()).hashCode() + new byte[1000].length;
            }
          }
        }
        """);
    Path file = folder.resolve("fresh.jfr");
    run(
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:StartFlightRecording=settings=profile,filename=" + file,
            "-Xlog:disable",
            program.toString()));
    assertThat(compared(file)).isGreaterThan(10);
  }

  private static void run(ProcessBuilder command) throws Exception {
    Process process = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** Compares both, kind by kind; returns the number of samples. */
  private long compared(Path file) throws Exception {
    Path recording = folder.resolve("recording.kymo");
    assertThat(Kymo.run("import", file, "-o", recording).code()).isZero();
    Map<String, Map<String, String>> expected = reported(recording);
    long samples = 0;
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      ask(client, server.uri());
      String whole = ask(client, server.uri().resolve("/api/samples?up=false&unit=&kinds=none"));
      List<String> kinds = texts(whole, "name");
      for (int i = 0; i < kinds.size(); i++) {
        samples += numbers(whole, "samples")[i];
        String kind = URLEncoder.encode(kinds.get(i), StandardCharsets.UTF_8);
        String answer =
            ask(client, server.uri().resolve("/api/samples?up=false&unit=&kinds=" + kind));
        Map<String, String> rows = expected.getOrDefault(kinds.get(i), Map.of());
        assertThat(sums(timeline, answer)).as(kinds.get(i)).isEqualTo(rows);
        assertThat(answer).contains("\"cut\":0,");
      }
      assertThat(kinds).containsAll(expected.keySet());
    }
    return samples;
  }

  /** By kind and method: own and total samples as the report has them. */
  private static Map<String, Map<String, String>> reported(Path recording) {
    Map<String, Map<String, String>> kinds = new TreeMap<>();
    Kymo.run("report", "--samples", "--csv", "--limit", "0", recording)
        .out()
        .lines()
        .skip(1)
        .map(line -> line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1))
        .forEach(parts ->
            kinds
                .computeIfAbsent(parts[0], none -> new TreeMap<>())
                .merge(
                    parts[1] + parts[2] + " " + parts[3],
                    parts[4] + "/" + parts[5],
                    SampledFilesTest::sum));
    return kinds;
  }

  private static String sum(String a, String b) {
    String[] first = a.split("/");
    String[] second = b.split("/");
    return Long.parseLong(first[0])
        + Long.parseLong(second[0])
        + "/"
        + (Long.parseLong(first[1]) + Long.parseLong(second[1]));
  }

  /** The same of the server's tree; a method that called itself has its samples once. */
  private static Map<String, String> sums(Timeline timeline, String answer) {
    long[] parents = numbers(answer, "parent");
    long[] methods = numbers(answer, "method");
    long[] totals = numbers(answer, "total");
    long[] selfs = numbers(answer, "self");
    Map<String, String> sums = new TreeMap<>();
    for (int i = 0; i < parents.length; i++) {
      boolean nested = false;
      for (int above = (int) parents[i]; above >= 0; above = (int) parents[above]) {
        nested |= methods[above] == methods[i];
      }
      TracedMethod method = timeline.method((int) methods[i]);
      sums.merge(
          quoted(method.qualifiedName()) + quoted(method.descriptor()) + " " + method.process(),
          selfs[i] + "/" + (nested ? 0 : totals[i]),
          SampledFilesTest::sum);
    }
    return sums;
  }

  /** As CSV has it. */
  private static String quoted(String text) {
    boolean needed = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n');
    return needed ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  private static String ask(HttpClient client, URI question)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(question).build();
    HttpResponse<String> answer;
    do { // 202: it is worked on
      answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    } while (answer.statusCode() == 202);
    return answer.body();
  }

  private static String column(String answer, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\":\\[([^]]*)]").matcher(answer);
    assertThat(matcher.find()).as(answer).isTrue();
    return matcher.group(1);
  }

  private static long[] numbers(String answer, String name) {
    String column = column(answer, name);
    String[] parts = column.isEmpty() ? new String[0] : column.split(",");
    return Arrays.stream(parts).mapToLong(Long::parseLong).toArray();
  }

  private static List<String> texts(String answer, String name) {
    return Arrays.stream(column(answer, name).split(","))
        .map(text -> text.replace("\"", ""))
        .filter(text -> !text.isEmpty())
        .toList();
  }
}
