package dev.kymo.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.exporters.picture.TimelinePicture;
import dev.kymo.query.worker.OwnCommand;
import dev.kymo.query.worker.Worker;
import dev.kymo.testkit.RecordingBuilder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Conversations as programs have them: a line a message. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class ConversationTest {
  private static final String ENDLESS =
      "SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range = -b.range - 1";

  /** Which this machine may not answer for minutes, and nothing but the end of a process ends. */
  private static final String UNSTOPPABLE = "SELECT length(repeat('a', 2000000000))";

  private static final long MOST_BYTES = 1200L << 20;

  @TempDir Path folder;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, OpenRecording> recordings = new LinkedHashMap<>();
  private final Terminal terminal =
      new Terminal(new ByteArrayOutputStream(), new PrintStream(new ByteArrayOutputStream()));
  private Client client;

  @BeforeEach
  void begin() throws Exception {
    add("one.kymo", "x");
    add("two.kymo", "y");
    client = new Client(recordings, new Worker(this::command, MOST_BYTES));
    ObjectNode hello = json.createObjectNode().put("protocolVersion", "2025-06-18");
    hello.putObject("capabilities");
    hello.putObject("clientInfo").put("name", "test").put("version", "1");
    JsonNode greeted = client.ask("initialize", hello);
    assertThat(greeted.at("/result/serverInfo/name").asText()).isEqualTo("kymo");
    assertThat(greeted.at("/result/instructions").asText()).contains("one.kymo, two.kymo");
    client.send(json.createObjectNode().put("method", "notifications/initialized"));
  }

  private List<String> command(Path room) {
    List<String> command = new ArrayList<>(OwnCommand.of("dev.kymo.cli.Main", room));
    command.addAll(List.of("mcp", "--answer"));
    recordings.values().forEach(each -> command.add(each.path().toString()));
    return command;
  }

  private void add(String name, String method) {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.method(1, 1, "a.B", method);
    for (int i = 0; i < 3; i++) {
      r.ring(1, 0, 1).enter(100 + 100 * i, 1).leave(150 + 100 * i, 1);
    }
    recordings.put(name, new OpenRecording(r.write(folder.resolve(name)), name, terminal));
  }

  @AfterEach
  void end() throws Exception {
    client.close();
  }

  private ObjectNode call(String tool, Object... arguments) {
    ObjectNode params = json.createObjectNode().put("name", tool);
    ObjectNode given = params.putObject("arguments");
    for (int i = 0; i < arguments.length; i += 2) {
      given.putPOJO(arguments[i].toString(), arguments[i + 1]);
    }
    return params;
  }

  private String tool(boolean error, String tool, Object... arguments) throws Exception {
    JsonNode result = client.ask("tools/call", call(tool, arguments)).path("result");
    String text =
        result.path("content").path(result.path("content").size() - 1).path("text").asText();
    assertThat(result.path("isError").asBoolean()).as(text).isEqualTo(error);
    return text;
  }

  @Test
  void toolsAreDescribed() throws Exception {
    JsonNode tools = client.ask("tools/list").at("/result/tools");
    assertThat(tools.findValuesAsText("name"))
        .contains("facts", "report", "find", "why", "tables", "query", "check", "picture", "diff");
    for (JsonNode tool : tools) {
      assertThat(tool.path("description").asText()).isNotEmpty();
      assertThat(tool.at("/inputSchema/properties/recording/type").asText()).isEqualTo("string");
    }
  }

  @Test
  void eachToolAnswers() throws Exception {
    assertThat(tool(false, "facts")).contains("one.kymo", "java App");
    assertThat(tool(false, "report", "limit", 1)).contains("a.B.x");
    assertThat(tool(false, "find", "pattern", "b\\.x", "limit", 2))
        .isEqualTo(
            """
            names=1 calls=3 events=0
            1/1:0@0.000000000  50 ns  main  a.B.x
            1/1:0@0.000000100  50 ns  main  a.B.x
            (1 more; skip=2 shows the next)
            """);
    assertThat(tool(false, "why", "call", "1/1:0@0.000000100"))
        .startsWith("a.B.x  1/1:0@0.000000100\n");
    assertThat(tool(false, "tables", "table", "gaps")).contains("gaps\n", "  lost BIGINT: events");
    assertThat(tool(false, "query", "sql", "SELECT count(*) AS n, sum(duration) AS d FROM calls"))
        .isEqualTo("n,d\n3,150\n(1 row)\n");
    assertThat(tool(false, "check", "rules", "no loss\ncalls of a.B.x below 3"))
        .contains("ok        no loss\n", "violated  calls of a.B.x below 3: 3 calls\n");
  }

  @Test
  void tellsHowRecordingsDiffer() throws Exception {
    assertThat(tool(false, "diff", "with", "two.kymo", "gate", "5%"))
        .contains("calls a.B.y, as it did not before: 3 times", "gate 5%: is broken");
    assertThat(tool(true, "diff", "with", "three.kymo"))
        .isEqualTo("no such recording: three.kymo; one of [one.kymo, two.kymo]");
  }

  @Test
  void drawsAPicture() throws Exception {
    assumeTrue(TimelinePicture.hasFonts(), "no fonts here; Debian has them in fontconfig");
    JsonNode picture = client.ask("tools/call", call("picture", "width", 500)).path("result");
    assertThat(picture.at("/content/0/mimeType").asText()).isEqualTo("image/png");
    byte[] png = Base64.getDecoder().decode(picture.at("/content/0/data").asText());
    assertThat(png).startsWith((byte) 0x89, 'P', 'N', 'G');
  }

  @Test
  void anotherRecordingCanBeNamed() throws Exception {
    String names = "SELECT name FROM calls JOIN methods USING (recording, method) LIMIT 1";
    assertThat(tool(false, "query", "sql", names)).startsWith("name\na.B.x\n");
    assertThat(tool(false, "query", "sql", names, "recording", "two.kymo"))
        .startsWith("name\na.B.y\n");
    assertThat(tool(true, "facts", "recording", "three"))
        .isEqualTo("no such recording: three; one of [one.kymo, two.kymo]");
  }

  @Test
  void mistakesAreTold() throws Exception {
    assertThat(tool(true, "query")).isEqualTo("an argument is missing: sql");
    assertThat(tool(true, "query", "sql", "FROM calls", "row", 3))
        .isEqualTo("no such argument: row; there are [sql, rows, seconds, recording]");
    assertThat(tool(true, "query", "sql", "FROM calls", "rows", 0))
        .isEqualTo("not a number from 1 to 10000: rows=0");
    assertThat(tool(true, "query", "sql", "SELECT nix FROM calls")).contains("LINE 1:");
    assertThat(tool(true, "query", "sql", "FROM read_text('/etc/passwd')")).contains("Permission");
    assertThat(tool(true, "report", "about", "money")).startsWith("no such report: about=money");
    assertThat(tool(true, "report", "from", "soon")).contains("'soon' is not a time");
    assertThat(tool(true, "why", "call", "1/9:0@0.1")).contains("no such thread");
    assertThat(tool(true, "find", "pattern", "(")).startsWith("Not a regular expression");
    assertThat(tool(true, "check", "rules", "no lss")).contains("--rule:1:4: expected loss");
    assertThat(tool(true, "picture", "from", "9s")).startsWith("nothing is between these times");
    assertThat(client.ask("tools/call", call("money")).at("/error/code").asInt()).isEqualTo(-32602);
  }

  @Test
  void largeAnswersAreCut() throws Exception {
    assertThat(tool(false, "query", "sql", "SELECT range AS n FROM range(1000000000)", "rows", 2))
        .isEqualTo(
            "n\n0\n1\n(cut after 2 rows, there are more; sum up, use LIMIT and OFFSET, or give more rows)\n");
    String wide = "SELECT repeat('x', 1000) AS x FROM range(1000000)";
    assertThat(tool(false, "query", "sql", wide, "rows", 10_000))
        .hasSizeBetween(Written.MOST, Written.MOST + 2000)
        .contains("(cut after ");
  }

  @Test
  void questionsTakeTheirTimeAtMost() throws Exception {
    assertThat(tool(true, "query", "sql", ENDLESS, "seconds", 1))
        .isEqualTo("it took more than 1 seconds; ask for less, or give more with seconds");
    assertThat(tool(false, "query", "sql", "SELECT 1 AS n")).isEqualTo("n\n1\n(1 row)\n");
  }

  /** Whoever has cancelled one question gets an answer to the next. */
  @Test
  void questionsCanBeCancelled() throws Exception {
    tool(false, "query", "sql", "SELECT 1 AS n");
    int endless = client.begin("tools/call", call("query", "sql", ENDLESS, "seconds", 3600));
    ObjectNode cancel = json.createObjectNode().put("method", "notifications/cancelled");
    cancel.putObject("params").put("requestId", endless).put("reason", "test");
    client.send(cancel);
    // To what was cancelled there is no answer.
    assertThat(tool(false, "query", "sql", "SELECT 2 AS n")).isEqualTo("n\n2\n(1 row)\n");
  }

  /** The program that asks has gone: nobody waits for an answer. */
  @Test
  void theEndOfRequestsEndsQuestions() throws Exception {
    client.begin("tools/call", call("query", "sql", ENDLESS, "seconds", 3600));
    client.hangUp();
  }

  /** It fills memory for seconds, and looks for no end. */
  @Test
  void whatNothingElseEndsIsEndedWithItsProcess() throws Exception {
    assertThat(tool(true, "query", "sql", UNSTOPPABLE, "seconds", 600))
        .isEqualTo("it took more than 1200 MB of memory; ask for less");
    assertThat(tool(false, "tables", "table", "gaps")).contains("gaps\n");
    assertThat(tool(false, "query", "sql", "SELECT 1 AS n")).isEqualTo("n\n1\n(1 row)\n");
  }

  /** A client hears that somebody is there, whatever is being answered. */
  @Test
  void pingsAreAnsweredMeanwhile() throws Exception {
    int endless = client.begin("tools/call", call("query", "sql", ENDLESS, "seconds", 2));
    assertThat(client.ask("ping").path("result").isObject()).isTrue();
    assertThat(client.answer().path("id").asInt()).isEqualTo(endless);
  }

  /** Nothing that is given becomes an option, a file, or text among the messages. */
  @Test
  void argumentsAreNothingElse() throws Exception {
    Path script = folder.resolve("own.js");
    Files.writeString(script, "function accept(event) { throw new Error('was run'); }");
    Path rules = Files.writeString(folder.resolve("rules"), "no loss\n");
    List<String> hostile =
        List.of("--help", "-h", "-V", "--", "@" + rules, rules.toString(), script.toString(), "-");
    for (JsonNode tool : client.ask("tools/list").at("/result/tools")) {
      for (String argument :
          (Iterable<String>) () -> tool.at("/inputSchema/properties").fieldNames()) {
        for (String value : hostile) {
          ObjectNode call = call(tool.path("name").asText(), argument, value);
          tool.at("/inputSchema/required")
              .forEach(each ->
                  call.withObject("/arguments")
                      .putIfAbsent(each.asText(), json.getNodeFactory().textNode("x")));
          JsonNode result = client.ask("tools/call", call).path("result");
          assertThat(result.findValuesAsText("text").toString())
              .as("%s %s=%s", tool.path("name"), argument, value)
              .doesNotContain("Usage:", "was run", "kymo 0.")
              .hasSizeGreaterThan(2);
        }
      }
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("one.kymo", "two.kymo", "own.js", "rules");
    }
  }
}
