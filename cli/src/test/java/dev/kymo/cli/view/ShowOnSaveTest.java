package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.RecordingBuilder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A viewer whose scripts are edited while it is open. */
class ShowOnSaveTest {
  @TempDir Path folder;
  private Path script = Path.of("");
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private final HttpClient client =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  private Thread viewer = Thread.currentThread();
  private URI link = URI.create("");

  @BeforeEach
  void prepare() {
    script = folder.resolve("chosen.js");
  }

  @AfterEach
  void end() throws Exception {
    client.close();
    viewer.interrupt();
    assertThat(exit.get(60, TimeUnit.SECONDS)).isZero();
  }

  /** Runs {@code kymo view}. */
  private void view(String... options) throws Exception {
    PipedInputStream in = new PipedInputStream();
    PipedOutputStream out = new PipedOutputStream(in);
    List<String> words = new ArrayList<>(List.of("view", "--no-browser"));
    words.addAll(List.of(options));
    viewer =
        Thread.ofPlatform()
            .start(() ->
                exit.complete(
                    Kymo.run(
                        words.toArray(String[]::new),
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8))));
    String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    assertThat(line).as(err.toString(StandardCharsets.UTF_8)).isNotNull();
    link = URI.create(line.replaceAll(".*(http\\S+).*", "$1"));
    client.send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.ofString());
  }

  private String ask(String question) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(link.resolve("/api/" + question)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private String ready(String question) throws Exception {
    String answer = ask(question);
    while (answer.startsWith("{\"progress\"")) {
      answer = ask(question);
    }
    return answer;
  }

  /**
   * What the small question that the page asks all the time is answered with, once it has a part.
   */
  private String await(String part) throws Exception {
    String answer = ask("growth");
    while (!answer.contains(part)) {
      assertThat(viewer.isAlive()).as(err.toString(StandardCharsets.UTF_8)).isTrue();
      Thread.sleep(20);
      answer = ask("growth");
    }
    return answer;
  }

  private void save(String function) throws Exception {
    Path next = folder.resolve("next");
    Files.writeString(next, function);
    Files.move(next, script, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path recording() {
    RecordingBuilder recording = new RecordingBuilder();
    recording.process(1).thread(1, 1, "main");
    recording.method(1, 7, "a.B", "run").method(1, 8, "a.C", "go");
    recording.ring(1, 0, 1).enter(100, 7).leave(200, 7).enter(300, 8).leave(500, 8);
    return recording.write(folder.resolve("run.kymo"));
  }

  @Test
  void showsWhatTheSavedScriptChooses() throws Exception {
    save("function accept(event) { return event.name == 'a.B.run'; }");
    view(recording().toString(), "--filter", script.toString());
    await("\"edition\":1,\"news\":\"\"");
    assertThat(ready("summary")).contains("\"calls\":[1]");
    String whole = ready("summary");

    save("function accept(event) { return true; } // all of them");
    await("\"edition\":2,\"news\":\"\"");
    assertThat(ready("summary")).contains("\"calls\":[1,1]").isNotEqualTo(whole);
    assertThat(ask("recording")).contains("\"edition\":2");
  }

  @Test
  void whatWasShownStaysIfTheSavedScriptIsWrong() throws Exception {
    save("function accept(event) { return event.name == 'a.B.run'; }");
    view(recording().toString(), "--filter", script.toString());
    String before = ready("summary");

    save("function accept(event) {\n  return event.name ==;\n}");
    assertThat(await("script is not valid"))
        .contains("\"edition\":1", "file=" + script + " line=2 column=");
    assertThat(ready("summary")).isEqualTo(before);

    Files.delete(script); // nothing happens until it is there again
    save("function accept(event) { return event.name != 'a.B.run'; }");
    await("\"edition\":2,\"news\":\"\"");
    assertThat(ready("summary")).isNotEqualTo(before);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("script is not valid");
  }

  @Test
  void showsActivitiesOfTheSavedDeclaration() throws Exception {
    script = folder.resolve("activities.txt");
    save("run: begin=a.B.run end=a.B.run\n");
    view(recording().toString(), "--activities", script.toString());
    assertThat(ask("recording")).contains("\"name\":\"run\"").doesNotContain("\"name\":\"going\"");

    save("run: begin=a.B.run end=a.B.run\ngoing: begin=a.C.go end=a.C.go\n");
    await("\"edition\":2");
    assertThat(ask("recording")).contains("\"name\":\"run\"", "\"name\":\"going\"");
  }

  @Test
  void withoutFilesThereIsOneEdition() throws Exception {
    view(recording().toString(), "--activities", "run: begin=a.B.run end=a.B.run");
    assertThat(ask("growth")).doesNotContain("edition");
  }
}
