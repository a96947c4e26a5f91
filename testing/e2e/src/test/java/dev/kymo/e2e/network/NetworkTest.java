package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.e2e.kit.SmallDisk;
import dev.kymo.e2e.kit.Viewing;
import dev.kymo.format.SentBytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that are sent: what arrives is what was recorded, whoever is killed meanwhile. */
@Tag("slow")
@Tag("network")
class NetworkTest {
  private static final int CALLS = 1_000_000;
  private static final int PATIENCE_SECONDS = 300;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private Map<String, String> environment() {
    return Map.of(
        "XDG_CONFIG_HOME", folder.resolve("config").toString(),
        "XDG_CACHE_HOME", folder.resolve("cache").toString());
  }

  /** A receiver, and what it says. */
  private final class Listening implements AutoCloseable {
    final Process process;
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread reader;

    Listening(int port, Path into) throws Exception {
      process =
          Kymo.start(
              folder,
              environment(),
              "listen",
              "--address",
              "127.0.0.1:" + port,
              "-d",
              into.toString());
      reader = Thread.ofPlatform().start(this::read);
    }

    private void read() {
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        out.lines().forEach(lines::add);
      } catch (IOException e) {
        lines.add(e.toString());
      }
    }

    /** The next line that begins so. */
    String await(String begin) throws InterruptedException {
      for (String line = poll(); ; line = poll()) {
        if (line.startsWith(begin)) {
          return line;
        }
      }
    }

    private String poll() throws InterruptedException {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(line).as("what the receiver says").isNotNull();
      return line;
    }

    /** Where it listens. */
    int port() throws InterruptedException {
      return Integer.parseInt(await("listening on port ").split("[ ,]")[3]);
    }

    void kill() throws Exception {
      process.destroyForcibly();
      process.waitFor();
    }

