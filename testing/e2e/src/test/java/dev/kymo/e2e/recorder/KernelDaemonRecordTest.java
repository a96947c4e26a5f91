package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kymo record --kernel} with events from a daemon, and what it does if they end before the
 * program does: the program and the rest of its recording go on, and a message says when and why.
 */
@Tag("kernel")
@Tag("daemon")
class KernelDaemonRecordTest {
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  @TempDir Path folder;
  private Path instances = Path.of("");

  @BeforeEach
  void tracingIsToBeHad(TestInfo test) {
    try {
      instances = Tracefs.find().instances();
    } catch (KernelException e) {
      System.out.println("SKIPPED " + test.getDisplayName() + ": " + e.getMessage());
      assumeTrue(false, String.valueOf(e.getMessage()));
    }
  }

  /** A command of Kymo's whose output is collected while it runs. */
  private final class Running implements AutoCloseable {
    final Process process;
    final Queue<String> said = new ConcurrentLinkedQueue<>();
    private final Thread reader;

    Running(Map<String, String> environment, String... arguments) throws IOException {
      this(Kymo.start(folder, environment, arguments));
    }

    Running(Process process) {
      this.process = process;
      reader =
          Thread.ofPlatform()
              .start(() -> {
                try (BufferedReader lines = process.errorReader()) {
                  lines.lines().forEach(said::add);
                } catch (IOException e) {
                  said.add(e.toString());
                }
              });
    }

    String until(String words) throws InterruptedException {
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (true) {
        for (String line : said) {
          if (line.contains(words)) {
            return line;
          }
        }
        assertThat(System.nanoTime()).as("says '%s': %s", words, said).isLessThan(end);
        Thread.sleep(20);
      }
    }

    void signal(String name) throws IOException, InterruptedException {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      assertThat(kill.waitFor()).isZero();
    }

    int end() throws InterruptedException {
      assertThat(process.waitFor(600, TimeUnit.SECONDS)).as("ends: %s", said).isTrue();
      reader.join();
      return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      reader.join();
    }
  }

  private Path socket() {
    return folder.resolve("kernel");
  }

