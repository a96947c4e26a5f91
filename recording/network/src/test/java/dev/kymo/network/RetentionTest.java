package dev.kymo.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.network.listen.Identity;
import dev.kymo.network.listen.Limits;
import dev.kymo.network.listen.Receiver;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.wire.FrameType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a receiver keeps, and what it removes. */
@Tag("network")
class RetentionTest {
  private static final long EACH = 100_000;
  private static final long ALL = 250_000;

  @TempDir Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private Path in = Path.of("");

  @BeforeEach
  void make() throws IOException {
    in = Files.createDirectory(folder.resolve("in"));
  }

  private Receiver listen(Retention kept) throws Exception {
    return Receiver.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        in,
        Identity.in(folder.resolve("identity")),
        new Limits(10, kept, 0, false),
        log::add);
  }

  private Receiver listen() throws Exception {
    return listen(new Retention(1 << 30, ALL, Duration.ZERO));
  }

  private RawSender sender(Receiver receiver, String name) throws Exception {
    String token = Identity.in(folder.resolve("identity")).token();
    return new RawSender(
        receiver.port(), token, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  private static void write(RawSender to, String file, int number, long bytes) throws IOException {
    to.out.begin(FrameType.FILE).u32(number).text(file).end();
    to.out.begin(FrameType.LENGTH).u32(number).u64(bytes).end();
  }

  private void send(Receiver receiver, String name, long bytes) throws Exception {
    try (RawSender raw = sender(receiver, name).welcome(name)) {
      write(raw, "metadata", 1, bytes);
      raw.out.begin(FrameType.CHECK).text("metadata").u64(bytes).end();
      raw.out.begin(FrameType.DONE).end();
      raw.out.flush();
      assertThat(raw.answers.next(1000)).isEqualTo(FrameType.DONE);
    }
  }

  /** A recording that was received before, or is being received. */
  private Path made(String name, String inside, int days) throws IOException {
    Path recording = Files.createDirectories(in.resolve(name));
    Files.writeString(recording.resolve("metadata"), "text");
    Files.createDirectory(recording.resolve("more"));
    Files.writeString(recording.resolve("more").resolve("file"), "text");
    Path received = Files.writeString(recording.resolve(".received"), inside);
    Files.setLastModifiedTime(received, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
    return recording;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(in)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private List<String> said(String begin) {
    return log.stream().filter(line -> line.startsWith(begin)).toList();
  }

  @Test
  void theOldestThatIsCompleteGivesWay() throws Exception {
    Path mine = Files.createDirectory(in.resolve("mine"));
    Files.write(mine.resolve("metadata"), new byte[(int) ALL]);
    try (Receiver receiver = listen()) {
      for (String name : List.of("first", "second", "third")) {
        send(receiver, name, EACH);
        Files.setLastModifiedTime(
            in.resolve(name + ".kymo/.received"),
            FileTime.from(Instant.now().minusSeconds(name.equals("second") ? 200 : 100)));
      }
      assertThat(names()).containsExactly("first.kymo", "mine", "third.kymo");
      send(receiver, "fourth", ALL - 2000);
      assertThat(names()).containsExactly("fourth.kymo", "mine");
    }
    assertThat(said("removed "))
        .hasSize(3)
        .first()
        .asString()
        .startsWith("removed " + in.resolve("second.kymo") + ": bytes=100037, it was the oldest");
  }

  @Test
  void whatIsStillComingStaysAndOthersWait() throws Exception {
    try (Receiver receiver = listen();
        RawSender first = sender(receiver, "first").welcome("first");
        RawSender second = sender(receiver, "second").welcome("second")) {
      write(first, "p1-ring-1", 1, 2 * EACH);
      first.out.begin(FrameType.MARK).u64(1).end();
      first.out.flush();
      assertThat(first.answers.next(1000)).isEqualTo(FrameType.ACKNOWLEDGED);
      write(second, "p1-ring-1", 1, EACH);
      second.out.flush();
      assertThat(second.answers.next(1000)).isEqualTo(FrameType.REFUSED);
      assertThat(second.answers.u16()).as("for good").isZero();
      assertThat(second.answers.text())
          .isEqualTo("cannot write: error=\"no room: being_received=200100 most_bytes=250000\"");
      assertThat(in.resolve("first.kymo/p1-ring-1")).hasSize(2 * EACH);
    }
    assertThat(said("no room: "))
        .containsExactly(
            "no room: being_received=200100 most_bytes=250000; nothing that is complete could give"
                + " way, senders have to wait");
    assertThat(said("removed ")).isEmpty();
    try (Receiver receiver = listen();
        RawSender again = sender(receiver, "first").welcome("first")) {
      assertThat(names()).contains("first.kymo");
    }
  }

  @Test
  void whatIsTooOldIsRemovedIfItIsOurs() throws Exception {
    String id = UUID.randomUUID().toString();
    made("session/old.kymo", id + "\n", 40);
    made("new.kymo", UUID.randomUUID() + "\n", 20);
    Path coming = made("coming.kymo", UUID.randomUUID() + "\n", 40);
    Files.createFile(coming.resolve(".rings"));
    Path greeted = made("greeted.kymo", UUID.randomUUID() + "\n", 40);
    Files.delete(greeted.resolve("metadata"));
    made("theirs.kymo", "something else", 40);
    made("session/deeper/old.kymo", UUID.randomUUID() + "\n", 40);
    made(".removed-" + UUID.randomUUID(), UUID.randomUUID() + "\n", 0);
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve(".received"), UUID.randomUUID() + "\n");
    Files.createSymbolicLink(in.resolve(".removed-link"), elsewhere);
    Files.createSymbolicLink(in.resolve("new.kymo/link"), elsewhere);
    try (Receiver _ = listen(new Retention(1 << 30, Long.MAX_VALUE, Duration.ofDays(30)))) {
      assertThat(names())
          .containsExactly(
              ".removed-link", "coming.kymo", "greeted.kymo", "new.kymo", "session", "theirs.kymo");
    }
    assertThat(in.resolve("session/deeper/old.kymo/metadata")).exists();
    assertThat(in.resolve("session/old.kymo")).doesNotExist();
    assertThat(elsewhere.resolve(".received")).exists();
    assertThat(log)
        .containsExactly(
            "removed " + in.resolve("session/old.kymo") + ": bytes=45, it was too old");
  }

  @Test
  void withoutLimitsAllIsKept() throws Exception {
    made("old.kymo", UUID.randomUUID() + "\n", 4000);
    try (Receiver receiver = listen(Retention.of(1 << 30))) {
      send(receiver, "large", 10 * ALL);
      assertThat(names()).containsExactly("large.kymo", "old.kymo");
    }
  }
}
