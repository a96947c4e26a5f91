package dev.kymo.server.bookmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.server.Asker;
import dev.kymo.server.FakeTimeline;
import dev.kymo.server.KnownRecordings;
import dev.kymo.server.KymoServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookmarksTest {
  private static final String ONE =
      """
      [{"id":"a","from":"600","to":"9007199254740993","track":2,"text":"<b>\\u00e4","colour":4},\
      {"id":"b","from":"1","to":"1","text":"","colour":0}]\
      """;

  @TempDir Path folder;
  private KymoServer server;
  private Asker asker;

  @BeforeEach
  void start() throws IOException {
    FakeTimeline timeline = KnownRecordings.shop();
    timeline.keepIn(folder);
    server = KymoServer.start(timeline, 0);
    asker = new Asker(server.uri());
  }

  @AfterEach
  void stop() {
    asker.close();
    server.close();
  }

  private String get() throws IOException, InterruptedException {
    return asker.get("/api/bookmarks").body();
  }

  private HttpResponse<String> put(int version, String bookmarks) throws Exception {
    return asker.put("/api/bookmarks", document(version, bookmarks));
  }

  private static String document(int version, String bookmarks) {
    return "{\"version\":" + version + ",\"bookmarks\":" + bookmarks + "}";
  }

  @Test
  void areKeptInTheRecording() throws Exception {
    assertThat(get()).isEqualTo(document(0, "[]"));
    HttpResponse<String> answer = put(0, ONE);
    String kept = document(1, ONE.replace("\\u00e4", "ä"));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(kept);
    assertThat(get()).isEqualTo(kept);
    assertThat(folder.resolve(".bookmarks.json")).hasContent(kept);
    assertThat(put(1, "[]").body()).isEqualTo(document(2, "[]"));
    assertThat(files()).containsExactly(".bookmarks.json");
  }

  @Test
  void noChangeIsLostToAnother() throws Exception {
    assertThat(put(0, ONE).statusCode()).isEqualTo(200);
    HttpResponse<String> late = put(0, "[]");
    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(late.body()).startsWith("{\"version\":1,\"bookmarks\":[{\"id\":\"a\"");
    assertThat(get()).isEqualTo(late.body());
  }

  @Test
  void damagedOnesAreKeptAside() throws Exception {
    Path file = folder.resolve(".bookmarks.json");
    Files.writeString(file, "{\"version\":1,\"book");
    assertThat(get())
        .startsWith("{\"version\":0,\"bookmarks\":[],\"damaged\":\"The bookmarks cannot be read: ")
        .contains("the file is kept as .bookmarks.json.damaged when new ones are saved");
    assertThat(put(1, ONE).statusCode()).isEqualTo(409);
    assertThat(file).hasContent("{\"version\":1,\"book");
    assertThat(put(0, ONE).statusCode()).isEqualTo(200);
    assertThat(folder.resolve(".bookmarks.json.damaged")).hasContent("{\"version\":1,\"book");
    assertThat(get()).doesNotContain("damaged").startsWith("{\"version\":1,");
    Files.writeString(file, "[]");
    assertThat(put(0, "[]").statusCode()).isEqualTo(200);
    assertThat(folder.resolve(".bookmarks.json.damaged")).hasContent("{\"version\":1,\"book");
    assertThat(folder.resolve(".bookmarks.json.damaged-2")).hasContent("[]");
  }

  /** A recording may come from anybody, with links in it to anything of the user's. */
  @Test
  void linksAreNeitherReadNorWrittenThrough() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path secret = Files.writeString(elsewhere.resolve("secret"), document(0, ONE));
    Path file = folder.resolve(".bookmarks.json");
    Files.createSymbolicLink(file, secret);
    Files.createSymbolicLink(
        folder.resolve(".bookmarks.json.damaged"), elsewhere.resolve("not-there"));
    assertThat(get())
        .startsWith("{\"version\":0,\"bookmarks\":[],\"damaged\":")
        .contains("it is a link, a pipe or a device, which is not opened");
    assertThat(put(0, "[]").statusCode()).isEqualTo(200);
    assertThat(secret).hasContent(document(0, ONE));
    assertThat(elsewhere.resolve("not-there")).doesNotExist();
    assertThat(file).hasContent(document(1, "[]"));
    assertThat(Files.isSymbolicLink(file)).isFalse();
    assertThat(Files.isSymbolicLink(folder.resolve(".bookmarks.json.damaged-2"))).isTrue();
  }

  @Test
  void recordingsThatCannotBeWrittenToAreNamed() throws Exception {
    Files.delete(folder);
    HttpResponse<String> answer = put(0, ONE);
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body())
        .startsWith("{\"error\":\"The bookmarks cannot be kept in the recording: error=");
    try (KymoServer other = KymoServer.start(KnownRecordings.shop(), 0);
        Asker asker = new Asker(other.uri())) {
      assertThat(asker.get("/api/bookmarks").body()).isEqualTo(document(0, "[]"));
      assertThat(asker.put("/api/bookmarks", document(0, ONE)).statusCode()).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | Expected in bookmarks: an object.",
        "{} | Expected in bookmarks: version from 0 on, and nothing after it.",
        "{\"version\":0} | Expected in bookmarks: bookmarks=[...].",
        "{\"version\":-1,\"bookmarks\":[]} "
            + "| Expected in bookmarks: version from 0 on, and nothing after it.",
        "{\"version\":0,\"bookmarks\":[]}{} "
            + "| Expected in bookmarks: version from 0 on, and nothing after it.",
        "{\"version\":0,\"bookmarks\":[],\"more\":1} | Not known in bookmarks: more.",
        "{\"version\":0,\"bookmarks\":[{}]} "
            + "| Expected in bookmarks: id=text, at most 100 characters.",
        "{\"version\":0,\"bookmarks\":[{\"id\":{}}]} "
            + "| Expected in bookmarks: text or a number for id.",
        "{\"version\":0,\"bookmarks\":[{\"id\":\"a\",\"from\":\"5\",\"to\":\"4\"}]} "
            + "| Out of range: to=4, allowed 5 to 4611686018427387903.",
        "{\"version\":0,\"bookmarks\":[{\"id\":\"a\",\"from\":5,\"to\":\"4\"}]} "
            + "| Expected in bookmarks: from=text, at most 100 characters.",
        "{\"version\":0,\"bookmarks\":[{\"id\":\"a\",\"from\":\"5\",\"to\":\"5\",\"text\":\"\","
            + "\"colour\":256}]} | Expected in bookmarks: colour=number, 0 to 255.",
      })
  void whatIsNoBookmarksIsRefused(String document, String sentence) throws Exception {
    HttpResponse<String> answer = asker.put("/api/bookmarks", document);
    assertThat(answer.body()).isEqualTo("{\"error\":\"" + sentence + "\"}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(files()).isEmpty();
  }

  @Test
  void oddDocumentsAreRefused() throws Exception {
    assertThat(asker.put("/api/bookmarks", "{\"version\":0,\"version\":0}").body())
        .startsWith("{\"error\":\"Not JSON: Duplicate field 'version'");
    assertThat(asker.put("/api/bookmarks", "[".repeat(100_000)).statusCode()).isEqualTo(400);
    assertThat(put(0, ONE.replace("\"b\"", "\"a\"")).body())
        .contains("an id of its own for each bookmark");
    HttpResponse<String> large = put(0, "[" + " ".repeat(1 << 20) + "]");
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(put(0, "[" + " ".repeat(1_000_000) + "]").statusCode()).isEqualTo(200);
  }

  @Test
  void onlyOwnPagesChangeThem() throws Exception {
    String host = server.uri().getAuthority();
    String put = "PUT /api/bookmarks HTTP/1.1";
    String type = "Content-Type: application/json";
    String origin = "Origin: http://" + host;
    assertThat(asker.raw(put, "Host: " + host, type)).contains(" 403 ");
    assertThat(asker.raw(put, "Host: " + host, type, "Origin: http://evil.example"))
        .contains(" 403 ");
    assertThat(asker.raw(put, "Host: evil.example", type, origin)).contains(" 403 ");
    assertThat(asker.raw(put, "Host: " + host, "Content-Type: text/plain", origin))
        .contains(" 415 ");
    assertThat(asker.raw(put, "Host: " + host, origin)).contains(" 415 ");
    assertThat(asker.raw(put, "Host: " + host, type, origin)).as("no body").contains(" 400 ");
    for (String path : List.of("/api/recording", "/", "/bookmarks", "/api/x/bookmarks")) {
      assertThat(asker.raw("PUT " + path + " HTTP/1.1", "Host: " + host, type, origin))
          .contains(" 405 ");
    }
    assertThat(asker.raw("POST /api/bookmarks HTTP/1.1", "Host: " + host, type, origin))
        .contains(" 405 ");
    assertThat(files()).isEmpty();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
