package dev.kymo.exporters.barrelfish;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.importers.barrelfish.BarrelfishLog;
import dev.kymo.importers.barrelfish.BfscopeAddress;
import dev.kymo.importers.barrelfish.LiveLog;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.SourceTree;
import dev.kymo.testkit.StreamWriter;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import dev.kymo.writer.TrackStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recordings are sent over real connections, and read again as the log of a bfscope. */
@Timeout(600)
class LogServerTest {
  private static final long GIGAHERTZ = 1_000_000_000L;

  @TempDir Path folder;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private LogServer serve(Path recording, BfscopeProtocol protocol) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    return LogServer.start(recording, any, protocol, numbers(recording), client -> true, said::add);
  }

  private static LogNumbers numbers(Path recording) throws IOException {
    try (Recording open = Recording.open(recording)) {
      return new LogNumbers(RecordedDefinitions.read(open, new Diagnostics()));
    }
  }

  private static BfscopeAddress address(LogServer server, BfscopeProtocol protocol) {
    return new BfscopeAddress("127.0.0.1", server.port(), protocol.isAsked() ? 1 : 2);
  }

  private static Socket connect(LogServer server) throws IOException {
    return new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port());
  }

  private void awaitSaid(String end) throws InterruptedException {
    String line = said.take();
    while (!line.endsWith(end)) {
      line = said.take();
    }
  }

  /** Everything that a log says, with times. */
  private static List<String> events(Path recording) throws IOException {
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE)) {
      List<String> all = new ArrayList<>();
      for (int i = 0; i < timeline.tracks().size(); i++) {
        Track track = timeline.tracks().get(i);
        timeline.events(
            i,
            0,
            Long.MAX_VALUE,
            (time, event, batch, word) ->
                all.add(
                    "%s: %d %s %s"
                        .formatted(
                            track.name(), time, event.qualifiedName(), event.text(batch, word))));
        timeline.calls(
            i,
            0,
            Long.MAX_VALUE,
            (depth, method, begin, end, flags) ->
                all.add(
                    "%s: %s %d-%d"
                        .formatted(
                            track.name(), timeline.method(method).qualifiedName(), begin, end)));
      }
      all.sort(null);
      return all;
    }
  }

  /** What our own client makes of it. */
  private List<String> received(LogServer server, BfscopeProtocol protocol) throws Exception {
    Path live = Files.createTempDirectory(folder, "live");
    List<String> complaints = new ArrayList<>();
    try (LiveLog log =
        LiveLog.follow(address(server, protocol), live, GIGAHERTZ, null, 1, complaints::add)) {
      while (log.isGrowing()) {
        Thread.sleep(5);
      }
    }
    assertThat(complaints)
        .containsExactly(
            "the bfscope has ended the connection: host=127.0.0.1 port=" + server.port());
    return events(live);
  }

  @ParameterizedTest
  @EnumSource(BfscopeProtocol.class)
  void realLogsComeBackAsTheyWere(BfscopeProtocol protocol) throws Exception {
    for (String name : List.of("demo.1.log", "demo.11.log", "span15.0.log", "atrace.trc")) {
      Path recording = Files.createTempDirectory(folder, "sample");
      Path sample = SourceTree.path("corpus", "barrelfish", name);
      BarrelfishLog.convert(sample, recording, GIGAHERTZ, null, (done, all) -> {});
      try (LogServer server = serve(recording, protocol)) {
        List<String> expected = events(recording);
        assertThat(expected).hasSizeGreaterThan(100);
        assertThat(received(server, protocol)).as(name).isEqualTo(expected);
        awaitSaid(" left_out=0");
      }
    }
  }

  private Path mixed() {
    RecordingBuilder r = new RecordingBuilder().process(1).process(2);
    r.thread(1, 1, "main").thread(1, 2, "disk worker").thread(2, 1, "main");
    r.method(1, 9, "a.B", "run");
    r.define(1, new Definition.Subsystem(1, 0, "disk", "", ""));
    r.define(1, event(1, 1, 0, "ALLOC", "u64 size; str owner;"));
    r.define(1, event(2, 1, 1, "READ", "str name; u32 block;"));
    r.define(2, new Definition.Subsystem(1, 0, "cache", "", ""));
    r.define(2, event(1, 1, 5, "hit", ""));
    r.define(2, event(2, 1, 5, "missed", ""));
    r.ring(1, 0, 1).enter(90, 9).own(100, 1, data(7, "me")).own(300, 1, data(1L << 40 | 8, "me"));
    r.ring(1, 1, 2).own(200, 2, new byte[] {2, 0, 'x', 'y', 44, 0, 0, 0}).leave(250, 9);
    r.ring(2, 0, 1).own(150, 1, 3).own(160, 2, 0xffff_ffffL);
    return r.write(folder.resolve("mixed.kymo"));
  }

  private static Definition.Event event(int number, int of, int id, String name, String fields) {
    return new Definition.Event(number, of, id, EventKind.INSTANT.number(), name, "", fields);
  }

  private static byte[] data(long number, String text) {
    return java.nio.ByteBuffer.allocate(10 + text.length())
        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
        .putLong(number)
        .putShort((short) text.length())
        .put(text.getBytes(US_ASCII))
        .array();
  }

  @Test
  void eventsOfProgramsHaveTheirOwnNumbersWhereTheyCan() throws Exception {
    Path recording = mixed();
    String line = "=".repeat(50) + "\n";
    String text =
        "# Start 100 Duration 0 Stop 18446744073709551615\n# Min_timestamp 100\n"
            + ("# Core 0 LOG DUMP " + line + "# Offset 0 0\n# DCB 0 1 main\n")
            + "0 100 ffffcccc00000001\n0 100 7\n0 300 8\n"
            + ("# Core 1 LOG DUMP " + line + "# Offset 1 0\n# DCB 1 2 main\n")
            + "1 150 ffffcccc00000002\n1 150 800000500000003\n1 160 8000000ffffffff\n"
            + ("# Core 2 LOG DUMP " + line + "# Offset 2 0\n# DCB 2 3 disk_worker\n")
            + "2 200 ffffcccc00000003\n2 200 10000002c\n";
    try (LogServer server = serve(recording, BfscopeProtocol.PUSHED);
        Socket socket = connect(server)) {
      String got = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      assertThat(got).isEqualTo(text.length() + "\0\0\0\0\0" + text);
      awaitSaid(
          " has been sent everything: events=5; calls and states have no place in a log: left_out=2");
    }
    assertThat(numbers(recording).json())
        .isEqualTo(
            """
            {
            "0" : {
            \t"name" : "disk",
            \t"events" : {
            \t\t"0" : ["ALLOC", "ALLOC" ],
            \t\t"1" : ["READ", "READ" ]
            \t}
            },
            "2048" : {
            \t"name" : "cache",
            \t"events" : {
            \t\t"0" : ["missed", "missed" ],
            \t\t"5" : ["hit", "hit" ]
            \t}
            },
            "65535" : {
            \t"name" : "kernel",
            \t"events" : {
            \t\t"52428" : ["CSWITCH", "Context Switch" ]
            \t}
            },
            "-5632" : {
            \t"name" : "ump send"
            \t},
            "-5376" : {
            \t"name" : "ump receive"
            \t}
            }\
            """);
  }

  @Test
  void aClientThatAsksGetsSixOrEightDigits() throws Exception {
    Path recording = mixed();
    for (BfscopeProtocol protocol :
        List.of(BfscopeProtocol.ASKED_SIX, BfscopeProtocol.ASKED_EIGHT)) {
      try (LogServer server = serve(recording, protocol);
          Socket socket = connect(server)) {
        socket.getOutputStream().write("trace\r\n".getBytes(US_ASCII));
        String got = new String(socket.getInputStream().readAllBytes(), US_ASCII);
        int digits = protocol == BfscopeProtocol.ASKED_SIX ? 6 : 8;
        assertThat(got.substring(0, digits))
            .isEqualTo(("%0" + digits + "d").formatted(got.length() - digits));
        assertThat(got.substring(digits)).startsWith("# Start 100 ").endsWith("2 200 10000002c\n");
      }
    }
  }

  private Path large(int events) {
    RecordingBuilder r = new RecordingBuilder().process(1);
    r.define(1, new Definition.Subsystem(1, 3, "disk", "", ""));
    r.define(1, event(1, 1, 4, "READ", ""));
    for (int thread = 1; thread <= 300; thread++) {
      r.thread(1, thread, "worker " + thread);
      StreamWriter ring = r.ring(1, thread, thread);
      for (int i = 0; i < events / 300; i++) {
        ring.own(1_000 + i * 300L + thread, 1, thread * 1_000_000L + i);
      }
    }
    return r.write(folder.resolve("large.kymo"));
  }

  @Test
  void aClientThatDoesNotReadHoldsUpNobody() throws Exception {
    Path recording = large(300_000);
    try (LogServer server = serve(recording, BfscopeProtocol.PUSHED);
        Socket slow = connect(server)) {
      byte[] first;
      try (Socket quick = connect(server)) {
        first = quick.getInputStream().readAllBytes();
      }
      assertThat(first).hasSizeGreaterThan(6_000_000);
      assertThat(dumps(first)).isGreaterThan(6);
      assertThat(new String(first, US_ASCII).lines().filter(l -> l.matches("\\d+ \\d+ 30004.*")))
          .hasSize(300_000)
          .doesNotHaveDuplicates();
      assertThat(slow.getInputStream().readAllBytes()).isEqualTo(first);
    }
  }

  /** Older clients take sizes of six digits at most. */
  private static int dumps(byte[] sent) {
    int dumps = 0;
    int at = 0;
    while (at < sent.length) {
      String header = new String(sent, at, 8, US_ASCII);
      String size = header.substring(0, header.indexOf(0));
      assertThat(size).hasSizeLessThanOrEqualTo(6);
      at += 8 + Integer.parseInt(size);
      dumps++;
    }
    assertThat(at).isEqualTo(sent.length);
    return dumps;
  }

  @ParameterizedTest
  @EnumSource(BfscopeProtocol.class)
  void whoSaysSomethingElseIsClosed(BfscopeProtocol protocol) throws Exception {
    try (Growing growing = new Growing();
        LogServer server = serve(growing.path, protocol);
        Socket other = connect(server)) {
      for (String wrong :
          List.of("GET / HTTP/1.0\r\n\r\n", "tracf\n", "trac\n", "trace" + "x".repeat(200))) {
        try (Socket socket = connect(server)) {
          socket.getOutputStream().write(wrong.getBytes(US_ASCII));
          assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (IOException e) {
          // closed, too
        }
        awaitSaid(" is gone: reason=it said something other than trace");
      }
      growing.write(500, 1);
      other.getOutputStream().write("trace\n".getBytes(US_ASCII));
      assertThat(other.getInputStream().readNBytes(6)).hasSize(6);
    }
  }

  /** A recording that is being written. */
  private final class Growing implements AutoCloseable {
    final Path path = Files.createDirectory(folder.resolve("growing.kymo"));
    private final RecordingFiles files =
        RecordingFiles.growing(path, new Clock("cycles", GIGAHERTZ, 0));
    private final DefinitionFile definitions = new DefinitionFile(path, files.uuid(), 1);
    private final TrackStream stream;

    Growing() throws IOException {
      definitions.define(1, new Definition.TracedProcess(1, 10, 1, "java App", "OpenJDK"));
      definitions.define(1, new Definition.TracedThread(1, 0, 1, 1, "main"));
      definitions.define(1, new Definition.Subsystem(1, 0x42, "disk", "", ""));
      definitions.define(1, event(1, 1, 0x17, "READ", "u32 block;"));
      definitions.flush();
      stream = new TrackStream(path, files.uuid(), 1, 0, definitions);
    }

    void write(long at, int argument) throws IOException {
      stream.event(1, at, 1, argument);
      stream.flush();
      files.present(at);
    }

    @Override
    public void close() throws IOException {
      try (files;
          definitions) {
        stream.close();
      }
    }
  }

  @Test
  void textFollowsWhileTheRecordingGrows() throws Exception {
    try (Growing growing = new Growing();
        LogServer server = serve(growing.path, BfscopeProtocol.PUSHED);
        Socket one = connect(server);
        Socket two = connect(server)) {
      for (int i = 1; i <= 5; i++) {
        growing.write(i * 1_000L, i);
        for (Socket socket : List.of(one, two)) {
          String size = new String(socket.getInputStream().readNBytes(8), US_ASCII);
          int length = Integer.parseInt(size.substring(0, size.indexOf(0)));
          String dump = new String(socket.getInputStream().readNBytes(length), US_ASCII);
          assertThat(dump)
              .startsWith("# Start 1000 Duration 0 Stop ")
              .contains("\n# Min_timestamp %d\n".formatted(i * 1000))
              .endsWith("\n0 %d 4200170000000%x\n".formatted(i * 1000, i));
        }
      }
      growing.close();
      assertThat(one.getInputStream().read()).isEqualTo(-1);
      assertThat(two.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void whoAsksIsToldThatThereIsNothingNew() throws Exception {
    try (Growing growing = new Growing();
        LogServer server = serve(growing.path, BfscopeProtocol.ASKED_SIX);
        Socket socket = connect(server)) {
      socket.getOutputStream().write("trace\ntrace\n".getBytes(US_ASCII));
      assertThat(socket.getInputStream().readNBytes(12))
          .asString(US_ASCII)
          .isEqualTo("000000000000");
      growing.write(1_000, 1);
      socket.getOutputStream().write("trace\n".getBytes(US_ASCII));
      int size = Integer.parseInt(new String(socket.getInputStream().readNBytes(6), US_ASCII));
      assertThat(socket.getInputStream().readNBytes(size))
          .asString(US_ASCII)
          .endsWith(" 42001700000001\n");
    }
  }

  @Test
  void closingEndsAllConnections() throws Exception {
    try (Growing growing = new Growing()) {
      LogServer server = serve(growing.path, BfscopeProtocol.PUSHED);
      try (Socket socket = connect(server)) {
        awaitSaid(" has come");
        server.close();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
      assertThat(said).isEmpty();
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .doesNotContain("log server", "log client");
    }
  }
}
