package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Recorded;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.kafka.KafkaTransport;
import dev.kymo.network.listen.Retention;
import dev.kymo.network.send.Route;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.transport.Transport;
import dev.kymo.network.wire.Hello;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Recordings go through a real Kafka: what arrives is what was recorded, whoever is killed. */
@Tag("slow")
@Timeout(600)
@Tag("kafka")
class KafkaTest {
  private static final int CALLS = 1_000_000;
  private static final int HOSTS = 1_000;
  private static final int EVENTS = 10_000;
  private static final int AT_ONCE = 16;
  private static final int PATIENCE_SECONDS = 180;

  @TempDir static Path storage;
  private static KafkaBroker broker;

  @TempDir Path folder;

  @BeforeAll
  static void startBroker() throws IOException {
    broker = new KafkaBroker(storage);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private final List<Process> recorders = new ArrayList<>();

  @AfterEach
  void nothingRunsOn() throws Exception {
    for (Process each : recorders) {
      each.descendants().forEach(ProcessHandle::destroyForcibly);
      each.destroyForcibly().waitFor();
    }
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  private Map<String, String> environment() {
    return Map.of(
        "XDG_CONFIG_HOME", folder.resolve("config").toString(),
        "XDG_CACHE_HOME", folder.resolve("cache").toString());
  }

  /** A receiver, and what it says. */
  private final class Listening implements AutoCloseable {
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final Thread errors;

    Listening(String topic, Path into) throws Exception {
      Path settings =
          Files.writeString(
              folder.resolve("consumer"), "session.timeout.ms=3000\nheartbeat.interval.ms=500\n");
      process =
          Kymo.start(
              folder,
              environment(),
              "listen",
              "--kafka",
              topic,
              "--kafka-config",
              settings.toString(),
              "-d",
              into.toString());
      reader = Thread.ofPlatform().start(() -> read(process.inputReader(StandardCharsets.UTF_8)));
      errors = Thread.ofPlatform().start(() -> read(process.errorReader(StandardCharsets.UTF_8)));
    }

    private void read(BufferedReader from) {
      try (BufferedReader out = from) {
        out.lines().forEach(lines::add);
      } catch (IOException e) {
        lines.add(e.toString());
      }
    }

    /** The next line that begins so. */
    String await(String begin) throws InterruptedException {
      while (true) {
        String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(line).as("what the receiver says; wanted: %s", begin).isNotNull();
        assertThat(line).as("wanted: %s", begin).doesNotStartWith("kymo: ");
        if (line.startsWith(begin)) {
          return line;
        }
      }
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
      errors.join();
    }
  }

  private Process record(String topic, List<String> options, String... program) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("record", "--to", topic));
    arguments.addAll(options);
    arguments.addAll(
        List.of("--", Jdk.running().java().toString(), "-cp", Programs.CLASSES.toString()));
    arguments.addAll(List.of(program));
    Process recorder = Kymo.start(folder, environment(), arguments.toArray(String[]::new));
    recorders.add(recorder);
    return recorder;
  }

