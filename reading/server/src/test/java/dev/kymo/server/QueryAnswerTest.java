package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.RecordingBuilder;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /api/query} and {@code /api/questions}. */
class QueryAnswerTest {
  @TempDir static Path folder;
  private static Served served;

  /** Once: the process that answers takes a second to start. */
  @BeforeAll
  static void serve() throws Exception {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", "work");
    r.ring(1, 0, 1).enter(100, 1).leave(300, 1);
    r.ring(1, 0, 1).lose(3).enter(1000, 1).leave(1400, 1);
    served = Served.of(r, folder.resolve("r.kymo"));
  }

  /** Nor does it leave a process. */
  @AfterAll
  static void close() throws Exception {
    served.get(asked("SELECT 1 AS one"));
    List<ProcessHandle> workers = workers();
    assertThat(workers).hasSize(1);
    served.close();
    assertThat(workers()).isEmpty();
  }

  private static String asked(String sql) {
    return "query?sql=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
  }

  @Test
  void rowsWithTheirColumns() throws Exception {
    assertThat(
            served.get(
                asked(
                    "SELECT recording, begin, duration, NULL::INTEGER AS n, 1::HUGEINT << 70 AS h, at_least FROM calls ORDER BY begin")))
        .isEqualTo(
            "{\"columns\":[{\"name\":\"recording\",\"type\":\"VARCHAR\"},{\"name\":\"begin\",\"type\":\"BIGINT\"},"
                + "{\"name\":\"duration\",\"type\":\"BIGINT\"},{\"name\":\"n\",\"type\":\"INTEGER\"},"
                + "{\"name\":\"h\",\"type\":\"HUGEINT\"},{\"name\":\"at_least\",\"type\":\"BOOLEAN\"}],"
                + "\"rows\":[[\"r.kymo\",0,200,null,\"1180591620717411303424\",false],"
                + "[\"r.kymo\",900,400,null,\"1180591620717411303424\",false]],"
                + "\"more\":false,\"gaps\":1}");
  }

  /** Losses beside an answer are those of the time that is asked about. */
  @Test
  void aboutATime() throws Exception {
    String all = asked("SELECT count(*) AS n FROM calls");
    assertThat(served.get(all)).endsWith("\"rows\":[[2]],\"more\":false,\"gaps\":1}");
    assertThat(served.get(all + "&from=0&to=100"))
        .endsWith("\"rows\":[[1]],\"more\":false,\"gaps\":0}");
    assertThat(served.get(all)).endsWith("\"rows\":[[2]],\"more\":false,\"gaps\":1}");
  }

  @Test
  void onlyTheFirstRowsAreSent() throws Exception {
    String answer = served.get(asked("SELECT * FROM range(1000000000)"));
    assertThat(answer).contains("[9999]]").endsWith("\"more\":true,\"gaps\":1}");
  }

  @Test
  void errorsShowThePlace() throws Exception {
    HttpResponse<String> answer = served.asker().ask("/api/" + asked("SELECT 1 FROM\n callz"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("Table with name callz does not exist!\\nDid you mean", "LINE 2:  callz\\n", "^");
  }

  @Test
  void nothingElseIsReached() throws Exception {
    for (String sql :
        new String[] {"SELECT * FROM read_text('/etc/passwd')", "SET memory_limit = '100GB'"}) {
      assertThat(served.asker().ask("/api/" + asked(sql)).statusCode()).as(sql).isEqualTo(400);
    }
  }

  /** A question that nobody waits for any more does not keep others waiting. */
  @Tag("slow")
  @Test
  void endsWhenNobodyWaits() throws Exception {
    String endless =
        asked(
            "SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range = -b.range - 1");
    assertThat(served.asker().get("/api/" + endless).statusCode()).isEqualTo(202);
    assertThat(served.get(asked("SELECT 1 AS one"))).contains("[[1]]");
  }

  /** The engine does not look whether it was told to end while it makes so long a text. */
  @Tag("slow")
  @Test
  void endsAlsoWhatTheEngineDoesNotEnd() throws Exception {
    String endless =
        asked("SELECT length(repeat('a', 2000000000) || repeat('b', 2000000000)) AS n");
    HttpResponse<String> answer = served.asker().ask("/api/" + endless);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("Not enough memory for the answer: memory_mb=256.");
    assertThat(served.get(asked("SELECT 1 AS one"))).contains("[[1]]");
  }

  private static List<ProcessHandle> workers() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }

  @Test
  void whatHelpsToAsk() throws Exception {
    assertThat(served.get("questions"))
        .contains(
            "\"name\":\"percentiles\"", "\"calls\":[\"recording\",", "states_during(pattern)");
  }
}
