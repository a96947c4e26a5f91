package dev.kymo.cli.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.reader.RecordingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Answers one question after the other in a process of its own, so that {@link Worker}, which
 * started it, can end any of them for certain. Lines of JSON go both ways:
 *
 * <pre>
 *   {"ready": true}                                   at the begin
 *   {"ask": 7, "tool": "query", "arguments": {...}}   from the worker's owner
 *   {"cancel": 7}                                     likewise: the answer may be short now
 *   {"answer": 7, "text": "...", "png": "BASE64", "error": false}
 * </pre>
 */
final class AnswerLoop {
  private final Map<String, OpenRecording> recordings;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<Long, Asked> asked = new ConcurrentHashMap<>();
  private final OutputStream out;

  AnswerLoop(Map<String, OpenRecording> recordings, OutputStream out) {
    this.recordings = recordings;
    this.out = out;
  }

  /** Answers until nobody asks any more; a question may still be worked on then. */
  void run(InputStream in) throws IOException {
    ExecutorService answering =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("kymo answers").factory());
    write(Map.of("ready", true));
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode message = json.readTree(line);
      if (message.has("cancel")) {
        Asked known = asked.get(message.path("cancel").asLong());
        if (known != null) {
          known.cancel();
        }
      } else {
        long number = message.path("ask").asLong();
        asked.put(number, new Asked());
        answering.execute(() -> answer(number, message));
      }
    }
    asked.values().forEach(Asked::cancel);
  }

  private void answer(long number, JsonNode message) {
    Asked by = asked.getOrDefault(number, new Asked());
    Tool.Answer answer = answer(message.path("tool").asText(), message.path("arguments"), by);
    asked.remove(number);
    try {
      write(
          Map.of(
              "answer", number,
              "text", answer.text(),
              "png", Base64.getEncoder().encodeToString(answer.png()),
              "error", answer.isError()));
    } catch (IOException e) {
      // Nobody is there any more.
    }
  }

  private synchronized void write(Map<String, Object> message) throws IOException {
    out.write((json.writeValueAsString(message) + '\n').getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private Tool.Answer answer(String name, JsonNode arguments, Asked by) {
    if (by.isCancelled()) {
      return Tool.Answer.error(Asked.CANCELLED);
    }
    try {
      Tool tool = Tools.named(recordings, name);
      Given given = new Given(values(arguments), Tools.arguments(tool, recordings));
      given.number(Tool.SECONDS, tool.seconds(), 1, Tool.MOST_SECONDS);
      return tool.answer(recording(given), given, by);
    } catch (MistakeException | UsageException | RecordingException e) {
      return Tool.Answer.error(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      return Tool.Answer.error(
          by.isCancelled() ? Asked.CANCELLED : String.valueOf(e.getMessage()).strip());
    } catch (CancellationException e) {
      return Tool.Answer.error(Asked.CANCELLED);
    } catch (IOException | RuntimeException e) {
      return Tool.Answer.error("failed: error=\"" + e + "\"");
    } catch (OutOfMemoryError e) {
      return Tool.Answer.error("not enough memory; ask for less");
    }
  }

  private @Nullable Map<String, Object> values(JsonNode arguments) throws JsonProcessingException {
    return json.treeToValue(arguments, new TypeReference<Map<String, Object>>() {});
  }

  private OpenRecording recording(Given given) {
    String name = given.text(Tools.RECORDING).orElse(recordings.keySet().iterator().next());
    OpenRecording found = recordings.get(name);
    if (found == null) {
      throw new MistakeException(
          "no such recording: %s; one of %s".formatted(name, recordings.keySet()));
    }
    return found;
  }
}
