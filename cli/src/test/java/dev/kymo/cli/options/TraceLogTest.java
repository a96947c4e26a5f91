package dev.kymo.cli.options;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.testkit.SourceTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Barrelfish trace logs where a recording is named. */
@Timeout(600)
class TraceLogTest {
  private static final Path SAMPLES = SourceTree.path("corpus", "barrelfish");

  @TempDir Path folder;

  /** Of others who look at logs on this machine. */
  private List<String> others = List.of();

  @BeforeEach
  void thereMayBeOthers() throws IOException {
    others = conversions();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(conversions()).isSubsetOf(others);
  }

  private static List<String> conversions() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.map(p -> p.getFileName().toString())
          .filter(name -> name.startsWith("kymo-log-"))
          .toList();
    }
  }

  @Test
  void infoSaysWhatThereIs() {
    Kymo kymo = Kymo.run("info", SAMPLES.resolve("demo.1.log"));
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
    assertThat(kymo.out())
        .contains("recording    demo.1.log\n")
        .contains("1785 of the program's own")
        .contains(
            "made of a Barrelfish trace log: file=demo.1.log events=1785 cores=16 switches=285"
                + " sent=201 received=200 paired=200"
                + " definitions=\"those before 2013, assumed\"\n")
        .contains("one cycle is shown as 1 ns; give it with --frequency HZ\n");
  }

  /** As the definition file and what Barrelfish's compiler makes of it: numbers count from 0. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        subsystem net { event ARRIVES "A packet", event LEAVES "", };
        subsystem kernel { event BOOT "", event CSWITCH "Context Switch", };
        """,
        """
        {
        0 : {
          "name" : "net",
          "events" : {
            0 : ["ARRIVES", "A packet" ],
            1 : ["LEAVES", "LEAVES" ]
          }
        },
        1 : {
          "name" : "kernel",
          "events" : {
            0 : ["BOOT", "BOOT" ],
            1 : ["CSWITCH", "Context Switch" ]
          }
        },
        -5632 : {
          "name" : "ump send"
          }
        }
        """
      })
  void numbersMeanWhatTheGivenDefinitionsSay(String definitions) throws Exception {
    Path log = folder.resolve("own.log");
    Files.writeString(
        log,
        """
        # Core 0 LOG DUMP =====
        0 100 0000000000000007
        0 200 0000000100000008
        0 300 0001000100000009
        0 400 000000020000000a
        """);
    Path file = folder.resolve("defs");
    Files.writeString(file, definitions);
    Kymo kymo = Kymo.run("print", "--log-definitions", file, log);
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.out())
        .contains("net.ARRIVES", "net.LEAVES", "kernel.CSWITCH", "net.2")
        .contains("application 9");
    Kymo info = Kymo.run("info", "--log-definitions", file, log);
    assertThat(info.out()).contains(" switches=1 ").contains("definitions=\"" + file + "\"");
    assertThat(Kymo.run("info", log).out()).contains("definitions=\"those of 2013, assumed\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{ name : 3 }", "{ 0 : [", "subsystem {", "{ 0 : { \"events\" : { 1 : 7 } } }"})
  void definitionsThatAreNoneAreRefused(String definitions) throws Exception {
    Path file = folder.resolve("defs");
    Files.writeString(file, definitions);
    Path log = folder.resolve("own.log");
    Files.writeString(log, "# Core 0 LOG DUMP =====\n0 100 0000000000000007\n");
    Kymo kymo = Kymo.run("info", "--log-definitions", file, log);
    assertThat(kymo.code()).isNotZero();
    assertThat(kymo.err()).startsWith("kymo: ").doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"print", "report", "replay", "index"})
  void isReadLikeAnyRecording(String command) {
    Kymo kymo = Kymo.run(command, SAMPLES.resolve("npc_1_1_0_8.0.log"));
    assertThat(kymo.err()).isEmpty();
    assertThat(kymo.code()).isZero();
  }

  @Test
  void reportSaysHowLongApplicationsRan() {
    Kymo kymo = Kymo.run("report", "--csv", SAMPLES.resolve("atrace.trc"));
    assertThat(kymo.out()).contains("application.xmpl-tra").contains("application.mem_serv");
  }

  @Test
  void isKeptBySlicing() {
    Path kept = folder.resolve("kept.kymo");
    assertThat(Kymo.run("slice", SAMPLES.resolve("demo.1.log"), "-o", kept).code()).isZero();
    assertThat(Kymo.run("info", kept).out()).contains("1785 of the program's own");
  }

  @Test
  void theFrequencyTellsTheTime() {
    Path log = SAMPLES.resolve("demo.1.log");
    assertThat(Kymo.run("info", "--frequency", "2000000000", log).out())
        .contains("clock        cycles, 2000000000 Hz\n")
        .contains("duration     10.08 ms\n")
        .doesNotContain("--frequency");
    assertThat(Kymo.run("info", "--frequency", "5", log).err())
        .isEqualTo("kymo: no processor's frequency: frequency=5 min=1000000 max=1000000000000\n");
  }

  /** Opening it would wait for somebody who writes into it. */
  @Test
  void aFifoIsNotOpened() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Kymo kymo = Kymo.run("info", fifo);
    assertThat(kymo.err())
        .isEqualTo("kymo: not a recording, it has no metadata: path=" + fifo + "\n");
    assertThat(kymo.code()).isEqualTo(2);
  }

  @Test
  void aFileOfAnotherKind() throws IOException {
    Path file = Files.writeString(folder.resolve("notes.txt"), "hello\nworld\n");
    Kymo kymo = Kymo.run("report", file);
    assertThat(kymo.err())
        .startsWith(
            "kymo: neither a recording nor a file of a known tracer: path=" + file + "; known are ")
        .endsWith(" and Barrelfish's logs\n");
    assertThat(kymo.code()).isEqualTo(2);
  }

  @Test
  void aBfscopeIsFollowedUntilTheInterrupt() throws Exception {
    byte[] dump = Files.readAllBytes(SAMPLES.resolve("atrace.trc"));
    CompletableFuture<Integer> exit = new CompletableFuture<>();
    try (ServerSocket bfscope = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        PipedInputStream in = new PipedInputStream();
        PipedOutputStream out = new PipedOutputStream(in);
        HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      bfscope.setSoTimeout(60_000);
      String address = "tcp://127.0.0.1:" + bfscope.getLocalPort();
      String[] words = {"view", "--no-browser", address};
      PrintStream err = new PrintStream(OutputStream.nullOutputStream(), true, US_ASCII);
      Thread view = Thread.ofPlatform().start(() -> exit.complete(Kymo.run(words, out, err)));
      try (Socket connection = bfscope.accept()) {
        connection.getOutputStream().write((dump.length + "\0xy").getBytes(US_ASCII));
        connection.getOutputStream().write(dump);
        String line = new BufferedReader(new InputStreamReader(in, US_ASCII)).readLine();
        assertThat(line).startsWith("127.0.0.1-" + bfscope.getLocalPort() + ": http://");
        URI page = URI.create(line.replaceAll(".*(http\\S+).*", "$1"));
        client.send(HttpRequest.newBuilder(page).build(), ofString());
        URI link = page.resolve("/api/recording");
        String answer = "";
        while (!answer.contains("\"duration\":\"15058989\"")) {
          answer = client.send(HttpRequest.newBuilder(link).build(), ofString()).body();
        }
        assertThat(answer).contains("\"growing\":true").contains("\"name\":\"core 1\"");
        view.interrupt();
        assertThat(exit.get(600, TimeUnit.SECONDS)).isZero();
        assertThat(connection.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void aBfscopeThatIsNotThere() {
    Kymo wrong = Kymo.run("view", "--no-browser", "tcp://nowhere:0");
    assertThat(wrong.err())
        .isEqualTo(
            "kymo: not an address of a bfscope: address=tcp://nowhere:0; expected"
                + " tcp://HOST:PORT[?protocol=1|2]\n");
    assertThat(wrong.code()).isEqualTo(2);
    Kymo nobody = Kymo.run("view", "--no-browser", "tcp://127.0.0.1:1");
    assertThat(nobody.err())
        .startsWith("kymo: cannot connect to a bfscope: host=127.0.0.1 port=1 error=");
    assertThat(nobody.code()).isEqualTo(1);
  }
}
