package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where a recording has losses, reports, SQL and viewer say the same, and say that there may be
 * more.
 */
@Timeout(600)
class OneAnswerTest {
  private static final String WAITS =
      "SELECT count(*) AS n, max(duration) AS max, sum(duration) AS total FROM waits WHERE state = 'mutex'";

  @TempDir Path folder;
  private final ObjectMapper json = new ObjectMapper();

  private JsonNode report(Path recording, String what) throws Exception {
    return json.readTree(Kymo.run("report", what, "--json", recording.toString()).out());
  }

  private JsonNode query(Path recording, String sql) throws Exception {
    String[] words = {"query", "--format", "json", recording.toString(), sql};
    return json.readTree(Kymo.run(words).out());
  }

  /** Answers of the viewer's server. */
  private final class Viewer implements AutoCloseable {
    private final Timeline timeline;
    private final KymoServer server;
    private final HttpClient client =
        HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.ALWAYS)
            .build();

    Viewer(Path recording) throws Exception {
      timeline = Timelines.open(recording, ProgressListener.NONE);
      server = KymoServer.start(timeline, 0);
      get(server.uri());
    }

    private HttpResponse<String> get(URI uri) throws Exception {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    JsonNode ask(String question) throws Exception {
      HttpResponse<String> answer = get(server.uri().resolve("/api/" + question));
      while (answer.statusCode() == 202) {
        answer = get(server.uri().resolve("/api/" + question));
      }
      return json.readTree(answer.body());
    }

    @Override
    public void close() {
      client.close();
      server.close();
      timeline.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"discard", "overwrite"})
  void aboutLocksAndWaits(String whenFull) throws Exception {
    Path program = NativePrograms.compile(Path.of("src/native/lossy.c"), folder.resolve("lossy"));
    Path recording = folder.resolve("r.kymo");
    Kymo.Result recorded =
        Kymo.run(
            "record",
            "-q",
            "--threads",
            "--buffer",
            "128K",
            "--when-full",
            whenFull,
            "-o",
            recording.toString(),
            "--",
            program.toString());
    assertThat(recorded.out()).isEqualTo("1200000\n");
    boolean lossy = query(recording, "SELECT count(*) AS n FROM gaps").path("n").asLong() > 0;
    assertThat(lossy || whenFull.equals("discard")).isTrue(); // 75 MB of events and more

    JsonNode lock = report(recording, "--locks").path("locks").path(0);
    JsonNode sql =
        query(recording, "SELECT acquired, contended, waited, waited_max, at_least FROM locks");
    JsonNode waits = null;
    for (JsonNode each : report(recording, "--waits").path("methods")) {
      waits = each.path("method").asText().startsWith("mutex") ? each : waits;
    }
    JsonNode single = query(recording, WAITS);
    try (Viewer viewer = new Viewer(recording)) {
      JsonNode locks = viewer.ask("locks");
      for (String number : Set.of("acquired", "contended")) {
        assertThat(sql.path(number)).isEqualTo(lock.path(number));
        assertThat(locks.path(number).path(0)).isEqualTo(lock.path(number));
      }
      assertThat(sql.path("waited")).isEqualTo(lock.path("waited").path("total"));
      assertThat(locks.path("waited").path(0)).isEqualTo(lock.path("waited").path("total"));
      assertThat(sql.path("waited_max")).isEqualTo(lock.path("waited").path("max"));
      assertThat(locks.path("waitedMax").path(0)).isEqualTo(lock.path("waited").path("max"));

      assertThat(lock.path("atLeast").asBoolean()).isEqualTo(lossy);
      assertThat(sql.path("at_least").asBoolean()).isEqualTo(lossy);
      assertThat(locks.path("atLeast").path(0).asInt()).isEqualTo(lossy ? 1 : 0);
      assertThat(viewer.ask("summary?kind=states").path("atLeast").asBoolean()).isEqualTo(lossy);
      Set<Integer> threads = new TreeSet<>();
      viewer.ask("threads").path("atLeast").forEach(each -> threads.add(each.asInt()));
      assertThat(threads.contains(1)).isEqualTo(lossy);
    }
    if (waits == null) { // nobody had to wait in what is left
      assertThat(single.path("n").asLong()).isZero();
    } else {
      assertThat(waits.path("atLeast").asBoolean()).isEqualTo(lossy);
      assertThat(waits.path("calls")).isEqualTo(single.path("n"));
      areNotLonger(waits, lock.path("waited"));
    }
  }

  /**
   * A wait whose begin was lost is not longer than what the thread itself said at its end: a time,
   * where the other is the difference of two, each cut off to a nanosecond.
   */
  private static void areNotLonger(JsonNode waits, JsonNode said) {
    assertThat(waits.path("max").asLong()).isLessThanOrEqualTo(said.path("max").asLong() + 1);
    assertThat(waits.path("total").asLong())
        .isLessThanOrEqualTo(said.path("total").asLong() + waits.path("calls").asLong());
  }

  /** A report reads all events, or takes the sums that were kept when the recording was viewed. */
  @ParameterizedTest
  @ValueSource(strings = {"Waiting", "SelfTimes", "Busy", "Collecting"})
  void withKeptSums(String program) throws Exception {
    Path recording = folder.resolve("r.kymo");
    String[] record = {
      "record",
      "-q",
      "--budget",
      "3%",
      "-o",
      recording.toString(),
      "--",
      Jdk.running().java().toString(),
      "-cp",
      Programs.CLASSES.toString(),
      program
    };
    Kymo.Result recorded = Kymo.run(record);
    assertThat(recorded.exit()).as(recorded.err()).isZero();
    Path index = recording.resolve(".index");
    assertThat(index.resolve("totals")).doesNotExist();
    Kymo.Result read = Kymo.run("report", "--json", recording.toString());
    assertThat(Kymo.run("index", recording.toString()).exit()).isZero();
    assertThat(Kymo.run("report", "--json", recording.toString())).isEqualTo(read);
  }
}
