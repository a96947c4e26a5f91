package dev.kymo.e2e.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.testkit.RecordingBuilder;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as its user has it: what it starts goes with it, however it ends. */
@Timeout(600)
class ServeTest {
  private static final String LINK = "http://";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "KILL"})
  void nothingIsLeftOfQuestions(String signal) throws Exception {
    RecordingBuilder one = new RecordingBuilder().process(1).thread(1, 1, "main");
    one.method(1, 1, "a.B", "work").ring(1, 0, 1).enter(100, 1).leave(300, 1);
    Path recording = one.write(folder.resolve("r.kymo"));
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    Process server = Kymo.start(folder, environment, "serve", "--api", recording.toString());
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      String first = said.readLine();
      URI at = URI.create(first.substring(first.indexOf(LINK)).split(" ")[0]).resolve("/api/query");
      String[] header = said.readLine().split(": ", 2);
      HttpRequest request =
          HttpRequest.newBuilder(at)
              .header(header[0], header[1])
              .POST(HttpRequest.BodyPublishers.ofString("SELECT count(*) AS n FROM calls"))
              .build();
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).body())
          .startsWith("{\"n\":");
      List<ProcessHandle> workers = server.descendants().toList();
      assertThat(workers).hasSize(1);
      Kymo.signal(server, signal);
      server.waitFor();
      workers.getFirst().onExit().join();
    } finally {
      server.destroyForcibly().waitFor();
    }
    if (signal.equals("KILL")) { // the next command removes what is left
      String[] next = {"query", recording.toString(), "SELECT 1"};
      assertThat(Kymo.runIn(folder, environment, "", next).exit()).isZero();
    }
    try (var left = Files.list(temporary)) {
      assertThat(left).isEmpty();
    }
  }
}