  private Running daemon() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Running daemon = new Running(Map.of(), "daemon", "--socket", socket().toString());
    daemon.until("serving kernel events");
    return daemon;
  }

  /** A recording of a program that ends with 7 as soon as it is allowed to. */
  private Running recording(Map<String, String> environment) throws Exception {
    Running recording =
        new Running(
            environment,
            "record",
            "--kernel",
            "cswitch,ipc",
            "-o",
            "a.kymo",
            "--",
            "sh",
            "-c",
            "until [ -e go ]; do sleep 0.05; done; exit 7");
    Path states = folder.resolve("a.kymo/p1-ring-0");
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!Files.exists(states) || Files.size(states) < 1000) {
      assertThat(recording.process.isAlive()).as("%s", recording.said).isTrue();
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(10);
    }
    return recording;
  }

  private Map<String, String> throughDaemon() {
    return Map.of("KYMO_KERNEL_SOCKET", socket().toString());
  }

  private void letGo() throws IOException {
    Files.createFile(folder.resolve("go"));
  }

  private String info() throws Exception {
    Kymo.Result info = Kymo.run("info", folder.resolve("a.kymo").toString());
    assertThat(info.exit()).as(info.err()).isZero();
    return info.out();
  }

  @Test
  void whatWasWrittenIsSaidInBytes() throws Exception {
    try (Running daemon = daemon();
        Running recording =
            new Running(
                throughDaemon(), "record", "--kernel", "cswitch", "-o", "a.kymo", "--", "true")) {
      assertThat(recording.end()).isZero();
      Matcher said = Pattern.compile(", (\\d+) kB in ").matcher(recording.until("recorded "));
      assertThat(said.find()).as("%s", recording.said).isTrue();
      assertThat(1000 * (1 + Long.parseLong(said.group(1)))).isGreaterThan(kernelBytes() * 9 / 10);
      daemon.signal("TERM");
      assertThat(daemon.end()).isZero();
    }
  }

  /** The socket is there before the daemon, and after it. */
  @Test
  void listensAtTheSocketThatItIsGiven() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(Files.isExecutable(python), "skipped: python3 is not installed");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command =
        new ArrayList<>(
            List.of(
                python.toString(),
                Path.of("src/python/listening.py").toAbsolutePath().toString(),
                socket().toString()));
    command.addAll(Kymo.command());
    command.add("daemon");
    try (Running daemon =
            new Running(new ProcessBuilder(command).directory(folder.toFile()).start());
        Running recording =
            new Running(
                throughDaemon(), "record", "--kernel", "cswitch", "-o", "a.kymo", "--", "true")) {
      assertThat(daemon.until("serving kernel events")).contains("socket=" + socket());
      assertThat(recording.end()).as("%s", recording.said).isZero();
      assertThat(kernelBytes()).isPositive();
      daemon.signal("TERM");
      assertThat(daemon.end()).isZero();
      assertThat(socket()).exists();
    }
  }

  private long kernelBytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(folder.resolve("a.kymo"))) {
      for (Path file : files.toList()) {
        boolean kernels = file.getFileName().toString().matches("(p1-|kernel-cpu-).*");
        bytes += kernels ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  /** Of the whole machine a user gets only the user's own events, and a message says so. */
  @Test
  void anotherUserRecordsHisOwnProcesses() throws Exception {
    try (Running daemon = daemon()) {
      Path out = Files.createDirectory(folder.resolve("out"));
      Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxrwxrwx"));
      List<String> command =
          new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
      command.addAll(Kymo.command());
      command.addAll(
          List.of(
              "record",
              "--kernel",
              "cswitch",
              "--system",
              "-o",
              out + "/b.kymo",
              "--",
              "sleep",
              "1"));
      ProcessBuilder builder = new ProcessBuilder(command).directory(out.toFile());
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      builder.environment().putAll(throughDaemon());
      Kymo.Result result = Kymo.finish(builder.start(), "");
      assumeTrue(
          !result.err().contains("Could not find or load main class"),
          "the installation cannot be read by other users: " + Kymo.INSTALLATION);
      assertThat(result.exit()).as(result.err()).isZero();
      assertThat(result.err())
          .contains("the daemon shows only this user's processes", "kernel events");
      Kymo.Result threads = Kymo.run("report", "--threads", out.resolve("b.kymo").toString());
      assertThat(threads.out()).contains("sleep").doesNotContain("ksoftirqd", "kworker");
      daemon.signal("TERM");
      assertThat(daemon.end()).isZero();
    }
  }

  @Test
  void aKilledDaemonDoesNotEndTheRecording() throws Exception {
    try (Running daemon = daemon();
        Running recording = recording(throughDaemon())) {
      daemon.process.destroyForcibly();
      recording.until("kernel events end ");
      assertThat(recording.process.isAlive()).isTrue();
      letGo();
      assertThat(recording.end()).as("of the program itself").isEqualTo(7);
      assertThat(recording.said)
          .anyMatch(line ->
              line.matches(
                  "kymo: kernel events end \\d+\\.\\d{3} s after they began: the daemon for kernel"
                      + " events is gone: socket=.*; the recording goes on without them"))
          .anyMatch(line ->
              line.matches(
                  "kymo: the recording is incomplete: it has no kernel events from \\d+\\.\\d{3} s"
                      + " after they began"));
      assertThat(info())
          .containsPattern(
              "notice +process 1: kernel events end \\d+\\.\\d{3} s after they began: the daemon for"
                  + " kernel events is gone: socket=");
    }
  }

  @Test
  void aStoppedDaemonIsNoticed() throws Exception {
    try (Running daemon = daemon();
        Running recording = recording(throughDaemon())) {
      daemon.signal("STOP");
      recording.until("the daemon for kernel events has said nothing for ");
      daemon.signal("CONT");
      recording.until("the daemon for kernel events goes on");
      letGo();
      assertThat(recording.end()).isEqualTo(7);
      assertThat(recording.said).noneMatch(line -> line.contains("incomplete"));
      assertThat(info())
          .contains(
              "the daemon for kernel events has said nothing for ",
              "the daemon for kernel events goes on");
      daemon.signal("TERM");
      assertThat(daemon.end()).isZero();
    }
  }

  @Test
  void aDaemonThatStaysStoppedDoesNotKeepTheRecordingFromEnding() throws Exception {
    try (Running daemon = daemon();
        Running recording = recording(throughDaemon())) {
      daemon.signal("STOP");
      recording.until("the daemon for kernel events has said nothing for ");
      letGo();
      assertThat(recording.end()).isEqualTo(7);
      assertThat(recording.said).anyMatch(line -> line.contains("the recording is incomplete"));
      assertThat(info()).contains("does not answer");
      daemon.signal("CONT");
      daemon.signal("TERM");
      assertThat(daemon.end()).isZero();
    }
  }

  /** Root's own events end because another root process turns them off. */
  @Test
  void tracingThatSomebodyTurnsOffDoesNotEndTheRecording() throws Exception {
    try (Running recording = recording(Map.of())) {
      List<Path> own;
      try (Stream<Path> all = Files.list(instances)) {
        own =
            all.filter(p ->
                    p.getFileName().toString().startsWith("kymo-" + recording.process.pid() + "-"))
                .toList();
      }
      assertThat(own).hasSize(1);
      Files.writeString(own.getFirst().resolve("tracing_on"), "0");
      recording.until("kernel events end ");
      letGo();
      assertThat(recording.end()).isEqualTo(7);
      assertThat(recording.said).anyMatch(line -> line.contains("the recording is incomplete"));
      assertThat(info())
          .contains("tracing was turned off by somebody else: path=" + own.getFirst());
      assertThat(own.getFirst()).doesNotExist();
    }
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }
}