    @Override
    public void close() throws Exception {
      process.destroy();
      process.waitFor();
      reader.join();
    }
  }

  private Process record(int port, List<String> options, String... program) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("record", "--to", "127.0.0.1:" + port));
    arguments.addAll(options);
    arguments.addAll(
        List.of("--", Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString()));
    arguments.addAll(List.of(program));
    return Kymo.start(folder, environment(), arguments.toArray(String[]::new));
  }

  private static void assertSame(Path received, Path kept) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(kept, "[!.]*")) {
      for (Path file : files) {
        assertThat(received.resolve(file.getFileName())).hasSameBinaryContentAs(file);
      }
    }
    assertThat(received.resolve(".rings")).doesNotExist();
  }

  @Test
  void aReceiverIsKilledAndBeginsAnew() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    Path end = folder.resolve("end");
    Path received = in.resolve("nightly/kept.kymo");
    int port;
    Process recording;
    try (Listening first = new Listening(0, in)) {
      port = first.port();
      String line = first.await("kymo://");
      assertThat(Kymo.finish(Kymo.start(folder, environment(), "trust"), line + "\n").exit())
          .isZero();
      recording =
          record(
              port,
              List.of("--session", "nightly", "--keep-local", "-o", "kept.kymo"),
              "Steady",
              end.toString(),
              "fast");
      first.await("receiving " + received);
      while (!Files.exists(received.resolve("p1-ring-1"))) {
        Thread.sleep(10);
      }
      first.kill();
    }
    try (Listening second = new Listening(port, in)) {
      second.await("receiving " + received);
      Files.createFile(end);
      Kymo.Result result = Kymo.finish(recording, "");
      assertThat(result.exit()).as(result.err()).isZero();
      assertThat(result.err()).contains("kymo: the receiver is back: to=127.0.0.1:" + port);
      assertThat(second.await("complete ")).startsWith("complete " + received);
      assertSame(received, folder.resolve("kept.kymo"));
      Kymo.Result info = Kymo.run("info", received.toString());
      assertThat(info.err()).isEmpty();
      assertThat(info.out()).contains(", ended, ");
    }
  }

  /** Two senders, one after the other, are one picture, which becomes what the two have sent. */
  @Test
  void aSessionIsOneGrowingPicture() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    Path session = in.resolve("nightly");
    Path end = folder.resolve("end");
    try (Listening receiver = new Listening(0, in)) {
      // The frequency of a processor's counter is known exactly only at the end.
      List<String> options = List.of("--clock", "monotonic", "--session", "nightly", "-o");
      int port = receiver.port();
      Process one = record(port, with(options, "one.kymo"), "Steady", end.toString());
      receiver.await("receiving " + session.resolve("one.kymo"));
      try (Viewing view = Viewing.of(session)) {
        awaitProcesses(view, 1);
        Process two = record(port, with(options, "two.kymo"), "Steady", end.toString());
        receiver.await("receiving " + session.resolve("two.kymo"));
        awaitProcesses(view, 2);
        assertThat(view.ask("api/growth")).contains("\"growing\":true");
        for (Process each : List.of(one, two)) { // else the second may begin after the first
          assertThat(each.inputReader().readLine()).isEqualTo("ready");
        }
        Files.createFile(end);
        assertThat(Kymo.finish(one, "").exit()).isZero();
        assertThat(Kymo.finish(two, "").exit()).isZero();
        while (view.ask("api/growth").contains("\"growing\":true")) {
          Thread.sleep(50);
        }
        try (Viewing later = Viewing.of(session)) {
          String known = later.ask("api/summary");
          assertThat(calls(view.ask("api/summary"))).isPositive().isEqualTo(calls(known));
          assertThat(duration(view)).isEqualTo(duration(later));
        }
      }
    }
  }

  private static List<String> with(List<String> options, String last) {
    List<String> all = new ArrayList<>(options);
    all.add(last);
    return all;
  }

  private static void awaitProcesses(Viewing view, int processes) throws Exception {
    JsonNode shown = JSON.readTree(view.ask("api/recording")).get("processes");
    while (shown.size() < processes) {
      Thread.sleep(50);
      shown = JSON.readTree(view.ask("api/recording")).get("processes");
    }
    assertThat(shown).hasSize(processes);
  }

  private static String duration(Viewing view) throws Exception {
    return JSON.readTree(view.ask("api/growth")).get("duration").asText();
  }

  /** Calls of the method that was called most. */
  private static long calls(String summary) throws IOException {
    long most = 0;
    for (JsonNode calls : JSON.readTree(summary).get("calls")) {
      most = Math.max(most, calls.asLong());
    }
    return most;
  }

  @Test
  void theRestIsSentLater() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    int port;
    try (Listening first = new Listening(0, in)) {
      port = first.port(); // and then nobody listens there
    }
    Kymo.Result result =
        Kymo.finish(record(port, List.of("--when-full", "block", "-o", "run.kymo"), "Busy"), "");
    Path spool = folder.resolve("cache/kymo/spool/run.kymo");
    String address = "127.0.0.1:" + port;
    assertThat(result.exit()).isZero();
    assertThat(result.err())
        .endsWith(
            "kymo: not everything was sent: to=%s kept=%s; send the rest with: kymo send %s --to %s\n"
                .formatted(address, spool, spool, address));
    try (Listening second = new Listening(port, in)) {
      second.await("listening");
      Kymo.Result sent =
          Kymo.runIn(folder, environment(), "", "send", spool.toString(), "--to", address);
      assertThat(sent.exit()).as(sent.err()).isZero();
      assertThat(spool).doesNotExist();
      try (Recorded recorded = new Recorded(in.resolve("run.kymo"))) {
        assertThat(recorded.calls("Busy.call")).isEqualTo(CALLS);
      }
    }
  }

  /** What the receiver has is no longer in the spool: the rest is found behind it. */
  @Test
  void theRestOfAKilledSenderIsSentLater() throws Exception {
    Path in = Files.createDirectory(folder.resolve("in"));
    Path end = folder.resolve("end");
    Path spool = folder.resolve("cache/kymo/spool/run.kymo");
    Path sent = spool.resolve(SentBytes.FILE);
    try (Listening receiver = new Listening(0, in)) {
      String address = "127.0.0.1:" + receiver.port();
      Process recording =
          record(
              Integer.parseInt(address.substring(10)),
              List.of("-o", "run.kymo"),
              "Steady",
              end.toString(),
              "fast");
      while (!Files.exists(sent) || SentBytes.read(spool).getOrDefault("p1-ring-1", 0L) == 0) {
        Thread.sleep(10);
      }
      List<ProcessHandle> program = recording.children().toList();
      recording.destroyForcibly().waitFor();
      Files.createFile(end);
      for (ProcessHandle each : program) {
        each.onExit().get();
      }
      long before = Files.size(spool.resolve("p1-ring-1"));
      Kymo.Result later =
          Kymo.runIn(folder, environment(), "", "send", spool.toString(), "--to", address);
      assertThat(later.exit()).as(later.err()).isZero();
      receiver.await("complete ");
      assertThat(in.resolve("run.kymo/p1-ring-1"))
          .satisfies(f -> assertThat(Files.size(f)).isGreaterThan(before / 2));
      Kymo.Result info = Kymo.run("info", in.resolve("run.kymo").toString());
      assertThat(info.err()).isEmpty();
      assertThat(info.out()).contains("oddities     0");
    }
  }

  @Test
  void aFullDiskThatHasRoomAgain() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "64M")) {
      Path filler = Files.write(disk.path().resolve("filler"), new byte[60 << 20]);
      try (Listening receiver = new Listening(0, disk.path())) {
        Process recording =
            record(receiver.port(), List.of("--when-full", "block", "-o", "run.kymo"), "Busy");
        assertThat(receiver.await("closed ")).contains("No space left on device");
        Files.delete(filler);
        Kymo.Result result = Kymo.finish(recording, "");
        assertThat(result.exit()).as(result.err()).isZero();
        receiver.await("complete ");
        assertThat(folder.resolve("cache/kymo/spool")).isEmptyDirectory();
        try (Recorded recorded = new Recorded(disk.path().resolve("run.kymo"))) {
          assertThat(recorded.calls("Busy.call")).isEqualTo(CALLS);
        }
      }
    }
  }
}
