package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.testkit.RecordingBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that asks the installed one, as its clients do: a line of JSON each way. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpTest {
  private static final String HELLO =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
      """;
  private static final String READY =
      """
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      """;
  private static final String TOOLS =
      """
      {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}
      """;
  private static final String QUERY =
      """
      {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"query","arguments":{"sql":"SELECT name, count(*) AS n, sum(duration) AS ns FROM calls JOIN methods USING (recording, method) GROUP BY name"}}}
      """;

  @TempDir Path folder;
  private final ObjectMapper json = new ObjectMapper();

  private Path recording() {
    RecordingBuilder made = new RecordingBuilder().process(1).thread(1, 1, "main");
    made.method(1, 1, "a.B", "x");
    made.ring(1, 0, 1).enter(100, 1).leave(150, 1).enter(200, 1).leave(270, 1);
    return made.write(folder.resolve("run.kymo"));
  }

  @Test
  void greetsListsItsToolsAndAnswersAQuestion() throws Exception {
    Process server = Kymo.start(folder, Map.of(), "mcp", recording().toString());
    try (OutputStream to = server.getOutputStream();
        BufferedReader from = server.inputReader(StandardCharsets.UTF_8)) {
      JsonNode hello = ask(to, from, HELLO);
      assertThat(hello.path("id").asInt()).isEqualTo(1);
      assertThat(hello.at("/result/serverInfo/name").asText()).isEqualTo("kymo");
      send(to, READY);

      JsonNode tools = ask(to, from, TOOLS);
      assertThat(tools.path("id").asInt()).isEqualTo(2);
      assertThat(tools.at("/result/tools").findValuesAsText("name"))
          .contains("facts", "report", "find", "why", "tables", "query", "check", "picture");

      JsonNode answer = ask(to, from, QUERY);
      assertThat(answer.path("id").asInt()).isEqualTo(3);
      assertThat(answer.at("/result/isError").asBoolean()).isFalse();
      assertThat(answer.at("/result/content/0/text").asText())
          .isEqualTo("name,n,ns\na.B.x,2,120\n(1 row)\n");

      to.close();
      assertThat(from.readLine()).isNull(); // nothing but answers
      assertThat(server.waitFor(600, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
      assertThat(server.getErrorStream().readAllBytes()).asString().isEmpty();
    } finally {
      server.destroyForcibly();
    }
  }

  private static void send(OutputStream to, String line) throws IOException {
    to.write(line.getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  private JsonNode ask(OutputStream to, BufferedReader from, String line) throws IOException {
    send(to, line);
    return json.readTree(from.readLine());
  }
}
