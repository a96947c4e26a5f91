package dev.kymo.cli.mcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.drain.Version;
import dev.kymo.reader.RecordingException;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

/** Offers the tools to one program, on a pair of streams. Questions are answered one by one. */
final class ToolServer {
  private static final String RECORDING = "recording";

  private final Map<String, OpenRecording> recordings;
  private final ObjectMapper json = new ObjectMapper();
  private final Requests requests;

  ToolServer(Map<String, OpenRecording> recordings, InputStream in) {
    this.recordings = recordings;
    this.requests = new Requests(in, json);
  }

  /** Answers until there are no more questions. */
  void run(OutputStream out) throws InterruptedException {
    JacksonMcpJsonMapper mapper = new JacksonMcpJsonMapper(json);
    McpSyncServer server =
        McpServer.sync(new StdioServerTransportProvider(mapper, requests, out))
            .serverInfo("kymo", Version.TEXT)
            .instructions(instructions())
            .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
            .jsonMapper(mapper)
            .jsonSchemaValidator(new NoValidator())
            .validateToolInputs(false) // the tools say better what is wrong
            .tools(Tools.of(recordings).stream().map(this::specification).toList())
            .build();
    requests.awaitEnd();
    requests.cancelAll();
    synchronized (this) {
      server.closeGracefully();
    }
  }

  /** Arguments are looked at by {@link Given}. */
  private static final class NoValidator implements JsonSchemaValidator {
    @Override
    public ValidationResponse validate(Map<String, Object> schema, Object content) {
      return ValidationResponse.asValid(null);
    }
  }

  private String instructions() {
    return "Recordings of what every thread of a program did, call by call: "
        + String.join(", ", recordings.keySet())
        + ". Begin with facts and report; find and why explain single calls; query answers anything"
        + " else in SQL.";
  }

  private List<Tool.Argument> arguments(Tool tool) {
    List<Tool.Argument> all = new ArrayList<>(tool.arguments());
    if (recordings.size() > 1) {
      all.add(
          Tool.Argument.text(
              RECORDING, "one of %s; default: the first".formatted(recordings.keySet())));
    }
    return all;
  }

  private SyncToolSpecification specification(Tool tool) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Tool.Argument argument : arguments(tool)) {
      properties.put(
          argument.name(), Map.of("type", argument.type(), "description", argument.meaning()));
    }
    Map<String, Object> schema = new HashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put(
        "required",
        tool.arguments().stream()
            .filter(Tool.Argument::required)
            .map(Tool.Argument::name)
            .collect(Collectors.toList()));
    McpSchema.ToolAnnotations readOnly =
        McpSchema.ToolAnnotations.builder().readOnlyHint(true).openWorldHint(false).build();
    McpSchema.Tool described =
        McpSchema.Tool.builder(tool.name(), schema)
            .description(tool.description())
            .annotations(readOnly)
            .build();
    return SyncToolSpecification.builder()
        .tool(described)
        .callHandler((exchange, request) -> answer(tool, request))
        .build();
  }

  private McpSchema.CallToolResult answer(Tool tool, McpSchema.CallToolRequest request) {
    Map<String, Object> meta = request.meta() == null ? Map.of() : request.meta();
    String number = String.valueOf(meta.get(Requests.NUMBER));
    Asked asked = requests.begin(number);
    try {
      return result(answer(tool, request.arguments(), asked));
    } finally {
      requests.end(number);
    }
  }

  private synchronized Tool.Answer answer(Tool tool, Map<String, Object> arguments, Asked asked) {
    if (asked.isCancelled()) {
      return Tool.Answer.error("cancelled");
    }
    try {
      Given given = new Given(arguments, arguments(tool));
      return tool.answer(recording(given), given, asked);
    } catch (MistakeException | UsageException | RecordingException e) {
      return Tool.Answer.error(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      return Tool.Answer.error(String.valueOf(e.getMessage()).strip());
    } catch (CancellationException e) {
      return Tool.Answer.error("cancelled");
    } catch (IOException | RuntimeException e) {
      return Tool.Answer.error("failed: error=\"" + e + "\"");
    } catch (OutOfMemoryError e) {
      return Tool.Answer.error("not enough memory; ask for less");
    }
  }

  private OpenRecording recording(Given given) {
    String name = given.text(RECORDING).orElse(recordings.keySet().iterator().next());
    OpenRecording found = recordings.get(name);
    if (found == null) {
      throw new MistakeException(
          "no such recording: %s; one of %s".formatted(name, recordings.keySet()));
    }
    return found;
  }

  private static McpSchema.CallToolResult result(Tool.Answer answer) {
    List<McpSchema.Content> content = new ArrayList<>();
    if (answer.png().length > 0) {
      String data = Base64.getEncoder().encodeToString(answer.png());
      content.add(McpSchema.ImageContent.builder(data, "image/png").build());
    }
    content.add(McpSchema.TextContent.builder(answer.text()).build());
    return McpSchema.CallToolResult.builder(content).isError(answer.isError()).build();
  }
}