  private static void assertSame(Path received, Path kept) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(kept, "[!.]*")) {
      for (Path file : files) {
        assertThat(received.resolve(file.getFileName())).hasSameBinaryContentAs(file);
      }
    }
    assertThat(received.resolve(".rings")).doesNotExist();
  }

  private static Map<String, byte[]> content(Path directory) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "[!.]*")) {
      for (Path file : files) {
        all.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
      }
    }
    return all;
  }

  /** What is still in the spool is in the received file; the rest of the spool reads as zeros. */
  private static void assertRest(String name, byte[] received, byte[] spool) {
    assertThat(received).as(name).hasSameSizeAs(spool);
    for (int i = 0; i < spool.length; i++) {
      if (spool[i] != 0 && spool[i] != received[i]) {
        throw new AssertionError("differs: file=%s offset=%d".formatted(name, i));
      }
    }
  }

  @Test
  void aReceiverIsKilledAndBeginsAnew() throws Exception {
    String topic = broker.topic("receivers");
    Path in = Files.createDirectory(folder.resolve("in"));
    Path end = folder.resolve("end");
    Path received = in.resolve("nightly/kept.kymo");
    Process recording;
    try (Listening first = new Listening(topic, in)) {
      first.await("receiving from " + topic);
      recording =
          record(
              topic,
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
    Files.createFile(end);
    Kymo.Result result = Kymo.finish(recording, "");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain("SLF4J").doesNotContain("WARN");
    try (Listening second = new Listening(topic, in)) {
      assertThat(second.await("complete ")).startsWith("complete " + received);
      assertSame(received, folder.resolve("kept.kymo"));
      Kymo.Result info = Kymo.run("info", received.toString());
      assertThat(info.err()).isEmpty();
      assertThat(info.out()).contains(", ended, ");
    }
  }

  @Test
  void theRestOfAKilledSenderIsSentLater() throws Exception {
    String topic = broker.topic("senders");
    Path in = Files.createDirectory(folder.resolve("in"));
    Path end = folder.resolve("end");
    Path spool = folder.resolve("cache/kymo/spool/run.kymo");
    try (Listening receiver = new Listening(topic, in)) {
      Process recording =
          record(topic, List.of("-o", "run.kymo"), "Steady", end.toString(), "fast");
      receiver.await("receiving " + in.resolve("run.kymo"));
      while (!Files.exists(in.resolve("run.kymo/p1-ring-1"))) {
        Thread.sleep(10);
      }
      List<ProcessHandle> program = recording.children().toList();
      recording.destroyForcibly().waitFor();
      Files.createFile(end);
      for (ProcessHandle each : program) {
        each.onExit().get();
      }
      Kymo.run("info", spool.toString()); // takes the rest out of shared memory
      Map<String, byte[]> kept = content(spool);
      Kymo.Result sent =
          Kymo.runIn(folder, environment(), "", "send", spool.toString(), "--to", topic);
      assertThat(sent.exit()).as(sent.err()).isZero();
      assertThat(spool).doesNotExist();
      receiver.await("complete ");
      assertThat(content(in.resolve("run.kymo")).keySet()).isEqualTo(kept.keySet());
      content(in.resolve("run.kymo"))
          .forEach((name, bytes) -> assertRest(name, bytes, kept.getOrDefault(name, new byte[0])));
      assertThat(Kymo.run("info", in.resolve("run.kymo").toString()).out())
          .contains("oddities     0");
    }
  }

  @Test
  void aBrokerIsAwayForAWhile() throws Exception {
    String topic = broker.topic("broker");
    Path in = Files.createDirectory(folder.resolve("in"));
    try (Listening receiver = new Listening(topic, in)) {
      receiver.await("receiving from " + topic);
      Process recording;
      broker.stop();
      try {
        recording = record(topic, List.of("--when-full", "block", "-o", "run.kymo"), "Busy");
        Path spool = folder.resolve("cache/kymo/spool/run.kymo");
        while (!Files.exists(spool.resolve("p1-ring-1"))) {
          Thread.sleep(10);
        }
      } finally {
        broker.start();
      }
      Kymo.Result result = Kymo.finish(recording, "");
      assertThat(result.exit()).as(result.err()).isZero();
      if (result.err().contains("send the rest with")) {
        Path spool = folder.resolve("cache/kymo/spool/run.kymo");
        Kymo.Result sent =
            Kymo.runIn(folder, environment(), "", "send", spool.toString(), "--to", topic);
        assertThat(sent.exit()).as(sent.err()).isZero();
      }
      receiver.await("complete ");
      try (Recorded recorded = new Recorded(in.resolve("run.kymo"))) {
        assertThat(recorded.calls("Busy.call")).isEqualTo(CALLS);
      }
    }
  }

  /** The recording of a host: each event has a value that no other has. */
  private static Path recording(Path directory, int host) {
    RecordingBuilder r = new RecordingBuilder().process(1).thread(1, 1, "main");
    r.define(1, new Definition.Subsystem(1, 1, "host", "", ""));
    int kind = EventKind.INSTANT.number();
    r.define(1, new Definition.Event(1, 1, 1, kind, "EVENT", "", "u64 value;"));
    StreamWriter ring = r.ring(1, 0, 1);
    for (int i = 0; i < EVENTS; i++) {
      ring.own(1_000 + i * 10L, 1, (long) host * EVENTS + i);
    }
    return r.write(directory.resolve("host-" + host));
  }

  private static String send(Route to, Path directory, int host) throws Exception {
    Path sent = recording(directory, host);
    List<String> said = new CopyOnWriteArrayList<>();
    Hello hello = new Hello("", new UUID(7, host), "all", "host-" + host);
    try (Sender sender =
        Sender.start(new Sender.Source(sent, hello, null, Space.KEPT, false), to, said::add)) {
      return sender.finish(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)) ? "" : said.toString();
    }
  }

  @Test
  void aThousandHostsAreAllAccountedFor() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    Path in = Files.createDirectory(folder.resolve("in"));
    BlockingQueue<String> complete = new LinkedBlockingQueue<>();
    KafkaTransport kafka = new KafkaTransport();
    String topic = broker.topic("hosts");
    Transport.Target target =
        new Transport.Target(
            in,
            "hosts",
            Retention.of(Long.MAX_VALUE),
            line -> {
              if (!line.startsWith("receiving ")) {
                complete.add(line);
              }
            });
    long begin = System.nanoTime();
    try (Transport.Receiving _ = kafka.receive(topic, new Properties(), target);
        ExecutorService hosts = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<String>> all = new ArrayList<>();
      for (int host = 0; host < HOSTS; host++) {
        int number = host;
        all.add(hosts.submit(() -> send(kafka.route(topic, new Properties()), own, number)));
      }
      for (Future<String> each : all) {
        assertThat(each.get()).isEmpty();
      }
      for (int i = 0; i < HOSTS; i++) {
        assertThat(complete.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))
            .as("recording %d of those that are complete", i)
            .startsWith("complete " + in);
      }
    }
    System.out.printf(
        "KafkaTest hosts=%d events=%d seconds=%.1f%n",
        HOSTS, HOSTS * EVENTS, (System.nanoTime() - begin) / 1e9);
    for (int host = 0; host < HOSTS; host++) {
      assertSame(in.resolve("all/host-" + host + ".kymo"), own.resolve("host-" + host));
    }
  }
}
