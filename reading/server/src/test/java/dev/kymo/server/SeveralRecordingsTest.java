package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeveralRecordingsTest {
  @TempDir Path folder;
  private KymoServer server;
  private Asker asker;

  @BeforeEach
  void start() throws IOException {
    FakeTimeline shop = KnownRecordings.shop();
    shop.keepIn(folder);
    FakeTimeline crowd = KnownRecordings.crowd();
    crowd.grow();
    server = KymoServer.start(List.of(shop, crowd), 0);
    asker = new Asker(server.uri());
  }

  @AfterEach
  void stop() {
    asker.close();
    server.close();
  }

  @Test
  void eachHasAPathOfItsOwn() throws Exception {
    assertThat(asker.get("/api/recordings").body())
        .isEqualTo("{\"recordings\":[\"shop.kymo\",\"crowd.kymo\"]}");
    assertThat(asker.get("/1/api/recording").body()).contains("\"name\":\"shop.kymo\"");
    assertThat(asker.get("/2/api/recording").body()).contains("\"name\":\"crowd.kymo\"");
    assertThat(asker.ask("/1/api/search?pattern=clock").body()).contains("\"calls\":1001,");
    assertThat(asker.ask("/2/api/search?pattern=clock").body()).contains("\"calls\":0,");
    assertThat(asker.get("/3/api/recording").statusCode()).isEqualTo(404);
    assertThat(asker.get("/api/recording").statusCode()).isEqualTo(404);
    assertThat(asker.get("/1/api/none").statusCode()).isEqualTo(404);
    assertThat(asker.get("/1/nothing.js").statusCode()).isEqualTo(404);
  }

  @Test
  void eachHasBookmarksOfItsOwn() throws Exception {
    String none = "{\"version\":0,\"bookmarks\":[]}";
    assertThat(asker.put("/1/api/bookmarks", none).statusCode()).isEqualTo(200);
    assertThat(asker.get("/1/api/bookmarks").body()).startsWith("{\"version\":1,");
    assertThat(asker.get("/2/api/bookmarks").body()).isEqualTo(none);
    assertThat(asker.put("/api/bookmarks", none).statusCode()).isEqualTo(404);
  }

  @Test
  void tellsHowFarItHasGrown() throws Exception {
    assertThat(asker.get("/2/api/growth").body())
        .isEqualTo(
            "{\"growing\":true,\"read\":1.0,\"importing\":false,\"duration\":\"1001000000\",\"tracks\":2000,\"methods\":1}");
    assertThat(asker.get("/2/api/recording").body()).contains("\"growing\":true");
    assertThat(asker.get("/1/api/growth").body()).startsWith("{\"growing\":false,");
  }

  @Test
  void onlyThisServersPagesMayFrameThem() throws Exception {
    for (String path : List.of("/", "/1/", "/2/")) {
      HttpResponse<String> page = asker.get(path);
      assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'none'")
          .endsWith("frame-src 'self'; frame-ancestors 'self'");
    }
    String host = server.uri().getAuthority();
    assertThat(asker.raw("GET /2/api/recording HTTP/1.1", "Host: " + host)).contains(" 200 ");
    assertThat(asker.raw("GET /2/api/recording HTTP/1.1", "Host: evil.example")).contains(" 403 ");
  }
}
