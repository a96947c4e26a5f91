package dev.kymo.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kymo.query.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** A program that talks to a server in the same process: a line a message. */
final class Client implements AutoCloseable {
  final ObjectMapper json = new ObjectMapper();
  private final Worker worker;
  private final PipedOutputStream requests = new PipedOutputStream();
  private final BufferedReader answers;
  private final Thread server;
  private int number;

  Client(Map<String, OpenRecording> recordings, Worker worker) throws IOException {
    this.worker = worker;
    PipedInputStream in = new PipedInputStream(requests, 1 << 16);
    PipedInputStream answered = new PipedInputStream(1 << 20);
    OutputStream out = new PipedOutputStream(answered);
    answers = new BufferedReader(new InputStreamReader(answered, StandardCharsets.UTF_8));
    Conversation conversation = new Conversation(recordings, worker, out);
    server =
        Thread.ofPlatform()
            .start(() -> {
              try {
                conversation.run(in);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  void sendLine(String line) throws IOException {
    requests.write((line + '\n').getBytes(StandardCharsets.UTF_8));
    requests.flush();
  }

  void send(ObjectNode message) throws IOException {
    sendLine(json.writeValueAsString(message.put("jsonrpc", "2.0")));
  }

  /** Sends a request; returns its number. */
  int begin(String method, JsonNode params) throws IOException {
    ObjectNode request = json.createObjectNode().put("id", ++number).put("method", method);
    request.set("params", params);
    send(request);
    return number;
  }

  JsonNode answer() throws IOException {
    return json.readTree(answers.readLine());
  }

  JsonNode ask(String method, JsonNode params) throws IOException {
    int id = begin(method, params);
    JsonNode answer = answer();
    assertThat(answer.path("id").asInt()).isEqualTo(id);
    return answer;
  }

  JsonNode ask(String method) throws IOException {
    return ask(method, json.createObjectNode());
  }

  /** Sends no more; the server ends by that. */
  void hangUp() throws Exception {
    requests.close();
    assertThat(server.join(Duration.ofMinutes(1))).isTrue();
  }

  @Override
  public void close() throws Exception {
    hangUp();
    worker.close();
  }
}
