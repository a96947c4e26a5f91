package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code kymo view} of a recording, and a client that asks what its page asks. */
public final class Viewing implements AutoCloseable {
  private static final Pattern LINK = Pattern.compile("http://\\S+");

  private final Process process;
  private final URI link;
  private final HttpClient client =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

  private Viewing(Process process, URI link) {
    this.process = process;
    this.link = link;
  }

  public static Viewing of(Path recording) throws IOException, InterruptedException {
    return by(Map.of(), "view", "--no-browser", recording.toAbsolutePath().toString());
  }

  /** Starts it by a command that prints the link. */
  public static Viewing by(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Process process = Kymo.start(Path.of("").toAbsolutePath(), environment, command);
    StringBuilder said = new StringBuilder();
    while (true) {
      String line = process.inputReader().readLine();
      if (line == null) {
        said.append(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        throw new AssertionError("no link: exit=" + process.waitFor() + " said=" + said);
      }
      said.append(line).append('\n');
      Matcher link = LINK.matcher(line);
      if (link.find()) {
        Viewing viewing = new Viewing(process, URI.create(link.group()));
        viewing.ask(viewing.link.toString()); // gives the cookie that the questions need
        return viewing;
      }
    }
  }

  /** The answer; waits for it if it takes time. */
  public String ask(String question) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(link.resolve(question)).build();
    while (true) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 202) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** The next line that it prints after the link. */
  public String line() throws IOException {
    return process.inputReader().readLine();
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
