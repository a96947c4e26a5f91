package dev.kymo.kernel.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.kymo.format.Clock;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Tracefs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What the daemon's tests share: real daemons, real clients, a look into the kernel. */
final class Daemons {
  static final int NOBODY = 65534;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private Daemons() {}

  /** Skips the test, saying why, where tracing is not to be had. */
  static Tracefs tracefs(String test) {
    try {
      return Tracefs.find();
    } catch (KernelException e) {
      System.out.println("SKIPPED " + test + ": " + e.getMessage());
      return abort(String.valueOf(e.getMessage()));
    }
  }

  /** A folder that everybody may enter. */
  static Path folder() throws IOException {
    Path folder = Files.createTempDirectory("kymo-daemon");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }

  static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /** A daemon in this process. */
  static final class Served implements AutoCloseable {
    final Path folder;
    final Path socket;
    final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final KernelDaemon daemon;

    Served(int clients) throws IOException {
      this(folder(), clients);
    }

    Served(Path folder, int clients) throws IOException {
      this(folder, clients, CaptureThread.MOST_WAITING);
    }

    Served(Path folder, int clients, long mostWaiting) throws IOException {
      this.folder = folder;
      this.socket = folder.resolve("kernel");
      daemon =
          KernelDaemon.open(
              new DaemonOptions(socket, clients, KernelDaemon.monotonic(), "test", log::add),
              mostWaiting);
    }

    DaemonSource source(String services) throws IOException {
      return DaemonSource.open(socket, services, Clock.MONOTONIC, 32 * 1024, log::add);
    }

    @Override
    public void close() throws IOException, InterruptedException {
      daemon.close();
      assertThat(socket).doesNotExist();
      assertThat(instances(ProcessHandle.current().pid())).isEmpty();
      remove(folder);
    }
  }

  /** Tracing instances of a process. */
  static List<Path> instances(long pid) throws IOException {
    try (Stream<Path> all = Files.list(Tracefs.find().instances())) {
      return all.filter(p -> p.getFileName().toString().startsWith("kymo-" + pid + "-")).toList();
    }
  }

  /** What a file of this process's only instance says. */
  static String kernel(String file) throws IOException {
    List<Path> instances = instances(ProcessHandle.current().pid());
    assertThat(instances).hasSize(1);
    return read(instances.getFirst().resolve(file));
  }

  static String read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  static boolean isOn(String event) throws IOException {
    return kernel("events/" + event.replace(':', '/') + "/enable").startsWith("1");
  }

  /** Waits until something is so. */
  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(20);
    }
  }

  /** A test program of this package in another process, run as a user. */
  static Process run(int uid, Class<?> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (uid != 0) {
      command.addAll(List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName()));
    command.addAll(Arrays.asList(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Reads lines up to this one. */
  static List<String> linesUpTo(String last, BufferedReader from) throws IOException {
    List<String> lines = new ArrayList<>();
    String line = from.readLine();
    while (line != null && !line.equals(last)) {
      lines.add(line);
      line = from.readLine();
    }
    assertThat(line).as("after %s", lines).isEqualTo(last);
    return lines;
  }
}
