package dev.kymo.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract of docs/design/server.md. */
class KymoServerTest {
  private static KymoServer server;
  private static Asker asker;

  @BeforeAll
  static void start() throws IOException {
    server = KymoServer.start(KnownRecordings.shop(), 0);
    asker = new Asker(server.uri());
  }

  @AfterAll
  static void stop() {
    asker.close();
    server.close();
  }

  @Test
  void tellsWhatIsRecorded() throws Exception {
    HttpResponse<String> answer = asker.get("/api/recording");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(answer.body())
        .startsWith(
            """
            {"name":"shop.kymo","growing":false,"onDisk":false,"duration":"1000000000","wallBegin":"1760000000000000000",\
            "methods":6,"processes":[{"process":0,"pid":4711,"parentPid":1,\
            "command":"java -jar shop.jar","jvm":"Fake VM 25","end":"ended","lost":0,"clockError":0,\
            "budget":-1},\
            """)
        .contains(
            """
            {"id":1,"process":0,"thread":1,"kind":"calls","of":-1,"counted":0,"name":"worker-1","virtual":false,"tid":1001,\
            "javaId":2,"begin":"200000000","end":"800000000","calls":2,"events":4,"lost":1234,\
            "depth":2}\
            """)
        .endsWith(
            """
            "oddities":["shop.kymo/stream_3: packet cut short: offset=8192 size=100"]}\
            """);
  }

