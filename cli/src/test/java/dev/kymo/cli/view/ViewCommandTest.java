package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.RecordingBuilder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewCommandTest {
  @TempDir Path folder;

  @Test
  void servesUntilItIsInterrupted() throws Exception {
    PipedInputStream in = new PipedInputStream();
    OutputStream out = new PipedOutputStream(in);
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() ->
                exit.complete(
                    view(
                        out, new ByteArrayOutputStream(), recording().toString(), "--no-browser")));
    String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    assertThat(line)
        .matches("run\\.kymo: http://127\\.0\\.0\\.1:\\d+/\\?token=[\\w-]{32}  \\(Ctrl-C ends\\)");
    try (HttpClient client = browser()) {
      URI link = URI.create(line.replaceAll(".*(http\\S+).*", "$1"));
      client.send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.ofString());
      HttpRequest request =
          HttpRequest.newBuilder(
                  link.resolve("/api/window?from=0&to=100&resolution=0&tracks=0&depth=0"))
              .build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      while (answer.statusCode() != 200) { // the page is there before the recording is read
        answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      }
      assertThat(answer.body()).contains("\"begin\":[0],\"end\":[100]");
    }
    thread.interrupt();
    assertThat(exit.get(600, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void servesSeveralRecordings() throws Exception {
    PipedInputStream in = new PipedInputStream();
    OutputStream out = new PipedOutputStream(in);
    String first = recording().toString();
    String second = recording("other.kymo").toString();
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() ->
                exit.complete(
                    view(out, new ByteArrayOutputStream(), first, second, "--no-browser")));
    String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    assertThat(line)
        .matches(
            "run\\.kymo, other\\.kymo: http://127\\.0\\.0\\.1:\\d+/\\?token=[\\w-]{32}  \\(Ctrl-C"
                + " ends\\)");
    try (HttpClient client = browser()) {
      URI link = URI.create(line.replaceAll(".*(http\\S+).*", "$1"));
      client.send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.ofString());
      HttpRequest request = HttpRequest.newBuilder(link.resolve("/2/api/recording")).build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).startsWith("{\"name\":\"other.kymo\"");
    }
    thread.interrupt();
    assertThat(exit.get(600, TimeUnit.SECONDS)).isZero();
  }

  /** Two threads that take turns on a processor. */
  private Path kernelText(String more) throws Exception {
    StringBuilder text = new StringBuilder("# tracer: nop\n");
    for (int i = 0; i < 150_000; i++) {
      text.append(
          "  task-%d [000] d..2. 1.%06d: sched_switch: prev_comm=task prev_pid=%d prev_prio=120 prev_state=S ==> next_comm=task next_pid=%d next_prio=120\n"
              .formatted(1 + i % 2, i, 1 + i % 2, 2 - i % 2));
    }
    return Files.writeString(folder.resolve("turns.txt"), text + more);
  }

  @Test
  void anotherTracersFileIsInTheEndAsIfImportedBefore() throws Exception {
    String file = kernelText("").toString();
    Path imported = folder.resolve("turns.kymo");
    assertThat(Kymo.run("import", file, "-o", imported).code()).isZero();
    String kernel = answers(file);
    assertThat(kernel).isEqualTo(answers(imported.toString()));
    assertThat(kernel).contains("\"kind\":\"scheduled\"", "\"kernelEvents\":true");
  }

  @Test
  void leavesNothingWhenItIsInterruptedDuringAnImport() throws Exception {
    String file = kernelText("").toString();
    PipedInputStream in = new PipedInputStream();
    OutputStream out = new PipedOutputStream(in);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform().start(() -> exit.complete(view(out, err, file, "--no-browser")));
    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    assertThat(recordings("turns.txt")).isNotEmpty();
    thread.interrupt();
    assertThat(exit.get(600, TimeUnit.SECONDS)).isZero();
    assertThat(recordings("turns.txt")).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** Temporary recordings of a name. */
  private static List<Path> recordings(String name) throws Exception {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(folder -> String.valueOf(folder.getFileName()).startsWith("kymo-"))
          .map(folder -> folder.resolve(name))
          .filter(Files::exists)
          .toList();
    }
  }

  @Test
  void showsActivities() throws Exception {
    String run = "serving: begin=a.B.run end=a.B.run";
    String all = answers(recording().toString(), "--activities", run);
    assertThat(all)
        .contains("\"command\":\"activities\"", "\"messages\":true", "\"name\":\"serving\"");
    assertThat(recordings("run.kymo")).isEmpty();
  }

  @Test
  void saysWhatIsWrongWithActivities() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    OutputStream out = OutputStream.nullOutputStream();
    assertThat(view(out, err, recording().toString(), "--activities", "x: begin=a")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("line=1 column=1 error=");
    assertThat(view(out, err, "tcp://localhost:1", "--activities", "x: begin=a end=b"))
        .isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--activities does not go with tcp:");
  }

  /** What the page is told of a recording when everything is known, without its name. */
  private String answers(String... words) throws Exception {
    String[] given =
        Stream.concat(Stream.of(words), Stream.of("--no-browser")).toArray(String[]::new);
    PipedInputStream in = new PipedInputStream();
    OutputStream out = new PipedOutputStream(in);
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> exit.complete(view(out, new ByteArrayOutputStream(), given)));
    String line = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
    StringBuilder all = new StringBuilder();
    try (HttpClient client = browser()) {
      URI link = URI.create(line.replaceAll(".*(http\\S+).*", "$1"));
      client.send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.ofString());
      while (ask(client, link, "growth").contains("\"growing\":true")) {
        Thread.sleep(20);
      }
      all.append(ask(client, link, "recording").replaceFirst("\"name\":\"[^\"]*\"", ""));
      for (int track = 0; track < 3; track++) {
        all.append(
            ask(client, link, "window?from=0&to=200000000&resolution=50000&tracks=" + track));
      }
    }
    thread.interrupt();
    assertThat(exit.get(600, TimeUnit.SECONDS)).isZero();
    return all.toString();
  }

  private static String ask(HttpClient client, URI link, String question) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(link.resolve("/api/" + question)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void saysThatThePortIsTaken() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      int exit = view(OutputStream.nullOutputStream(), err, recording().toString(), "--port", port);
      assertThat(exit).isEqualTo(1);
      assertThat(err)
          .hasToString(
              "kymo: cannot listen on 127.0.0.1: port="
                  + port
                  + ", it is taken or not allowed; leave --port out for a free one\n");
    }
  }

  @Test
  void saysThatItsIndexIsTemporary() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Path recording = recording();
    Files.writeString(recording.resolve(".index"), "no directory");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      view(OutputStream.nullOutputStream(), err, recording.toString(), "--port", port);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith(
            "kymo: the index cannot be kept in the recording, a temporary one is made each time: path=%s reason=\".index is not a directory\"; copy the recording to a directory of yours\n"
                .formatted(recording));
  }

  @Test
  void saysWhatIsWrong() {
    OutputStream out = OutputStream.nullOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(view(out, err, folder.resolve("none.kymo").toString())).isEqualTo(2);
    assertThat(err)
        .hasToString("kymo: no such recording: path=" + folder.resolve("none.kymo") + "\n");
    assertThat(view(out, err, recording().toString(), "--port", "70000")).isEqualTo(2);
    assertThat(view(out, err)).isEqualTo(2);
  }

  private static HttpClient browser() {
    return HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  }

  private Path recording() {
    return recording("run.kymo");
  }

  private Path recording(String name) {
    RecordingBuilder recording = new RecordingBuilder();
    recording.process(1).thread(1, 1, "main").method(1, 7, "a.B", "run");
    recording.ring(1, 0, 1).enter(100, 7).leave(200, 7);
    return recording.write(folder.resolve(name));
  }

  private static int view(OutputStream out, OutputStream err, String... arguments) {
    String[] words = Stream.concat(Stream.of("view"), Stream.of(arguments)).toArray(String[]::new);
    return Kymo.run(words, out, new PrintStream(err, true, StandardCharsets.UTF_8));
  }
}
