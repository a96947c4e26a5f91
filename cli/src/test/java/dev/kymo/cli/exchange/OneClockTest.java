package dev.kymo.cli.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.format.Clock;
import dev.kymo.format.ClockExchanges;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.session.ExitCode;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of two machines, whose clocks differ, on one axis. */
class OneClockTest {
  /** Questions, one each 10 ms. */
  private static final int TALKS = 300;

  private static final long WALL = 1_700_000_000_000_000_000L;

  @TempDir Path folder;

  private static RecordingBuilder side(String name, long wallOffset) {
    RecordingBuilder r = new RecordingBuilder();
    r.clock(new Clock(Clock.MONOTONIC, 1_000_000_000L, wallOffset));
    r.process(1).thread(1, 1, name);
    r.define(1, new Definition.Subsystem(1, 7, "net", "", ""));
    r.define(1, new Definition.Event(20, 1, 20, EventKind.SEND.number(), "SEND", "", "u64 key;"));
    r.define(
        1, new Definition.Event(21, 1, 21, EventKind.RECEIVE.number(), "RECEIVE", "", "u64 key;"));
    return r;
  }

  private static byte[] data(long key) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
  }

  /** The client asks, the server answers; each message is under way for 200 us and more. */
  private List<Path> talk(LongUnaryOperator serverClock, boolean answers) {
    RecordingBuilder client = side("client", WALL);
    RecordingBuilder server = side("server", WALL + 3_000_000_000L);
    StreamWriter asks = client.ring(1, 0, 1);
    StreamWriter serves = server.ring(1, 0, 1);
    for (int i = 0; i < TALKS; i++) {
      long at = 1_000_000_000L + i * 10_000_000L;
      long jitter = i * 7919L % 100_000;
      asks.own(at, 20, data(2L * i));
      serves.own(serverClock.applyAsLong(at + 200_000 + jitter), 21, data(2L * i));
      if (answers) {
        serves.own(serverClock.applyAsLong(at + 500_000 + jitter), 20, data(2L * i + 1));
        asks.own(at + 700_000 + 2 * jitter, 21, data(2L * i + 1));
      }
    }
    return List.of(
        client.write(folder.resolve("client.kymo")), server.write(folder.resolve("server.kymo")));
  }

  @Test
  void noMessageArrivesBeforeItIsSent() {
    // The server's clock is 40 ms ahead of its wall clock's 3 s, and 150 ppm too fast.
    List<Path> both = talk(at -> at + 40_000_000 + at * 150 / 1_000_000, true);
    Path joined = folder.resolve("both.kymo");
    Kymo merge =
        Kymo.run(
            "merge", both.get(0), both.get(1), "--offset", "server.kymo=messages", "-o", joined);
    assertThat(merge.code()).as(merge.err()).isZero();
    Matcher said =
        Pattern.compile(
                "joined server\\.kymo: by 600 messages, -(\\d+\\.\\d+) ppm, within (\\S+) us")
            .matcher(merge.err());
    assertThat(said.find()).as(merge.err()).isTrue();
    assertThat(Double.parseDouble(said.group(1))).isBetween(140.0, 160.0);
    assertThat(Double.parseDouble(said.group(2))).isLessThan(250.0);
    assertThat(latencies(joined)[0]).isPositive();
    assertThat(latencies(joined)[1]).isLessThan(1_000_000);
    assertThat(Kymo.run("info", joined).out()).contains("by 600 messages");
  }

  private static long[] latencies(Path joined) {
    String figures =
        Kymo.run(
                "query",
                joined,
                "--format",
                "csv",
                "SELECT min(received - sent), max(received - sent) FROM messages")
            .out();
    return Arrays.stream(figures.lines().skip(1).findFirst().orElseThrow().split(","))
        .mapToLong(Long::parseLong)
        .toArray();
  }

  /** What was found is kept: no command needs an option any more. */
  @Test
  void alignedRecordingsAreMergedOnOneClock() {
    List<Path> both = talk(at -> at + 40_000_000 + at * 150 / 1_000_000, true);
    Kymo align = Kymo.run("align", both.get(0), both.get(1));
    assertThat(align.code()).as(align.err()).isZero();
    assertThat(align.out())
        .contains("client.kymo: its clock is that of all")
        .containsPattern("server\\.kymo: by 600 messages, -1\\d\\d\\.\\d+ ppm, within \\S+ us");
    Path joined = folder.resolve("both.kymo");
    Kymo merge = Kymo.run("merge", both.get(0), both.get(1), "-o", joined);
    assertThat(merge.err()).contains("joined server.kymo: by 600 readings that were found before");
    assertThat(latencies(joined)[0]).isPositive();
    assertThat(latencies(joined)[1]).isLessThan(1_000_000);
    assertThat(Kymo.run("info", joined).out()).contains("clocks were compared, its times may be");
    Path other = folder.resolve("other.kymo");
    assertThat(Kymo.run("merge", both.get(1), both.get(0), "-o", other).err())
        .contains("joined client.kymo: by 600 readings that were found before");
    assertThat(latencies(other)[0]).isPositive();
    assertThat(Kymo.run("align", "--forget", both.get(1)).code()).isZero();
    assertThat(Kymo.run("merge", both.get(0), both.get(1), "-o", folder.resolve("x.kymo")).err())
        .contains("joined server.kymo: by wall time");
  }

  @Test
  void whatCannotBeComparedIsSaid() {
    List<Path> both = talk(at -> at, false);
    Kymo align = Kymo.run("align", both.get(0), both.get(1));
    assertThat(align.code()).isEqualTo(ExitCode.FAILED);
    assertThat(align.out()).contains("server.kymo: cannot be compared with the first");
    assertThat(Kymo.run("align", both.get(0)).code()).isEqualTo(ExitCode.USAGE);
  }

  /** Exchanges with one receiver, whose clock is the client's; the server's is ahead. */
  @Test
  void theirReceiverPutsRecordingsOnOneClock() throws IOException {
    long ahead = 40_000_000;
    List<Path> both = talk(at -> at + ahead, true);
    exchanges(both.get(0), "one", 0);
    exchanges(both.get(1), "two", ahead);
    Path joined = folder.resolve("both.kymo");
    Kymo merge = Kymo.run("merge", both.get(0), both.get(1), "-o", joined);
    assertThat(merge.code()).as(merge.err()).isZero();
    assertThat(merge.err())
        .containsPattern(
            "joined server\\.kymo: by 60 exchanges with the receiver, -?0\\.\\d+ ppm, within");
    assertThat(latencies(joined)[0]).isPositive();
    assertThat(latencies(joined)[1]).isLessThan(1_000_000);
  }

  private static void exchanges(Path recording, String machine, long ahead) throws IOException {
    List<ClockExchanges.Exchange> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      long at = 1_000_000_000L + i * 100_000_000L;
      all.add(
          new ClockExchanges.Exchange(at + ahead, at + 50_000, at + 60_000, at + 110_000 + ahead));
    }
    Files.writeString(
        recording.resolve(ClockExchanges.FILE),
        new ClockExchanges("receiver", machine, all).text());
  }

  /** What lies beside a recording may come from anybody. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "kymo clock exchanges 2\nreceiver x\nsender y\n1 2 3",
        "kymo clock exchanges 2\nreceiver x\nsender y\n1 2 3 99999999999999999999",
        "kymo clock exchanges 2\nreceiver x\nsender y\n",
        "kymo clock exchanges 2\nreceiver receiver\nsender y\n9223372036854775807 -1 5 -9223372036854775808\n",
      })
  void damagedExchangesSayNothing(String text) throws IOException {
    List<Path> both = talk(at -> at, true);
    exchanges(both.get(0), "one", 0);
    Files.writeString(both.get(1).resolve(ClockExchanges.FILE), text);
    Kymo merge = Kymo.run("merge", both.get(0), both.get(1), "-o", folder.resolve("both.kymo"));
    assertThat(merge.code()).as(merge.err()).isZero();
    assertThat(merge.err()).contains("joined server.kymo: by wall time");
  }

  @Test
  void oneDirectionDoesNotSuffice() {
    List<Path> both = talk(at -> at, false);
    Path joined = folder.resolve("both.kymo");
    Kymo merge =
        Kymo.run(
            "merge", both.get(0), both.get(1), "--offset", "server.kymo=messages", "-o", joined);
    assertThat(merge.code()).isEqualTo(ExitCode.FAILED);
    assertThat(merge.err()).contains("there have to be some in both directions");
    assertThat(joined).doesNotExist();
  }
}
