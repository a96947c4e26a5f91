package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that leave by standard output, as through {@code ssh}. */
@Timeout(600)
@Tag("network")
class PipedTest {
  @TempDir Path folder;
  private Path in = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    in = Files.createDirectory(folder.resolve("in"));
  }

  private Map<String, String> environment() {
    return Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
  }

  private Process record(String... more) throws IOException {
    List<String> words =
        List.of("record", "--to", "-", "--session", "s", "-o", "run.kymo", "--budget", "none");
    return Kymo.start(
        folder,
        environment(),
        Stream.of(
                words,
                List.of(more),
                List.of("--", Jdk.running().java().toString(), "-cp"),
                List.of(
                    Programs.CLASSES.toString(),
                    "Stepwise",
                    folder.resolve("go").toString(),
                    "own output"))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  private Process listen(Path into) throws IOException {
    return Kymo.start(
        folder,
        environment(),
        "listen",
        "--address",
        "-",
        "-d",
        into.toString(),
        "--max-total",
        "1G",
        "--max-age",
        "30d");
  }

  /** A recording that was received long ago. */
  private static Path old(Path in) throws IOException {
    Path recording = Files.createDirectory(in.resolve("old.kymo"));
    Files.createFile(recording.resolve("metadata"));
    Path received = Files.writeString(recording.resolve(".received"), UUID.randomUUID() + "\n");
    Instant then = Instant.now().minus(Duration.ofDays(31));
    Files.setLastModifiedTime(received, FileTime.from(then));
    return recording;
  }

  private static String rest(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aRecordingComesThroughAPipeWhileItIsMade() throws Exception {
    Process record = record("--keep-local");
    Process listen = listen(in);
    Thread carrier = Thread.ofPlatform().start(() -> carry(record, listen));
    Path received = in.resolve("s/run.kymo");
    Kymo.awaitFile(received.resolve("p1-ring-1"), listen);
    Files.createFile(folder.resolve("go"));
    Kymo.Result recorded = Kymo.finish(record, "");
    assertThat(recorded.exit()).as(recorded.err()).isZero();
    assertThat(recorded.err()).contains("own output\n", " for -, as run.kymo");
    carrier.join();
    assertThat(rest(listen)).contains("receiving " + received, "complete " + received);
    assertThat(listen.waitFor()).isZero();
    try (Recorded there = new Recorded(received);
        Recorded here = new Recorded(folder.resolve("run.kymo"))) {
      assertThat(there.calls("Stepwise.work")).isEqualTo(2);
      assertThat(there.calls("Stepwise.even")).isEqualTo(here.calls("Stepwise.even")).isPositive();
    }
    Process send =
        Kymo.start(folder, environment(), "send", "run.kymo", "--to", "-", "--name", "again.kymo");
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path old = old(elsewhere);
    Process again = listen(elsewhere);
    carry(send, again);
    assertThat(rest(again)).contains("removed " + old + ": bytes=37, it was too old\n");
    assertThat(send.waitFor()).isZero();
    assertThat(new String(send.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("kymo: the command line of a process is in it; 'kymo info' shows it\n");
    assertThat(again.waitFor()).isZero();
    assertThat(elsewhere.resolve("again.kymo/p1-ring-1"))
        .hasSameBinaryContentAs(folder.resolve("run.kymo/p1-ring-1"));
  }

  private static void carry(Process from, Process to) {
    try (OutputStream out = to.getOutputStream()) {
      from.getInputStream().transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aReaderThatGoesLeavesTheRecordingHere() throws Exception {
    Process record = record();
    assertThat(record.getInputStream().readNBytes(1000)).hasSize(1000);
    record.getInputStream().close();
    Files.createFile(folder.resolve("go"));
    String said = new String(record.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(record.waitFor()).as("the program's own").isZero();
    Path kept = folder.resolve("cache/kymo/spool/run.kymo");
    assertThat(said)
        .contains("the receiver refuses: to=- why=\"Broken pipe\"")
        .contains("not everything was sent: to=- kept=" + kept);
    assertThat(kept.resolve("metadata")).exists();
  }

  @Test
  void whatIsNoRecordingIsSaid() throws Exception {
    Kymo.Result result =
        Kymo.runIn(
            folder, environment(), "what is this?\n", "listen", "--address", "-", "-d", "in");
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err())
        .contains("standard input is not understood: not a recording that was sent");
    assertThat(in).isEmptyDirectory();
  }
}
