package dev.kymo.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.query.worker.Worker;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs nobody who answers. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProtocolTest {
  private Client client;

  @BeforeEach
  void begin() throws Exception {
    Terminal terminal =
        new Terminal(new ByteArrayOutputStream(), new PrintStream(new ByteArrayOutputStream()));
    OpenRecording one = new OpenRecording(Path.of("one.kymo"), "one.kymo", terminal);
    Worker silent = new Worker(room -> List.of("sleep", "inf"), Long.MAX_VALUE);
    client = new Client(Map.of("one.kymo", one), silent);
  }

  @AfterEach
  void end() throws Exception {
    client.close();
  }

  /** As JSON-RPC and the protocol have it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"method": "tools/call", "params": 3}                            | -32600 | null
          {"jsonrpc": "2.0", "id": 7}                                      | -32600 | 7
          {"jsonrpc": "2.0", "id": null, "method": "ping"}                 | -32600 | null
          {"jsonrpc": "2.0", "id": 1.5, "method": "ping"}                  | -32600 | null
          {"jsonrpc": "2.0", "id": {}, "method": "ping"}                   | -32600 | null
          [{"jsonrpc": "2.0", "id": 7, "method": "ping"}]                  | -32600 | null
          3                                                                | -32600 | null
          {"jsonrpc": "2.0", "id": 7, "method": "ping"                     | -32700 | null
          nonsense                                                         | -32700 | null
          {"jsonrpc": "2.0", "id": 7, "method": "resources/list"}          | -32601 | 7
          {"jsonrpc": "2.0", "id": "a", "method": "no/such"}               | -32601 | "a"
          {"jsonrpc": "2.0", "id": 7, "method": "tools/call"}              | -32602 | 7
          {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": []}| -32602 | 7
          {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "facts", "arguments": 3}} | -32602 | 7
          """)
  void whatIsNoRequestIsRefused(String line, int code, String id) throws Exception {
    client.sendLine(line);
    JsonNode answer = client.answer();
    assertThat(answer.at("/error/code").asInt()).isEqualTo(code);
    assertThat(answer.path("id").toString()).isEqualTo(id);
    assertThat(answer.path("jsonrpc").asText()).isEqualTo("2.0");
    assertThat(client.ask("ping").path("result").isObject()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 99}}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/roots/list_changed\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}",
        ""
      })
  void whatWantsNoAnswerGetsNone(String line) throws Exception {
    client.sendLine(line);
    assertThat(client.ask("ping").path("result").isObject()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "2024-11-05, 2024-11-05",
    "2025-11-25, 2025-11-25",
    "1999-01-01, 2025-11-25",
    "'', 2025-11-25"
  })
  void theVersionIsTheClientsIfItIsKnown(String wanted, String given) throws Exception {
    ObjectNode hello = client.json.createObjectNode().put("protocolVersion", wanted);
    assertThat(client.ask("initialize", hello).at("/result/protocolVersion").asText())
        .isEqualTo(given);
  }
}
