package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of a table as each of those shows them who show it: by id of the column, each value as a
 * program reads it in CSV.
 */
public final class TableFaces implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path recording;
  private final Timeline timeline;
  private final KymoServer server;
  private final HttpClient client =
      HttpClient.newBuilder()
          .cookieHandler(new CookieManager())
          .followRedirects(HttpClient.Redirect.ALWAYS)
          .build();

  public TableFaces(Path recording) throws Exception {
    this.recording = recording;
    timeline = Timelines.open(recording, ProgressListener.NONE);
    server = KymoServer.start(timeline, 0);
    get(server.uri());
  }

  private HttpResponse<String> get(URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** What the viewer's server answers. */
  public JsonNode ask(String question) throws Exception {
    HttpResponse<String> answer = get(server.uri().resolve("/api/" + question));
    while (answer.statusCode() == 202) {
      answer = get(server.uri().resolve("/api/" + question));
    }
    return JSON.readTree(answer.body());
  }

  /** A report as JSON. */
  public JsonNode report(String... options) throws Exception {
    return JSON.readTree(written(options, "--json"));
  }

  /** The rows that SQL answers with. */
  public List<JsonNode> query(String sql) throws Exception {
    String rows = Kymo.run("query", "--format", "json", recording.toString(), sql).out();
    try (MappingIterator<JsonNode> each = JSON.readerFor(JsonNode.class).readValues(rows)) {
      return each.readAll();
    }
  }

  private String written(String[] options, String format) throws Exception {
    List<String> words = new ArrayList<>(List.of("report"));
    words.addAll(List.of(options));
    words.addAll(List.of(format, recording.toString()));
    Kymo.Result result = Kymo.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  /** The rows in a report's JSON. */
  public List<Map<String, String>> json(String table, String... options) throws Exception {
    List<Map<String, String>> rows = new ArrayList<>();
    for (JsonNode each : report(options).path(table)) {
      Map<String, String> row = new TreeMap<>();
      each.properties().forEach(cell -> row.put(id(cell.getKey()), text(cell.getValue())));
      rows.add(row);
    }
    return rows;
  }

  /** The rows in a report's CSV. */
  public List<Map<String, String>> csv(String... options) throws Exception {
    List<List<String>> lines = cells(written(options, "--csv"));
    List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> line : lines.subList(1, lines.size())) {
      assertThat(line).hasSameSizeAs(lines.getFirst());
      Map<String, String> row = new TreeMap<>();
      for (int i = 0; i < line.size(); i++) {
        row.put(lines.getFirst().get(i).replaceFirst("_(ns|bytes)$", ""), line.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  /** The rows that the server sends to the viewer. */
  public List<Map<String, String>> viewer(String table, String question) throws Exception {
    JsonNode answer = ask(question).path(table);
    List<Map<String, String>> rows = new ArrayList<>();
    for (int i = 0; i < answer.path("rows").asInt(); i++) {
      Map<String, String> row = new TreeMap<>();
      for (JsonNode column : answer.path("columns")) {
        row.put(column.path("id").asText(), text(column.path("values").path(i)));
      }
      rows.add(row);
    }
    return rows;
  }

  /** The rows of a table of SQL, in no order. */
  public List<Map<String, String>> sql(String table) throws Exception {
    List<Map<String, String>> rows = new ArrayList<>();
    for (JsonNode each : query("SELECT * FROM " + table)) {
      Map<String, String> row = new TreeMap<>();
      each.properties()
          .forEach(cell -> {
            boolean address = cell.getKey().equals("address");
            String text = text(cell.getValue());
            row.put(
                cell.getKey(),
                address ? "0x" + Long.toHexString(Long.parseUnsignedLong(text)) : text);
          });
      row.remove("recording");
      rows.add(row);
    }
    return rows;
  }

  private static String text(JsonNode value) {
    return value.isNull() || value.isMissingNode() ? "" : value.asText();
  }

  /** The words of a JSON field, with underscores between them. */
  private static String id(String field) {
    StringBuilder id = new StringBuilder();
    for (String word : field.split("(?=[A-Z])")) {
      id.append(id.isEmpty() ? "" : "_").append(word.toLowerCase(Locale.ROOT));
    }
    return id.toString();
  }

  /** Comma-separated values; a quoted one may contain commas, quotes and line ends. */
  private static List<List<String>> cells(String csv) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < csv.length(); i++) {
      char c = csv.charAt(i);
      if (c == '"') {
        boolean doubled = quoted && i + 1 < csv.length() && csv.charAt(i + 1) == '"';
        cell.append(doubled ? "\"" : "");
        i += doubled ? 1 : 0;
        quoted ^= !doubled;
      } else if (!quoted && (c == ',' || c == '\n')) {
        line.add(cell.toString());
        cell.setLength(0);
        if (c == '\n') {
          lines.add(line);
          line = new ArrayList<>();
        }
      } else {
        cell.append(c);
      }
    }
    return lines;
  }

  @Override
  public void close() {
    client.close();
    server.close();
    timeline.close();
  }
}
