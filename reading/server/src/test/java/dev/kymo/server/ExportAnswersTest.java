package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of a recording as files, as a page asks for them. */
class ExportAnswersTest {
  private static final String RANGE = "from=500000000&to=900000000";

  @TempDir static Path folder;

  private static Served served;

  @BeforeAll
  static void start() throws IOException {
    served = Served.of(WaitingProgram.small(), folder.resolve("waiting.kymo"));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void aPartIsARecordingOfItsOwn() throws Exception {
    Track thread =
        served.timeline().tracks().stream().filter(t -> t.calls() > 0).findFirst().orElseThrow();
    HttpResponse<byte[]> answer = bytes("slice?" + RANGE + "&tracks=" + thread.id());
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/zip");
    assertThat(answer.headers().firstValue("Content-Disposition")).hasValue("attachment");
    Path unpacked = unpack(answer.body(), folder.resolve("unpacked"));
    assertThat(unpacked.getFileName()).hasToString("waiting-part.kymo");
    try (Timeline part = Timelines.open(unpacked, ProgressListener.NONE)) {
      assertThat(part.duration()).isBetween(1L, 400_000_000L);
      assertThat(part.wallBegin())
          .isBetween(
              served.timeline().wallBegin() + 500_000_000L,
              served.timeline().wallBegin() + 900_000_000L);
      List<Integer> threads = part.tracks().stream().map(Track::thread).distinct().toList();
      assertThat(threads).containsExactly(thread.thread());
    }
  }

  @Test
  void allThreadsIfNoneIsNamed() throws Exception {
    Path unpacked = unpack(bytes("slice?" + RANGE).body(), folder.resolve("all"));
    try (Timeline part = Timelines.open(unpacked, ProgressListener.NONE)) {
      assertThat(part.tracks().stream().map(Track::thread).distinct().count()).isGreaterThan(1);
    }
  }

  @Test
  void aPartIsAPageThatNeedsNoServer() throws Exception {
    HttpResponse<byte[]> answer = bytes("page?" + RANGE);
    assertThat(answer.headers().firstValue("Content-Disposition")).hasValue("attachment");
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("<title>waiting-part.kymo – Kymo</title>");
  }

  @Test
  void whatCannotBeDoneIsSaid() throws Exception {
    assertThat(served.asker().ask("/api/slice?from=9&to=1").statusCode()).isEqualTo(400);
    try (KymoServer fake = KymoServer.start(KnownRecordings.shop(), 0);
        Asker other = new Asker(fake.uri())) {
      assertThat(other.ask("/api/slice?from=0&to=9").body())
          .isEqualTo("{\"error\":\"This recording is not on disk: no part of it can be kept.\"}");
      assertThat(other.get("/api/recording").body()).contains("\"onDisk\":false");
    }
    assertThat(served.asker().get("/api/recording").body()).contains("\"onDisk\":true");
  }

  @Test
  void onlyWhoWasLetInGetsIt() throws Exception {
    String host = served.uri().getAuthority();
    assertThat(served.asker().stranger("GET /api/slice?" + RANGE + " HTTP/1.1", "Host: " + host))
        .startsWith("HTTP/1.1 403 ");
  }

  private static HttpResponse<byte[]> bytes(String question) throws Exception {
    while (true) {
      HttpResponse<byte[]> answer = served.asker().bytes("/api/" + question);
      // 429: the file of the test before goes after it was sent.
      if (answer.statusCode() != 202 && answer.statusCode() != 429) {
        assertThat(answer.statusCode())
            .as(new String(answer.body(), StandardCharsets.UTF_8))
            .isEqualTo(200);
        return answer;
      }
    }
  }

  private static Path unpack(byte[] zip, Path into) throws IOException {
    Path recording = into;
    try (ZipInputStream from = new ZipInputStream(new ByteArrayInputStream(zip))) {
      for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
        Path file = into.resolve(entry.getName());
        recording = into.resolve(Path.of(entry.getName()).getName(0));
        Files.createDirectories(file.getParent());
        Files.copy(from, file);
      }
    }
    return recording;
  }
}
