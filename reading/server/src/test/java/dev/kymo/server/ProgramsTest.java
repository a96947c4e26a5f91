package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code POST /api/query}: who may ask, and what is answered. */
class ProgramsTest {
  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private Timeline timeline;
  private KymoServer server;

  @BeforeEach
  void serve() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "work");
    r.ring(1, 0, 1).enter(100, 1).leave(300, 1);
    r.ring(1, 0, 1).lose(3).enter(1000, 1).leave(1400, 1);
    timeline = Timelines.open(r.write(folder.resolve("r.kymo")), ProgressListener.NONE);
    server = KymoServer.start(List.of(timeline), 0, true, false);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    timeline.close();
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpRequest.Builder request(URI at, String bearer, String sql) {
    return HttpRequest.newBuilder(at)
        .header("Authorization", "Bearer " + bearer)
        .POST(HttpRequest.BodyPublishers.ofString(sql));
  }

  private HttpRequest.Builder asked(String parameters, String sql) {
    return request(server.uri().resolve("/api/query" + parameters), server.bearer(), sql);
  }

  private HttpResponse<byte[]> ask(String parameters, String sql) throws Exception {
    return send(asked(parameters, sql));
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  @Test
  void answersInThreeForms() throws Exception {
    String sql = "SELECT begin, duration FROM calls ORDER BY begin; -- all";
    HttpResponse<byte[]> json = ask("", sql);
    assertThat(text(json))
        .isEqualTo("{\"begin\":0,\"duration\":200}\n{\"begin\":900,\"duration\":400}\n");
    assertThat(json.headers().firstValue("Kymo-Gaps")).hasValue("1");
    assertThat(text(ask("?format=csv&from=0&to=100", sql))).isEqualTo("begin,duration\n0,200\n");
    byte[] parquet = ask("?format=parquet", sql).body();
    assertThat(new String(parquet, 0, 4, StandardCharsets.US_ASCII)).isEqualTo("PAR1");
    assertThat(text(ask("?question=slowest&set.most=1&format=csv", ""))).contains(",900,400,");
    assertThat(ask("", "SELECT 1 WHERE false").body()).isEmpty();
  }

  @Test
  void saysWhatIsWrong() throws Exception {
    assertThat(text(ask("", "SELECT nope"))).contains("LINE 1", "^");
    assertThat(ask("", "SELECT nope").statusCode()).isEqualTo(400);
    assertThat(text(ask("?format=xml", "SELECT 1")))
        .isEqualTo("{\"error\":\"Neither json, csv nor parquet: format=xml.\"}");
    assertThat(text(ask("", " "))).startsWith("{\"error\":\"The body must be a question in SQL");
    assertThat(text(ask("?question=none", ""))).contains("question=none");
    assertThat(text(ask("?question=slowest&set.least=1", ""))).contains("no such parameter: least");
    assertThat(ask("", "SELECT * FROM read_text('/etc/passwd')").statusCode()).isEqualTo(400);
    String endless =
        "SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range = -b.range - 1";
    assertThat(text(ask("?seconds=1", endless))).contains("took too long: seconds=1");
  }

  @Test
  void onlyProgramsWithTheTokenMayAsk() throws Exception {
    URI query = server.uri().resolve("/api/query");
    assertThat(send(request(query, "wrong", "SELECT 1")).statusCode()).isEqualTo(403);
    assertThat(
            send(HttpRequest.newBuilder(query)
                    .POST(HttpRequest.BodyPublishers.ofString("SELECT 1")))
                .statusCode())
        .isEqualTo(403);
    // A browser's cookie is not enough, nor is the token of the link.
    try (Asker browser = new Asker(server.uri())) {
      HttpRequest.Builder withCookie =
          HttpRequest.newBuilder(query)
              .header("Cookie", browser.cookie())
              .POST(HttpRequest.BodyPublishers.ofString("SELECT 1"));
      assertThat(send(withCookie).statusCode()).isEqualTo(405);
    }
    String link = server.uri().getQuery().replace("token=", "");
    assertThat(send(request(query, link, "SELECT 1")).statusCode()).isEqualTo(403);
    assertThat(send(asked("", "SELECT 1").header("Origin", "http://evil.example")).statusCode())
        .isEqualTo(403);
    // Nothing else may be changed.
    assertThat(
            send(request(server.uri().resolve("/api/bookmarks"), server.bearer(), "{}"))
                .statusCode())
        .isEqualTo(405);
  }

  @Test
  void nobodyMayUnlessTheServerIsForPrograms() throws Exception {
    try (KymoServer other = KymoServer.start(timeline, 0)) {
      assertThat(
              send(request(other.uri().resolve("/api/query"), other.bearer(), "SELECT 1"))
                  .statusCode())
          .isEqualTo(403);
    }
  }

  @Test
  void describesItself() throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri().resolve("/api/openapi.yaml"))
            .header("Authorization", "Bearer " + server.bearer());
    assertThat(text(send(request))).startsWith("openapi: 3.1.0\n").contains("/api/query:");
  }
}
