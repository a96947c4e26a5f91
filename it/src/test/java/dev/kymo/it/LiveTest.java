package dev.kymo.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.reader.Recording;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real program is looked at while it is recorded; in the end, all of it was seen. */
class LiveTest {
  private static final Pattern LINK = Pattern.compile("http://\\S+");

  @TempDir Path folder;

  @Test
  @Timeout(180)
  void viewFollowsARecordingToItsEnd() throws Exception {
    Path path = folder.resolve("run.kymo");
    Process record =
        Kymo.start(
            folder,
            Map.of(),
            "record",
            "-q",
            "--when-full",
            "block",
            "-o",
            path.toString(),
            "--",
            Jdk.running().java().toString(),
            "-cp",
            Programs.CLASSES.toString(),
            "Counting",
            folder.resolve("counters").toString(),
            "1000");
    Process view = null;
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!Recording.isRecording(path)) {
        assertThat(record.isAlive()).isTrue();
        TimeUnit.MILLISECONDS.sleep(5);
      }
      view = Kymo.start(folder, Map.of(), "view", "--no-browser", path.toString());
      URI link = link(view.inputReader());
      long first = follow(client, link, 0);
      long second = follow(client, link, first);
      assertThat(ask(client, link, "api/recording")).contains("\"growing\":true");
      assertThat(second).isGreaterThan(first);
      // Long enough for the index to be made beside it.
      TimeUnit.SECONDS.sleep(3);
      record.toHandle().destroy(); // leaves its streams to be read
      Kymo.finish(record, "");
      while (ask(client, link, "api/growth").contains("\"growing\":true")) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      String seen = ask(client, link, "api/recording");
      assertThat(seen).contains("\"oddities\":[]");
      String info = Kymo.run("info", "--json", path.toString()).out();
      assertThat(sum("\"events\":(\\d+)", seen))
          .isEqualTo(number(info, "events") - number(info, "definitions"));
      assertThat(path.resolve(".index/contents")).isNotEmptyFile();
    } finally {
      record.destroyForcibly();
      if (view != null) {
        view.destroy();
        view.waitFor();
      }
    }
  }

  private static URI link(BufferedReader out) throws IOException {
    String line = out.readLine();
    Matcher link = LINK.matcher(String.valueOf(line));
    assertThat(link.find()).as(line).isTrue();
    return URI.create(link.group());
  }

  /** Waits until there is more to see than before; returns up to which nanosecond. */
  private static long follow(HttpClient client, URI link, long before) throws Exception {
    while (true) {
      String growth = ask(client, link, "api/growth");
      assertThat(growth).contains("\"growing\":true");
      long duration = sum("\"duration\":\"(\\d+)\"", growth);
      if (duration > before) {
        return duration;
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static String ask(HttpClient client, URI link, String question) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(link.resolve(question)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static long number(String json, String name) {
    Matcher matcher = Pattern.compile('"' + name + "\" : (\\d+)").matcher(json);
    assertThat(matcher.find()).as(json).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static long sum(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .mapToLong(r -> Long.parseLong(r.group(1)))
        .sum();
  }
}
