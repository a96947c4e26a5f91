package dev.kymo.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.server.Asker;
import dev.kymo.server.FakeTimeline;
import dev.kymo.server.KnownRecordings;
import dev.kymo.server.KymoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording is private, and so is what serves it: not to all who can connect to the port. */
class AccessTest {
  @TempDir Path folder;
  private KymoServer server;
  private Asker asker;

  @BeforeEach
  void start() throws IOException {
    FakeTimeline shop = KnownRecordings.shop();
    shop.keepIn(folder);
    server = KymoServer.start(shop, 0);
    asker = new Asker(server.uri());
  }

  @AfterEach
  void stop() {
    asker.close();
    server.close();
  }

  private String host() {
    return "127.0.0.1:" + server.uri().getPort();
  }

  @Test
  void theLinkLetsABrowserIn() throws Exception {
    String answer =
        asker.stranger("GET /?" + server.uri().getQuery() + " HTTP/1.1", "Host: " + host());
    assertThat(answer)
        .startsWith("HTTP/1.1 200 OK")
        .containsPattern(
            "Set-cookie: kymo-"
                + server.uri().getPort()
                + "=[\\w-]{32}; Path=/; HttpOnly; SameSite=Strict")
        .contains("<script>location.replace(location.pathname + location.hash)</script>");
    assertThat(asker.get("/api/recording").statusCode()).isEqualTo(200);
    assertThat(asker.get("/").body()).doesNotContain("token");
  }

  @Test
  void nobodyIsAnsweredWithoutTheCookie() throws Exception {
    String host = "Host: " + host();
    String wrong = "Cookie: kymo-" + server.uri().getPort() + "=" + "A".repeat(32);
    for (String path : new String[] {"/api/recording", "/", "/icon.svg", "/api/bookmarks"}) {
      assertThat(asker.stranger("GET " + path + " HTTP/1.1", host)).startsWith("HTTP/1.1 403 ");
      assertThat(asker.stranger("GET " + path + " HTTP/1.1", host, wrong))
          .startsWith("HTTP/1.1 403 ");
    }
    assertThat(asker.stranger("GET / HTTP/1.1", host))
        .contains("Open the link that it has printed, with ?token=");
    for (String query : new String[] {"token=", "token=x", "token=" + "A".repeat(32)}) {
      assertThat(asker.stranger("GET /?" + query + " HTTP/1.1", host))
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain("Set-cookie");
    }
    assertThat(asker.stranger("GET /api/recording?" + server.uri().getQuery() + " HTTP/1.1", host))
        .as("the link's secret answers no questions by itself")
        .startsWith("HTTP/1.1 403 ");
  }

  /** Whoever can connect can claim to be a page of this server. */
  @Test
  void nobodyWritesWithoutTheCookie() throws Exception {
    String answer =
        asker.stranger(
            "PUT /api/bookmarks HTTP/1.1",
            "Host: " + host(),
            "Origin: http://" + host(),
            "Content-Type: application/json",
            "Content-Length: 0");
    assertThat(answer).startsWith("HTTP/1.1 403 ");
    assertThat(folder).isEmptyDirectory();
  }

  /** Command lines, such as the browser's, can be read by everybody. */
  @Test
  void theLinkForACommandLineWorksOnce() throws Exception {
    URI once = server.uriForOnce();
    assertThat(once).isNotEqualTo(server.uri());
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(once).build();
      HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.headers().firstValue("Set-Cookie").orElse("")).startsWith(asker.cookie());
      HttpResponse<String> second = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(second.statusCode()).isEqualTo(403);
    }
    assertThat(new Asker(server.uri()).get("/").statusCode()).as("the lasting one").isEqualTo(200);
  }

  @Test
  void theKernelTellsWhoseAConnectionIs() throws Exception {
    Files.writeString(
        folder.resolve("tcp"),
        """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 77 1
           1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 78 1
           2: 0100007F:D432 0100007F:1F90 04 00000000:00000000 00:00000000 00000000     0        0 0 1
        """);
    Files.writeString(
        folder.resolve("tcp6"),
        """
          sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0000000000000000FFFF00000100007F:D433 0000000000000000FFFF00000100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002        0 79 1
        """);
    PeerUser peers = new PeerUser(folder, Set.of(1001, 0));
    InetSocketAddress local = address(0x1F90);
    assertThat(peers.of(address(0xD431), local)).isEqualTo(1001);
    assertThat(peers.mayAsk(address(0xD431), local, false)).isTrue();
    assertThat(peers.of(address(0xD432), local)).isEqualTo(PeerUser.GONE);
    assertThat(peers.mayAsk(address(0xD432), local, false)).as("closed: nobody's").isFalse();
    assertThat(peers.of(address(0xD433), local)).isEqualTo(1002);
    assertThat(peers.mayAsk(address(0xD433), local, false)).isFalse();
    assertThat(peers.mayAsk(address(0xD434), local, false)).as("not known").isTrue();
    Files.writeString(
        folder.resolve("tcp"),
        "0: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 1003 0 80 1");
    assertThat(peers.mayAsk(address(0xD431), local, true)).as("another's now").isFalse();
    assertThat(peers.mayAsk(address(0xD431), local, false)).as("forgotten").isFalse();
    assertThat(new PeerUser(folder.resolve("none"), Set.of()).of(address(1), local))
        .isEqualTo(PeerUser.UNKNOWN);
  }

  private static InetSocketAddress address(int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
  }

  /** Even with a cookie that was seen somewhere. */
  @Test
  void otherUsersAreNotAnswered() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can be another user");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv to be another user with");
    Path script = folder.resolve("ask");
    Files.writeString(
        script,
        "exec 3<>/dev/tcp/127.0.0.1/$1; printf 'GET /api/recording HTTP/1.1\\r\\nHost: %s\\r\\n"
            + "Cookie: %s\\r\\nConnection: close\\r\\n\\r\\n' \"$2\" \"$3\" >&3; cat <&3");
    assertThat(ask(0, script)).startsWith("HTTP/1.1 200 ");
    assertThat(ask(12345, script))
        .startsWith("HTTP/1.1 403 ")
        .contains("Other users of this machine are not answered.");
  }

  private String ask(int user, Path script) throws IOException, InterruptedException {
    String id = Integer.toString(user);
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + id,
                "--clear-groups",
                "bash",
                "-s",
                "--",
                Integer.toString(server.uri().getPort()),
                host(),
                asker.cookie())
            .redirectInput(script.toFile())
            .redirectErrorStream(true)
            .start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return answer;
  }
}
