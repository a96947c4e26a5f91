package dev.kymo.e2e.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.format.Definition;
import dev.kymo.format.EventKind;
import dev.kymo.testkit.RecordingBuilder;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program's recording is sent as a bfscope sends its log, while the program runs. */
@Timeout(600)
class ServeLogTest {
  private static final Pattern PORT =
      Pattern.compile("'tcp://(?:127.0.0.1|\\[::1\\]):(\\d+)\\?protocol=2'");

  @TempDir Path folder;

  @Test
  void whatArrivesIsWhatWasRecorded() throws Exception {
    Path recording = folder.resolve("own.kymo");
    Path end = folder.resolve("end");
    List<String> record =
        new ArrayList<>(
            List.of("record", "-q", "--when-full", "block", "-o", recording.toString()));
    record.addAll(List.of("--", Jdk.running().java().toString(), "-cp"));
    record.addAll(List.of(Programs.CLASSES + ":" + Programs.API, "Own", "until", end.toString()));
    Process program = Kymo.start(folder, Map.of(), record.toArray(String[]::new));
    Kymo.awaitFile(recording.resolve("p1-definitions"), program);
    Path definitions = folder.resolve("names.json");
    Process server =
        Kymo.start(
            folder,
            Map.of(),
            "serve-log",
            recording.toString(),
            "--port",
            "0",
            "--definitions",
            definitions.toString());
    Path received = folder.resolve("received.log");
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
      Matcher port = PORT.matcher(String.valueOf(said.readLine()));
      assertThat(port.find()).isTrue();
      try (Socket socket =
              new Socket(InetAddress.ofLiteral("127.0.0.1"), Integer.parseInt(port.group(1)));
          var to = Files.newOutputStream(received)) {
        to.write(socket.getInputStream().readNBytes(1_000)); // the program runs
        Files.createFile(end);
        socket.getInputStream().transferTo(to);
      }
      Kymo.signal(server, "INT");
      assertThat(server.waitFor()).isZero();
    } finally {
      server.destroyForcibly().waitFor();
      Kymo.finish(program, "");
    }
    List<String> expected = ticks(recording.toString());
    assertThat(expected).isNotEmpty();
    assertThat(ticks("--log-definitions", definitions.toString(), received.toString()))
        .isEqualTo(expected);
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  /** Everybody on a machine can connect to its loopback address. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void anotherUserGetsNothing(String address) throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "skipped: this user is not root");
    RecordingBuilder one = new RecordingBuilder().process(1).thread(1, 1, "main");
    one.define(1, new Definition.Subsystem(1, 1, "disk", "", ""));
    int instant = EventKind.INSTANT.number();
    one.define(1, new Definition.Event(7, 1, 3, instant, "TICK", "", "u64 size;"));
    one.ring(1, 0, 1).own(100, 7, 5).own(200, 7, 6);
    Path recording = one.write(folder.resolve("r.kymo"));
    String[] serve = {"serve-log", recording.toString(), "--port", "0", "--address", address};
    Process server = Kymo.start(folder, Map.of(), serve);
    try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
      Matcher port = PORT.matcher(String.valueOf(said.readLine()));
      assertThat(port.find()).isTrue();
      String read = "exec 3<>/dev/tcp/%s/%s && cat <&3".formatted(address, port.group(1));
      List<String> other =
          List.of("setpriv", "--reuid=65534", "--clear-groups", "bash", "-c", read);
      assertThat(Kymo.exec(folder, other.toArray(String[]::new)).out()).isEmpty();
      assertThat(said.readLine()).contains("it is another user's");
      assertThat(Kymo.exec(folder, "bash", "-c", read).out()).isNotEmpty();
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  /** Times and numbers of all disk.TICKs. */
  private static List<String> ticks(String... of) throws Exception {
    List<String> print =
        new ArrayList<>(List.of("print", "--format", "raw", "--event", "disk.TICK"));
    print.addAll(List.of(of));
    return Kymo.run(print.toArray(String[]::new))
        .out()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t"))
        .map(cells -> cells[1] + " " + cells[9])
        .toList();
  }
}
