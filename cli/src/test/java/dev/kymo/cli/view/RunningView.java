package dev.kymo.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code kymo view} in this process, asked as its page asks. */
final class RunningView implements AutoCloseable {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  private final HttpClient client =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  private final Thread viewer;
  private final URI link;

  RunningView(String... options) throws Exception {
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
    assertThat(line).as(err()).isNotNull();
    link = URI.create(line.replaceAll(".*(http\\S+).*", "$1"));
    client.send(HttpRequest.newBuilder(link).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** What it said on standard error. */
  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  String ask(String question) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(link.resolve("/api/" + question)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** The answer to a question for which everything has to be read. */
  String ready(String question) throws Exception {
    String answer = ask(question);
    while (answer.startsWith("{\"progress\"")) {
      answer = ask(question);
    }
    return answer;
  }

  /** What the small question that the page asks all the time is answered with, once it has this. */
  String await(String part) throws Exception {
    return await("growth", part);
  }

  /** What a question is answered with, once that has a part. */
  String await(String question, String part) throws Exception {
    String answer = ask(question);
    while (!answer.contains(part)) {
      assertThat(viewer.isAlive()).as(err()).isTrue();
      Thread.sleep(20);
      answer = ask(question);
    }
    return answer;
  }

  @Override
  public void close() throws Exception {
    client.close();
    viewer.interrupt();
    assertThat(exit.get(600, TimeUnit.SECONDS)).isZero();
  }
}
