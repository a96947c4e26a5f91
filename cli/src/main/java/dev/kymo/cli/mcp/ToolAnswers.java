package dev.kymo.cli.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.query.worker.WorkerLoop;
import dev.kymo.reader.RecordingException;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Answers in the process that works for {@link Conversation}:
 *
 * <pre>
 *   {"tool": "query", "arguments": {...}}
 *   {"text": "...", "png": "BASE64", "error": false}
 * </pre>
 */
final class ToolAnswers implements WorkerLoop.Answerer {
  private final Map<String, OpenRecording> recordings;
  private final ObjectMapper json = new ObjectMapper();

  ToolAnswers(Map<String, OpenRecording> recordings) {
    this.recordings = recordings;
  }

  static String question(ObjectMapper json, String tool, JsonNode arguments)
      throws JsonProcessingException {
    return json.writeValueAsString(Map.of("tool", tool, "arguments", arguments));
  }

  static Tool.Answer answer(ObjectMapper json, String text) throws JsonProcessingException {
    JsonNode answer = json.readTree(text);
    return new Tool.Answer(
        answer.path("text").asText(),
        Base64.getDecoder().decode(answer.path("png").asText()),
        answer.path("error").asBoolean());
  }

  @Override
  public String answer(String question, Progress progress) {
    try {
      JsonNode asked = json.readTree(question);
      Tool.Answer answer = answer(asked.path("tool").asText(), asked.path("arguments"), progress);
      if (answer.isError()) {
        progress.check(); // then that is why
      }
      return json.writeValueAsString(
          Map.of(
              "text", answer.text(),
              "png", Base64.getEncoder().encodeToString(answer.png()),
              "error", answer.isError()));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Tool.Answer answer(String name, JsonNode arguments, Progress progress) {
    try {
      Tool tool = Tools.named(recordings, name);
      Given given = new Given(values(arguments), Tools.arguments(tool, recordings));
      given.number(Tool.SECONDS, tool.seconds(), 1, Tool.MOST_SECONDS);
      return tool.answer(recording(given), given, progress);
    } catch (MistakeException | UsageException | RecordingException e) {
      return Tool.Answer.error(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      return Tool.Answer.error(String.valueOf(e.getMessage()).strip());
    } catch (CancellationException e) {
      throw e;
    } catch (IOException | RuntimeException | StackOverflowError e) {
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
