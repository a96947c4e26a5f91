package dev.kymo.recorder.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpLineTest {
  private static @Nullable HttpLine of(String text) {
    return HttpLine.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Method, path, status, and what else is known; empty if there is no line. */
  private static String words(String text) {
    HttpLine line = of(text);
    if (line == null) {
      return "";
    }
    byte[] path = new byte[line.pathRoom()];
    String name =
        line.status() != 0
            ? "" + line.status()
            : text.substring(0, line.method())
                + " "
                + new String(path, 0, line.putPath(path, 0), StandardCharsets.US_ASCII);
    return name + (line.hasMore() ? ", and more" : "");
  }

  @ParameterizedTest
  @CsvSource({
    "GET / HTTP/1.1, GET, /",
    "GET /a/b?c=d HTTP/1.1, GET, /a/b",
    "GET /a#b HTTP/1.0, GET, /a",
    "PATCH http://user:word@host:80/a?b HTTP/1.1, PATCH, /a",
    "DELETE http://user:word@host HTTP/1.1, DELETE, /",
    "CONNECT host:443 HTTP/1.1, CONNECT, host:443",
    "OPTIONS * HTTP/1.1, OPTIONS, *",
    "TRACE /ä HTTP/1.1, TRACE, /%C3%A4",
    "HEAD ?q HTTP/1.1, HEAD, /"
  })
  void requestsHaveMethodAndPath(String line, String method, String path) {
    assertThat(words(line + "\r\n\r\n")).isEqualTo(method + " " + path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "G",
        "GET",
        "GET ",
        "GET /",
        "GET / ",
        "GET / HTTP",
        "GET  HTTP/1.1",
        "GET / HTTP/2",
        "GET /\0 HTTP/1.1",
        "GET /a\r\n HTTP/1.1",
        "get / HTTP/1.1",
        "GETS / HTTP/1.1",
        "HTTP/1.1",
        "HTTP/1.1 20",
        "HTTP/1.1 20x",
        "HTTP/1.1 020 Low",
        "HTTP/1.1-200 OK",
        "HTTP/2.0 200 OK"
      })
  void otherBytesAreNothing(String text) {
    assertThat(of(text)).isNull();
  }

  @Test
  void answersHaveTheirLastStatus() {
    assertThat(words("HTTP/1.1 200 OK\r\n")).isEqualTo("200");
    assertThat(words("HTTP/1.1 100 \r\n\r\nHTTP/1.1 404 \r\n\r\n")).isEqualTo("404");
    assertThat(words("HTTP/1.1 200 \r\n\r\nHTTP/1.1 404 \r\n\r\n")).isEqualTo("200, and more");
  }

  @Test
  void anotherOneIsSeen() {
    assertThat(words("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"))
        .isEqualTo("GET /1, and more");
    assertThat(words("GET /1 HTTP/1.1\r\n\r\nabcdefghijklmn")).isEqualTo("GET /1");
  }

  @Test
  void ofALongLineTheBeginCounts() {
    String line = "GET /" + "p".repeat(3000) + " HTTP/1.1\r\n\r\n";
    assertThat(words(line.substring(0, HttpLine.LOOKED_AT))).isEqualTo("GET /" + "p".repeat(999));
    assertThat(of(line.substring(0, HttpLine.LOOKED_AT - 1))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "POST", "PUT", "HEAD", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"})
  void eachMethodMayBegin(String method) {
    byte[] line = (method + " ").getBytes(StandardCharsets.UTF_8);
    assertThat(HttpLine.mayBegin(line[0] | line[1] << 8 | line[2] << 16 | line[3] << 24)).isTrue();
    assertThat(HttpLine.mayBegin(line[1] | line[2] << 8 | line[3] << 16)).isFalse();
  }
}
