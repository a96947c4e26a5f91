package dev.kymo.e2e.reading;

import dev.kymo.e2e.kit.Kymo;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster of Spark on this machine: a master, and two workers that start a process for each
 * application. All of it is from Maven's artefacts.
 */
final class SparkCluster implements AutoCloseable {
  private static final Path SPARK = Kymo.INSTALLATION.resolve("spark");
  private static final Pattern STARTED = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final Pattern REGISTERED = Pattern.compile("Registering worker ");
  private static final int WORKERS = 2;
  private static final long PATIENCE_SECONDS = 180;

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final String master;

  /** Starts one, with all its files in an empty folder. */
  SparkCluster(Path folder) throws Exception {
    this.folder = folder;
    Path jars = Files.createDirectories(home().resolve("jars"));
    for (String jar : classPath().split(":")) {
      Path file = Path.of(jar);
      Files.createSymbolicLink(jars.resolve(file.getFileName()), file);
    }
    try {
      Process first = start("org.apache.spark.deploy.master.Master", "--port", "0");
      readers.add(Thread.ofPlatform().start(() -> read(first)));
      master = await(STARTED).group(1);
      for (int i = 0; i < WORKERS; i++) {
        Path work = Files.createDirectories(folder.resolve("work" + i));
        Process worker =
            start(
                "org.apache.spark.deploy.worker.Worker",
                "--cores",
                "1",
                "--memory",
                "600m",
                "--work-dir",
                work.toString(),
                master);
        readers.add(Thread.ofPlatform().start(() -> drain(worker)));
        await(REGISTERED);
      }
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  private static String classPath() throws IOException {
    return Files.readString(SPARK.resolve("class-path")).strip();
  }

  /** What {@code SPARK_HOME} is for whoever asks it. */
  Path home() {
    return folder.resolve("home");
  }

  /** Its address. */
  String master() {
    return master;
  }

  private Process start(String program, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx300m",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-XX:TieredStopAtLevel=1",
                "@" + SPARK.resolve("java-options"),
                "-Dlog4j2.configurationFile=classpath:org/apache/spark/log4j2-defaults.properties",
                "-cp",
                classPath(),
                program,
                "--host",
                "127.0.0.1",
                "--webui-port",
                "0"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("SPARK_HOME", home().toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private void read(Process process) {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      out.lines().forEach(lines::add);
    } catch (IOException e) {
      lines.add(e.toString());
    }
  }

  private static void drain(Process process) {
    try {
      process.getInputStream().readAllBytes();
    } catch (IOException e) {
      // it has ended
    }
  }

  /** The next line of the master in which something is found. */
  private Matcher await(Pattern wanted) throws InterruptedException {
    List<String> said = new ArrayList<>();
    while (true) {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("the master does not say: " + wanted + "\n" + said);
      }
      said.add(line);
      Matcher found = wanted.matcher(line);
      if (found.find()) {
        return found;
      }
    }
  }

  @Override
  public void close() throws Exception {
    for (Process each : processes.reversed()) {
      List<ProcessHandle> executors = each.descendants().toList();
      each.destroy();
      if (!each.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        each.destroyForcibly().waitFor();
      }
      executors.forEach(ProcessHandle::destroyForcibly);
      for (ProcessHandle executor : executors) {
        executor.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    }
    for (Thread reader : readers) {
      reader.join();
    }
  }
}
