package dev.kymo.cli.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kymo.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the program that asks, one a line, on their way to the SDK. It does not hand
 * cancellations on to tools, and does not tell them which request they answer: that is done here. A
 * request gets its number into its metadata; a cancellation is noted.
 */
final class Requests extends InputStream {
  /** Name of the number in a request's metadata. */
  static final String NUMBER = "dev.kymo/request";

  private final InputStream from;
  private final ObjectMapper json;
  private final Map<String, Asked> asked = new ConcurrentHashMap<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private byte[] line = new byte[0];
  private int at;

  Requests(InputStream from, ObjectMapper json) {
    this.from = from;
    this.json = json;
  }

  /** The question with a number. */
  Asked begin(String number) {
    return asked.computeIfAbsent(number, none -> new Asked());
  }

  /** A question is answered. */
  void end(String number) {
    asked.remove(number);
  }

  /** Waits until there will be no more requests. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Nobody wants an answer any more. */
  void cancelAll() {
    asked.values().forEach(Asked::cancel);
  }

  @Override
  public int read() throws IOException {
    return fill() ? line[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] to, int begin, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int taken = Math.min(count, line.length - at);
    System.arraycopy(line, at, to, begin, taken);
    at += taken;
    return taken;
  }

  private boolean fill() throws IOException {
    if (at < line.length) {
      return true;
    }
    String next = nextLine();
    while (next != null) {
      String seen = seen(next);
      if (!seen.isEmpty()) {
        line = seen.getBytes(StandardCharsets.UTF_8);
        at = 0;
        return true;
      }
      next = nextLine();
    }
    ended.countDown();
    return false;
  }

  private @Nullable String nextLine() throws IOException {
    ByteArrayOutputStream next = new ByteArrayOutputStream();
    int c = from.read();
    while (c >= 0 && c != '\n') {
      next.write(c);
      c = from.read();
    }
    return c < 0 && next.size() == 0 ? null : next.toString(StandardCharsets.UTF_8);
  }

  /** A line as it goes on, with its end; empty = it is no message: the SDK would read no more. */
  private String seen(String request) {
    try {
      JsonNode node = json.readTree(request);
      if (!node.path("jsonrpc").asText().equals("2.0")) {
        return refused(request);
      }
      String method = node.path("method").asText();
      if (method.equals("notifications/cancelled")) {
        Asked known = asked.get(node.path("params").path("requestId").toString());
        if (known != null) {
          known.cancel();
        }
      } else if (method.equals("tools/call") && node.path("params") instanceof ObjectNode params) {
        String number = node.path("id").toString();
        asked.put(number, new Asked());
        params.withObject("/_meta").put(NUMBER, number);
        return json.writeValueAsString(node) + '\n';
      }
      return request + '\n';
    } catch (JsonProcessingException | UnsupportedOperationException e) {
      return refused(request);
    }
  }

  private static String refused(String request) {
    if (!request.isBlank()) {
      Terminal.say("a line on standard input is no message: characters=" + request.length());
    }
    return "";
  }
}
