package dev.kymo.cli.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.cli.Kymo;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings of two machines, whose clocks differ, on one axis. */
class JoinByMessagesTest {
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
    String latencies =
        Kymo.run(
                "query",
                joined,
                "--format",
                "csv",
                "SELECT min(received - sent), max(received - sent) FROM messages")
            .out();
    String[] figures = latencies.lines().skip(1).findFirst().orElseThrow().split(",");
    assertThat(Long.parseLong(figures[0])).isPositive();
    assertThat(Long.parseLong(figures[1])).isLessThan(1_000_000);
    assertThat(Kymo.run("info", joined).out()).contains("by 600 messages");
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