  /** The recording may be changed under the server, or its answer be too large: it lives on. */
  @Test
  void saysWhatItCannotAnswer() throws Exception {
    FakeTimeline troubled = KnownRecordings.shop();
    try (KymoServer other = KymoServer.start(troubled, 0);
        Asker asks = new Asker(other.uri())) {
      String window = "/api/window?from=0&to=100&resolution=0&tracks=0";
      troubled.beforeSlices(() -> {
        throw new IllegalStateException("it is gone");
      });
      assertThat(asks.get(window).statusCode()).isEqualTo(500);
      assertThat(asks.get(window).body())
          .isEqualTo("{\"error\":\"The recording could not be read: it is gone\"}");
      troubled.beforeSlices(() -> {
        throw new OutOfMemoryError("heap");
      });
      assertThat(asks.get(window).statusCode()).isEqualTo(500);
      assertThat(asks.get(window).body())
          .isEqualTo("{\"error\":\"There is not enough memory for this answer: heap\"}");
      troubled.beforeSlices(() -> {});
      assertThat(asks.get(window).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void answersWindowsWithOffsetsFromTheirBegin() throws Exception {
    HttpResponse<String> answer =
        asker.get("/api/window?from=600000000&to=600000100&resolution=0&tracks=0&depth=2-3");
    assertThat(answer.body())
        .isEqualTo(
            """
            {"from":"600000000","to":"600000100","resolution":"0","coarser":false,"cut":false,\
            "tracks":[{"track":0,"begin":[0,0,20],"end":[100000000,10,50],"depth":[2,3,3],\
            "method":[3,2,5],"calls":[1,1,1],"flags":[0,0,0],\
            "gaps":{"from":[],"to":[],"lost":[],"unknown":[]},\
            "counts":{"from":[],"to":[],"calls":[]}}]}\
            """);
  }

  @Test
  void mergesWhatCannotBeSeen() throws Exception {
    String body =
        asker
            .get("/api/window?from=700000000&to=900000000&resolution=1000000&tracks=0&depth=2")
            .body();
    assertThat(body)
        .contains("\"begin\":[-100000000,100000000],\"end\":[0,100999600]")
        .contains("\"calls\":[1,1000]");
  }

  @Test
  void tellsOfLossAndOddEnds() throws Exception {
    String body =
        asker.get("/api/window?from=0&to=1000000000&resolution=1000&tracks=1,3&depth=0").body();
    assertThat(body)
        .contains("\"flags\":[22]")
        .contains(
            "\"gaps\":{\"from\":[300000000],\"to\":[500000000],\"lost\":[1234],\"unknown\":[false]}")
        .contains("{\"track\":3,\"begin\":[],");
  }

  @Test
  void addsUpGapsThatCannotBeToldApart() throws Exception {
    FakeTimeline lossy = new FakeTimeline("lossy", 10_000);
    int method = lossy.method("A", "b", "()V");
    lossy
        .thread("main", lossy.process(1, "java"), false)
        .call(0, method, 0, 10_000)
        .gap(100, 200, 5)
        .gap(210, 300, -1)
        .gap(900, 950, 7);
    try (KymoServer server = KymoServer.start(lossy, 0);
        Asker asker = new Asker(server.uri())) {
      assertThat(asker.get("/api/window?from=50&to=10000&resolution=20&tracks=0").body())
          .contains(
              """
              "gaps":{"from":[50,850],"to":[250,900],"lost":[5,7],"unknown":[true,false]},\
              """);
    }
  }

  @Test
  void boundsAnswersByMakingThemCoarser() throws Exception {
    FakeTimeline many = new FakeTimeline("many", 400_000_000);
    int method = many.method("A", "b", "()V");
    FakeTimeline.Thread thread = many.thread("main", many.process(1, "java"), false);
    for (int i = 0; i < 200_000; i++) {
      thread.call(0, method, i * 2000L, i * 2000L + 1000);
    }
    try (KymoServer big = KymoServer.start(many, 0);
        Asker asker = new Asker(big.uri())) {
      String body = asker.get("/api/window?from=0&to=400000000&resolution=0&tracks=0").body();
      assertThat(body).contains("\"coarser\":true,\"cut\":false").contains("\"calls\":[200000]");
      String all = asker.get("/api/window?from=0&to=40000000&resolution=0&tracks=0").body();
      assertThat(all)
          .contains("\"resolution\":\"0\",\"coarser\":false")
          .contains("\"begin\":[0,2000,4000,")
          .contains(",39998000,40000000]");
    }
  }

  @Test
  void namesMethods() throws Exception {
    assertThat(asker.get("/api/methods?ids=1,3").body())
        .isEqualTo(
            """
            {"methods":[{"id":1,"process":0,"type":"com.example.shop.Shop","name":"order",\
            "descriptor":"(IJ)Z","loader":"app","source":"Shop.java","line":11},\
            {"id":3,"process":0,"type":"org.base.Db","name":"query","descriptor":"()[[D",\
            "loader":"app","source":"Db.java","line":13}]}\
            """);
    assertThat(asker.get("/api/methods?ids=").body()).isEqualTo("{\"methods\":[]}");
  }

  @Test
  void tellsAllAboutACall() throws Exception {
    assertThat(asker.get("/api/call?track=0&depth=2&time=650000000").body())
        .isEqualTo(
            """
            {"call":{"track":0,"method":3,"depth":2,"begin":"600000000","end":"700000000",\
            "self":"99999960","children":2,"counted":0,"flags":0,"callers":[\
            {"method":0,"begin":"0","end":"1000000000"},\
            {"method":1,"begin":"500000000","end":"900000000"}]}}\
            """);
    assertThat(asker.get("/api/call?track=0&depth=2&time=1").body()).isEqualTo("{\"call\":null}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window?to=1&resolution=0&tracks=0 | Parameter missing: from.",
        "window?from=x&to=1&resolution=0&tracks=0 | Not a whole number: from=x.",
        "window?from=5&to=1&resolution=0&tracks=0 "
            + "| Out of range: to=1, allowed 5 to 4611686018427387903.",
        "window?from=0&to=1&resolution=-1&tracks=0 "
            + "| Out of range: resolution=-1, allowed 0 to 1152921504606846975.",
        "window?from=0&to=1&resolution=0&tracks=4 | Out of range: tracks=4, allowed 0 to 3.",
        "window?from=0&to=1&resolution=0&tracks=0,,1 | Not a whole number: tracks=.",
        "window?from=0&to=1&resolution=0&tracks=0&depth=3-1 "
            + "| Out of range: depth=1, allowed 3 to 1048576.",
        "window?from=0&from=0 | Parameter given twice: from.",
        "methods?ids=6 | Out of range: ids=6, allowed 0 to 5.",
        "methods?ids=%zz | Wrong percent sign in the query.",
        "call?track=0&depth=0 | Parameter missing: time."
      })
  void saysWhatIsWrongWithAQuestion(String question, String sentence) throws Exception {
    // java.net.URI would refuse the wrong percent sign before the server could.
    String line = asker.raw("GET /api/" + question + " HTTP/1.1", "Host: " + host());
    assertThat(line).startsWith("HTTP/1.1 400");
    if (!question.contains("%zz")) {
      HttpResponse<String> answer = asker.get("/api/" + question);
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).isEqualTo("{\"error\":\"" + sentence + "\"}");
    }
  }

  @Test
  void saysWhenTheRecordingCannotBeRead() throws Exception {
    FakeTimeline broken = new FakeTimeline("broken", 10);
    broken.thread("main", broken.process(1, "java"), false).call(0, 7, 0, 10);
    try (KymoServer server = KymoServer.start(broken, 0);
        Asker asker = new Asker(server.uri())) {
      HttpResponse<String> answer = asker.get("/api/methods?ids=0");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(asker.get("/api/call?track=0&depth=0&time=3").statusCode()).isEqualTo(200);
      assertThat(asker.get("/api/recording").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void refusesForeignHostsAndOrigins() throws Exception {
    String get = "GET /api/recording HTTP/1.1";
    assertThat(asker.raw(get, "Host: " + host())).isEqualTo("HTTP/1.1 200 OK");
    assertThat(asker.raw(get, "Host: localhost:" + server.uri().getPort()))
        .isEqualTo("HTTP/1.1 200 OK");
    assertThat(asker.raw(get, "Host: " + host(), "Origin: http://" + host()))
        .isEqualTo("HTTP/1.1 200 OK");
    assertThat(asker.raw(get, "Host: evil.example")).isEqualTo("HTTP/1.1 403 Forbidden");
    assertThat(asker.raw(get, "Host: 127.0.0.1")).isEqualTo("HTTP/1.1 403 Forbidden");
    assertThat(asker.raw(get, "Host: " + host(), "Origin: http://evil.example"))
        .isEqualTo("HTTP/1.1 403 Forbidden");
    assertThat(asker.raw(get, "Host: " + host(), "Origin: null"))
        .isEqualTo("HTTP/1.1 403 Forbidden");
    assertThat(asker.raw("GET / HTTP/1.1", "Host: evil.example"))
        .isEqualTo("HTTP/1.1 403 Forbidden");
  }

  @Test
  void answersOnlyGet() throws Exception {
    for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS", "HEAD"}) {
      assertThat(asker.raw(method + " /api/recording HTTP/1.1", "Host: " + host()))
          .isEqualTo("HTTP/1.1 405 Method Not Allowed");
    }
  }

  @Test
  void keepsToItself() throws Exception {
    assertThat(asker.get("/api/nothing").statusCode()).isEqualTo(404);
    assertThat(asker.get("/ViewerFiles.class").statusCode()).isEqualTo(404);
    String host = "Host: " + host();
    for (String path : new String[] {"/../pom.xml", "/%2e%2e/x", "//etc/passwd", "/.hidden"}) {
      assertThat(asker.raw("GET " + path + " HTTP/1.1", host)).isEqualTo("HTTP/1.1 404 Not Found");
    }
    HttpResponse<String> page = asker.get("/");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }

  @Test
  void takesThePortItIsGiven() {
    int taken = server.uri().getPort();
    assertThatThrownBy(() -> KymoServer.start(KnownRecordings.shop(), taken))
        .isInstanceOf(BindException.class);
  }

  /** A request that does not end does not keep its connection. */
  @Test
  @Timeout(600)
  @Tag("slow")
  void halfARequestIsNotWaitedFor() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (String half :
          List.of("GET / HTTP/1.1\r\nHost: 127.0", "POST /api/bookmarks HTTP/1.1\r\n", "G")) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
        sockets.add(socket);
        socket.getOutputStream().write(half.getBytes(StandardCharsets.UTF_8));
      }
      for (Socket socket : sockets) {
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static String host() {
    return "127.0.0.1:" + server.uri().getPort();
  }
}
