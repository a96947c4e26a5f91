package dev.kymo.cli.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.drain.Version;
import dev.kymo.query.worker.StoppedException;
import dev.kymo.query.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A conversation in the Model Context Protocol: JSON-RPC, a line a message. Requests are read while
 * a tool works, so that it can be cancelled, and so that the client hears that somebody is there.
 */
final class Conversation {
  /**
   * Versions of the protocol that differ in nothing that is used here; the last one is the latest.
   */
  private static final List<String> VERSIONS =
      List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

  private static final int NOT_JSON = -32700;
  private static final int NO_REQUEST = -32600;
  private static final int NO_METHOD = -32601;
  private static final int WRONG_PARAMETERS = -32602;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Map<String, OpenRecording> recordings;
  private final Worker worker;
  private final OutputStream out;
  private final ObjectMapper json = new ObjectMapper();
  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("kymo asks").factory());

  /** Questions that wait for an answer, by the identity of their request. */
  private final Map<JsonNode, Progress> asked = new ConcurrentHashMap<>();

  /**
   * A conversation.
   *
   * @param recordings that are asked about; only their names are used
   */
  Conversation(Map<String, OpenRecording> recordings, Worker worker, OutputStream out) {
    this.recordings = recordings;
    this.worker = worker;
    this.out = out;
  }

  /** A request that cannot be answered; the number says why. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final int number;

    RefusedException(int number, String why) {
      super(why);
      this.number = number;
    }
  }

  /** Talks until there are no more requests, or nobody reads the answers. */
  void run(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        take(line);
      }
    }
    asked.values().forEach(Progress::giveUp);
  }

  private void take(String line) throws IOException {
    JsonNode message;
    try {
      message = json.readTree(line);
    } catch (JsonProcessingException e) {
      refuse(NODES.nullNode(), new RefusedException(NOT_JSON, "a line is no JSON"));
      return;
    }
    JsonNode id = message.path("id");
    try {
      if (!message.path("jsonrpc").asText().equals("2.0")) {
        throw new RefusedException(NO_REQUEST, "no message of JSON-RPC 2.0");
      }
      if (!message.has("method")) {
        mustBeAnswer(message);
      } else if (message.has("id")) {
        mustBeIdentity(id);
        request(id, message.path("method").asText(), message.path("params"));
      } else if (message.path("method").asText().equals("notifications/cancelled")) {
        cancel(message.path("params").path("requestId"));
      } // of other notifications nothing is made
    } catch (RefusedException e) {
      refuse(id.isTextual() || id.isIntegralNumber() ? id : NODES.nullNode(), e);
    }
  }

  /** Nothing is asked of the client, so answers of it are of no use, but no mistake. */
  private static void mustBeAnswer(JsonNode message) throws RefusedException {
    if (!message.has("result") && !message.has("error")) {
      throw new RefusedException(NO_REQUEST, "a message without a method");
    }
  }

  private void mustBeIdentity(JsonNode id) throws RefusedException {
    if (!id.isTextual() && !id.isIntegralNumber()) {
      throw new RefusedException(NO_REQUEST, "the id of a request is a text or a whole number");
    }
    if (asked.containsKey(id)) {
      throw new RefusedException(NO_REQUEST, "a request with this id is not answered yet");
    }
  }

  private void request(JsonNode id, String method, JsonNode parameters)
      throws IOException, RefusedException {
    switch (method) {
      case "initialize" -> answer(id, greeting(parameters));
      case "ping" -> answer(id, NODES.objectNode());
      case "tools/list" -> answer(id, tools());
      case "tools/call" -> call(id, parameters);
      default -> throw new RefusedException(NO_METHOD, "no such method: " + method);
    }
  }

  private ObjectNode greeting(JsonNode parameters) {
    String wanted = parameters.path("protocolVersion").asText();
    ObjectNode greeting = NODES.objectNode();
    greeting.put("protocolVersion", VERSIONS.contains(wanted) ? wanted : VERSIONS.getLast());
    greeting.putObject("capabilities").putObject("tools");
    greeting.putObject("serverInfo").put("name", "kymo").put("version", Version.TEXT);
    return greeting.put(
        "instructions",
        "Recordings of what every thread of a program did, call by call: "
            + String.join(", ", recordings.keySet())
            + ". Begin with facts and report; find and why explain single calls; query answers"
            + " anything else in SQL.");
  }

  private ObjectNode tools() {
    ObjectNode all = NODES.objectNode();
    var list = all.putArray("tools");
    for (Tool tool : Tools.of(recordings)) {
      ObjectNode described = list.addObject();
      described.put("name", tool.name()).put("description", tool.description());
      described.putObject("annotations").put("readOnlyHint", true).put("openWorldHint", false);
      ObjectNode schema = described.putObject("inputSchema").put("type", "object");
      ObjectNode properties = schema.putObject("properties");
      var required = schema.putArray("required");
      for (Tool.Argument each : Tools.arguments(tool, recordings)) {
        properties
            .putObject(each.name())
            .put("type", each.type())
            .put("description", each.meaning());
        if (each.required()) {
          required.add(each.name());
        }
      }
      schema.put("additionalProperties", false);
    }
    return all;
  }

  private void call(JsonNode id, JsonNode parameters) throws RefusedException {
    JsonNode arguments = parameters.path("arguments");
    if (!arguments.isMissingNode() && !arguments.isNull() && !arguments.isObject()) {
      throw new RefusedException(WRONG_PARAMETERS, "the arguments of a tool are an object");
    }
    Tool tool;
    try {
      tool = Tools.named(recordings, parameters.path("name").asText());
    } catch (MistakeException e) {
      throw new RefusedException(WRONG_PARAMETERS, String.valueOf(e.getMessage()));
    }
    Progress by = new Progress();
    asked.put(id, by);
    JsonNode given = arguments.isObject() ? arguments : NODES.objectNode();
    asking.execute(() -> answer(id, tool, given, by));
  }

  /** The client may not want it any more; then it gets no answer. */
  private void cancel(JsonNode id) {
    Progress known = asked.get(id);
    if (known != null) {
      known.giveUp();
    }
  }

  private void answer(JsonNode id, Tool tool, JsonNode arguments, Progress by) {
    try {
      Tool.Answer answer = ask(tool, arguments, by);
      asked.remove(id);
      if (!by.isGivenUp()) {
        answer(id, result(answer));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      asked.remove(id);
      answerFailed(id, e);
    }
  }

  private Tool.Answer ask(Tool tool, JsonNode arguments, Progress by)
      throws IOException, InterruptedException {
    long seconds = tool.seconds(arguments.path(Tool.SECONDS).asText(""));
    try {
      String question = ToolAnswers.question(json, tool.name(), arguments);
      return ToolAnswers.answer(json, worker.ask(question, seconds, by));
    } catch (StoppedException e) {
      return Tool.Answer.error(String.valueOf(e.getMessage()));
    }
  }

  private void answerFailed(JsonNode id, IOException why) {
    try {
      answer(id, result(Tool.Answer.error("failed: error=\"" + why.getMessage() + "\"")));
    } catch (IOException e) {
      // Nobody reads any more.
    }
  }

  private static ObjectNode result(Tool.Answer answer) {
    ObjectNode result = NODES.objectNode();
    var content = result.putArray("content");
    if (answer.png().length > 0) {
      content
          .addObject()
          .put("type", "image")
          .put("data", Base64.getEncoder().encodeToString(answer.png()))
          .put("mimeType", "image/png");
    }
    content.addObject().put("type", "text").put("text", answer.text());
    return result.put("isError", answer.isError());
  }

  private void answer(JsonNode id, ObjectNode result) throws IOException {
    write(id, "result", result);
  }

  private void refuse(@Nullable JsonNode id, RefusedException why) throws IOException {
    ObjectNode error = NODES.objectNode().put("code", why.number);
    write(id, "error", error.put("message", why.getMessage()));
  }

  private synchronized void write(@Nullable JsonNode id, String name, ObjectNode value)
      throws IOException {
    ObjectNode message = NODES.objectNode().put("jsonrpc", "2.0");
    message.set("id", id);
    message.set(name, value);
    out.write((json.writeValueAsString(message) + '\n').getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
